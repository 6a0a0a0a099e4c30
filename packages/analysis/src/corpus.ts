import { CorpusWords } from './corpus-words.ts';
import { comparePair, type IndexedIssue, rescale, unitVector } from './indexed-issue.ts';
import { IndexedIssues } from './indexed-issues.ts';
import { type BestOthers, isMutualBest, type TextFeatures, textFeatures, textLogOdds } from './likelihood.ts';
import { mostSimilar, type SimilarIssue } from './most-similar.ts';
import type { NeighbourPool } from './neighbours.ts';
import { type ListLimits, PairLists } from './pair-lists.ts';
import { type PairScores, PairTable } from './pair-table.ts';
import { RowSearch } from './row-search.ts';
import type { Snapshot } from './snapshot.ts';
import { TermScale } from './term-scale.ts';

export type { SimilarIssue } from './most-similar.ts';

/**
 * An issue to add to the corpus. The corpus extracts terms from its text, but does not store the
 * text.
 */
export interface CorpusDocument {
  id: string;
  /** Project of the issue. */
  group: string;
  title: string;
  /** Description as written. */
  body: string;
  /** Embedding of `textForEmbedding(title, body)`. Null if it is not computed yet. */
  vector: Float32Array | null;
  /** Creation time in milliseconds since 1970. In a pair, the older issue comes first. */
  createdAt: number;
  /** Author. Two issues by the same author are rarely duplicates. */
  author?: string | null;
}

/** Query of `similar`: the id of an issue in the corpus, or any text. */
export type SimilarQuery = { id: string } | { title: string; body: string; vector: Float32Array | null };

/**
 * The issues of one account, prepared for comparison. Stores counted terms, an inverted index and
 * vectors, but no texts.
 *
 * All scores depend on the snapshot in use, which is empty at first. For stable scores, use a
 * stored snapshot. Take a new one when the account has changed enough. Similarities do not depend
 * on the order in which issues were added.
 */
export class Corpus {
  readonly #pool: NeighbourPool;
  readonly #dimensions: number;
  readonly #issues = new IndexedIssues();
  readonly #search = new RowSearch(this.#issues);
  readonly #terms: TermScale;
  #lists: PairLists | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  /** `dimensions` is the length of every vector. The caller closes the pool. */
  constructor(options: { neighbours: NeighbourPool; dimensions: number }) {
    this.#pool = options.neighbours;
    this.#dimensions = options.dimensions;
    this.#terms = new TermScale(options.dimensions);
  }

  /** Number of issues. */
  get size(): number {
    return this.#issues.size;
  }

  /**
   * Adds issues. An issue with a known id replaces the previous one.
   *
   * @throws {RangeError} if a vector has the wrong length. Nothing is changed then.
   */
  put(documents: readonly CorpusDocument[]): void {
    for (const { id, vector } of documents) this.#checkVector(id, vector);
    for (const document of documents) this.#changed(this.#issues.put(this.#terms.read(document)));
  }

  /**
   * Sets the vector of an issue; ignores unknown ids.
   *
   * @throws {RangeError} if the vector has the wrong length
   */
  setVector(id: string, vector: Float32Array): void {
    this.#checkVector(id, vector);
    const slot = this.#issues.slotOf(id);
    const issue = this.#issues.at(slot);
    if (issue === null) return;
    issue.vector = unitVector(vector);
    rescale(issue, this.#terms.scale);
    this.#search.vectorChanged(slot);
    this.#lists?.changed(slot);
  }

  /** Removes issues; ignores unknown ids. */
  delete(ids: readonly string[]): void {
    for (const id of ids) {
      const slot = this.#issues.remove(id);
      if (slot >= 0) this.#changed(slot);
    }
  }

  /** True if the corpus contains the issue. */
  has(id: string): boolean {
    return this.#issues.slotOf(id) >= 0;
  }

  /** The words of the issues. */
  get words(): CorpusWords {
    return new CorpusWords(this.#issues, this.#terms);
  }

  /** Returns the ids of all issues. */
  ids(): string[] {
    return this.#issues.ids();
  }

  /** Returns the vector of an issue, normalized to length 1. Null if the issue has no vector. */
  vectorOf(id: string): Float32Array | null {
    return this.#issues.at(this.#issues.slotOf(id))?.vector ?? null;
  }

  /**
   * Returns the vector of an issue minus the mean vector of the account, normalized to length 1.
   * Vectors are compared in this form. Null if the difference is zero.
   */
  directionOf(id: string): Float32Array | null {
    const issue = this.#issues.at(this.#issues.slotOf(id));
    if (!issue || issue.vector === null || issue.reach === 0) return null;
    const { center } = this.#terms.scale;
    return issue.vector.map((value, at) => (value - (center[at] ?? 0)) / issue.reach);
  }

  /** Returns the ids of issues without a vector. */
  withoutVector(): string[] {
    return this.ids().filter((id) => this.#issues.at(this.#issues.slotOf(id))?.vector === null);
  }

  /**
   * Takes a snapshot of the account: the mean of its vectors, and the number of issues per term.
   */
  takeSnapshot(version: number): Snapshot {
    return this.#terms.snapshotOf(this.#issues, version);
  }

  /**
   * Makes all later scores depend on this snapshot.
   *
   * @throws {RangeError} if the vectors of the snapshot have another length
   */
  useSnapshot(snapshot: Snapshot): void {
    if (snapshot.mean.length !== this.#dimensions) {
      throw new RangeError(
        `The vectors of this snapshot have ${snapshot.mean.length} numbers, the corpus has ${this.#dimensions}. Take a new one.`,
      );
    }
    this.#terms.use(snapshot);
    for (const slot of this.#issues.slots()) {
      const issue = this.#issues.at(slot);
      if (issue !== null) rescale(issue, this.#terms.scale);
    }
    this.#search.rescaled();
    this.#lists = null;
  }

  /**
   * Returns the most similar pairs, in no particular order. For each issue, these are the
   * `perGroup` best in its project and the `overall` best in the account. Pairs below the
   * similarity `floor` are left out. `floor` must be above 0. Each pair is returned once.
   *
   * If `changed` is given, returns only pairs that contain one of these ids. The result is exact:
   * the search skips only pairs that cannot reach the limits. Best lists are cached. The first call
   * is a full search, and calls after a few changes are fast. Issues may be added and removed
   * during a call.
   */
  async pairs(options: {
    changed?: readonly string[];
    perGroup: number;
    overall: number;
    floor: number;
  }): Promise<PairTable> {
    const { changed, ...limits } = options;
    const answer = this.#turn.then(async () => {
      const lists = await this.#completeLists(limits);
      return this.#scored(lists, changed);
    });
    this.#turn = answer.then(
      () => undefined,
      () => undefined,
    );
    return await answer;
  }

  /**
   * Returns the scores of the given pairs, in the same order. They equal the scores that `pairs`
   * computes with these limits. Null if an issue is unknown or has no vector: words alone are too
   * weak.
   */
  scoresOf(pairs: readonly (readonly [string, string])[], limits: ListLimits): (PairScores | null)[] {
    return pairs.map(([one, other]) => {
      const [first, second] = [one, other].map((id) => this.#issues.at(this.#issues.slotOf(id)));
      if (!first?.vector || !second?.vector) return null;
      const [a, b] = isOlder(first, second) ? [first, second] : [second, first];
      return this.#scoresOf(a, b, (issue, similarity, among) =>
        this.#othersBySearch(issue, issue === a ? b : a, similarity, { ...among, limits }),
      );
    });
  }

  /**
   * Returns the issues most similar to an issue or a text, best first, at most `limit`. Includes
   * only issues that pass `filter`, reach `floor` and have a similarity above 0. Exact over all
   * issues. Returns an empty array for an unknown id.
   *
   * @throws {RangeError} if the vector has the wrong length
   */
  async similar(
    query: SimilarQuery,
    options: { limit: number; floor?: number; filter?: (id: string, group: string) => boolean },
  ): Promise<SimilarIssue[]> {
    const issue = 'id' in query ? this.#issues.at(this.#issues.slotOf(query.id)) : this.#readQuery(query);
    if (issue === null || options.limit <= 0) return [];
    const { limit, floor, filter } = options;
    const [issues, search, scale] = [this.#issues, this.#search, this.#terms.scale];
    return mostSimilar({ query: issue, issues, search, scale, limit, floor, filter });
  }

  /**
   * Returns the similarity of a text to each of `others`, in the same order. Null for an unknown
   * id. A text without a vector is compared by words only.
   *
   * @throws {RangeError} if a vector has the wrong length
   */
  compare(
    query: { title: string; body: string; vector: Float32Array | null },
    others: readonly SimilarQuery[],
  ): (number | null)[] {
    this.#checkVector('The query', query.vector);
    const texts = others.flatMap((other) => ('id' in other ? [] : [other]));
    for (const { vector } of texts) this.#checkVector('A text', vector);
    const read = this.#terms.readTogether(query, texts);
    const strangers = read.others.values();
    return others.map((other) => {
      const issue = 'id' in other ? this.#issues.at(this.#issues.slotOf(other.id)) : strangers.next().value;
      return issue ? comparePair(read.first, issue, read.scale).similarity : null;
    });
  }

  /**
   * Returns the features of a pair, from which its duplicate probability is computed. Null for an
   * unknown id. `best` describes the other issues that compete with the pair.
   */
  features(
    olderId: string,
    newerId: string,
    { similarity, best }: { similarity: number; best: BestOthers },
  ): TextFeatures | null {
    const [older, newer] = [olderId, newerId].map((id) => this.#issues.at(this.#issues.slotOf(id)));
    if (!older || !newer) return null;
    return textFeatures(older, newer, similarity, best, this.#terms.scale);
  }

  /**
   * Returns the features of a draft paired with each of the issues in `found`. Results are in the
   * same order and leave out unknown ids.
   *
   * @throws {RangeError} if the vector has the wrong length
   */
  async weigh(
    text: { title: string; body: string; vector: Float32Array | null },
    found: readonly { id: string; similarity: number }[],
  ): Promise<{ id: string; similarity: number; features: TextFeatures }[]> {
    this.#checkVector('The query', text.vector);
    const { first: newer, scale } = this.#terms.readTogether(text, []);
    const weighed: { id: string; similarity: number; features: TextFeatures }[] = [];
    for (const { id, similarity } of found) {
      const older = this.#issues.at(this.#issues.slotOf(id));
      if (older === null) continue;
      const others = found.filter((other) => other.id !== id).map((other) => other.similarity);
      const [nearest] = await this.similar({ id }, { limit: 1 });
      const best = {
        newer: Math.max(0, ...others),
        older: nearest?.similarity ?? 0,
        nearer: others.filter((other) => other > similarity).length,
      };
      weighed.push({ id, similarity, features: textFeatures(older, newer, similarity, best, scale) });
    }
    return weighed;
  }

  async #completeLists(limits: { perGroup: number; overall: number; floor: number }): Promise<PairLists> {
    for (;;) {
      const lists = this.#listsFor(limits);
      await lists.complete(this.#pool, this.#dimensions);
      if (lists === this.#lists) return lists;
    }
  }

  #listsFor(limits: { perGroup: number; overall: number; floor: number }): PairLists {
    const known = this.#lists;
    const fits =
      known !== null &&
      known.limits.perGroup === limits.perGroup &&
      known.limits.overall === limits.overall &&
      known.limits.floor === limits.floor;
    if (fits) return known;
    this.#lists = new PairLists(this.#issues, this.#search, this.#terms.scale, limits);
    return this.#lists;
  }

  #scored(lists: PairLists, changed: readonly string[] | undefined): PairTable {
    const wanted = changed === undefined ? null : new Set(changed.map((id) => this.#issues.slotOf(id)));
    const pairs = new PairTable();
    lists.eachPair((slot, other) => {
      if (wanted !== null && !wanted.has(slot) && !wanted.has(other)) return;
      const [first, second] = [this.#issues.at(slot), this.#issues.at(other)];
      if (first === null || second === null) return;
      const [a, b, slotA, slotB] = isOlder(first, second)
        ? [first, second, slot, other]
        : [second, first, other, slot];
      const othersOf: OthersOf = (issue, similarity, among) =>
        lists.othersOf(issue === a ? slotA : slotB, similarity, {
          ...among,
          except: issue === a ? slotB : slotA,
        });
      pairs.add(a.id, b.id, this.#scoresOf(a, b, othersOf));
    });
    return pairs;
  }

  /** Returns the scores of an older and a newer issue. */
  #scoresOf(older: IndexedIssue, newer: IndexedIssue, othersOf: OthersOf): PairScores {
    const { similarity } = comparePair(older, newer, this.#terms.scale);
    const among = { before: newer.createdAt, inGroup: older.group === newer.group };
    const ofNewer = othersOf(newer, similarity, among);
    const ofOlder = othersOf(older, similarity, among);
    const best = { newer: ofNewer.best, nearer: ofNewer.nearer, older: ofOlder.best };
    const features = textFeatures(older, newer, similarity, best, this.#terms.scale);
    return { similarity, logOdds: textLogOdds(features), isMutualBest: isMutualBest(features) };
  }

  /**
   * Computes the result of `PairLists.othersOf` by search instead of from cached lists. `except` is
   * the second issue of the pair.
   */
  #othersBySearch(
    issue: IndexedIssue,
    except: IndexedIssue,
    similarity: number,
    { before, inGroup, limits }: AmongOthers & { limits: ListLimits },
  ): { best: number; nearer: number } {
    const [issues, search, scale] = [this.#issues, this.#search, this.#terms.scale];
    const limit = inGroup ? limits.perGroup : limits.overall;
    const filter = (_id: string, group: string): boolean => !inGroup || group === issue.group;
    const listed = mostSimilar({ query: issue, issues, search, scale, limit, floor: limits.floor, filter });
    const older = listed.filter(({ id }) => {
      return id !== except.id && (issues.at(issues.slotOf(id))?.createdAt ?? before) < before;
    });
    return {
      best: older[0]?.similarity ?? 0,
      nearer: older.filter((other) => other.similarity > similarity).length,
    };
  }

  #readQuery(query: { title: string; body: string; vector: Float32Array | null }): IndexedIssue {
    this.#checkVector('The query', query.vector);
    return this.#terms.readQuery(query);
  }

  #changed(slot: number): void {
    this.#search.changed(slot);
    this.#lists?.changed(slot);
  }

  #checkVector(id: string, vector: Float32Array | null): void {
    if (vector === null || vector.length === this.#dimensions) return;
    throw new RangeError(
      `${id}: the vector has ${vector.length} numbers, the corpus expects ${this.#dimensions}.`,
    );
  }
}

/** Restricts which issues compete with a pair. */
interface AmongOthers {
  /** Only issues created before this time, in milliseconds since 1970. */
  before: number;
  inGroup: boolean;
}

/**
 * Returns `best`, the highest similarity of `issue` to an issue outside the pair. Also returns
 * `nearer`, the number of such issues more similar to it than the pair.
 */
type OthersOf = (
  issue: IndexedIssue,
  similarity: number,
  among: AmongOthers,
) => { best: number; nearer: number };

function isOlder(first: IndexedIssue, second: IndexedIssue): boolean {
  return first.createdAt < second.createdAt || (first.createdAt === second.createdAt && first.id < second.id);
}
