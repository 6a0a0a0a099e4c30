import { CorpusWords } from './corpus-words.ts';
import { type BestOthers, isMutualBest, type TextFeatures, textFeatures, textLogOdds } from './likelihood.ts';
import { mostSimilar, type SimilarIssue } from './most-similar.ts';
import type { NeighbourPool } from './neighbours.ts';
import { PairLists } from './pair-lists.ts';
import { PairTable } from './pair-table.ts';
import { comparePair, type Resident, rescale, unitVector } from './resident.ts';
import { Residents } from './residents.ts';
import { RowSearch } from './row-search.ts';
import type { Snapshot } from './snapshot.ts';
import { TermScale } from './term-scale.ts';

export type { SimilarIssue } from './most-similar.ts';

/** An issue as it enters the corpus. Its text is read and not kept. */
export interface CorpusDocument {
  id: string;
  /** The project it belongs to. */
  group: string;
  title: string;
  /** The description as written. */
  body: string;
  /** What the embedder made of `textForEmbedding(title, body)`, or null while there is none. */
  vector: Float32Array | null;
  /** Milliseconds since 1970: the older issue of a pair comes first. */
  createdAt: number;
  /** Who wrote it: two issues of one person are rarely one. */
  author?: string | null;
}

/** What `similar` looks for: an issue of the corpus, or a text that need not be in it. */
export type SimilarQuery = { id: string } | { title: string; body: string; vector: Float32Array | null };

/**
 * The issues of one account, held ready for comparing: counted terms, an inverted index and vectors, no texts.
 *
 * All scores follow one snapshot, the empty one at first; whoever wants stable scores takes one when the account has
 * changed enough, stores it and uses it from then on. Similarities do not depend on the order in which issues came.
 */
export class Corpus {
  readonly #pool: NeighbourPool;
  readonly #dimensions: number;
  readonly #residents = new Residents();
  readonly #search = new RowSearch(this.#residents);
  readonly #terms: TermScale;
  #lists: PairLists | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  /** `dimensions` is the length of every vector; the pool stays the caller's to close. */
  constructor(options: { neighbours: NeighbourPool; dimensions: number }) {
    this.#pool = options.neighbours;
    this.#dimensions = options.dimensions;
    this.#terms = new TermScale(options.dimensions);
  }

  /** How many issues it holds. */
  get size(): number {
    return this.#residents.size;
  }

  /**
   * Adds issues, and replaces those whose id is known.
   * @throws {RangeError} when a vector has another length than the corpus expects; nothing is changed then.
   */
  put(documents: readonly CorpusDocument[]): void {
    for (const { id, vector } of documents) this.#checkVector(id, vector);
    for (const document of documents) this.#changed(this.#residents.put(this.#terms.read(document)));
  }

  /**
   * Gives an issue its vector; an id that is not there (any more) is passed over.
   * @throws {RangeError} when the vector has another length than the corpus expects.
   */
  setVector(id: string, vector: Float32Array): void {
    this.#checkVector(id, vector);
    const slot = this.#residents.slotOf(id);
    const resident = this.#residents.at(slot);
    if (resident === null) return;
    resident.vector = unitVector(vector);
    rescale(resident, this.#terms.scale);
    this.#search.vectorChanged(slot);
    this.#lists?.changed(slot);
  }

  /** Removes issues; unknown ids are passed over. */
  delete(ids: readonly string[]): void {
    for (const id of ids) {
      const slot = this.#residents.remove(id);
      if (slot >= 0) this.#changed(slot);
    }
  }

  /** Whether it holds the issue. */
  has(id: string): boolean {
    return this.#residents.slotOf(id) >= 0;
  }

  /** What its issues say. */
  get words(): CorpusWords {
    return new CorpusWords(this.#residents, this.#terms);
  }

  /** The ids of all issues. */
  ids(): string[] {
    return this.#residents.ids();
  }

  /** The vector of an issue, of length 1; null without one. */
  vectorOf(id: string): Float32Array | null {
    return this.#residents.at(this.#residents.slotOf(id))?.vector ?? null;
  }

  /** The same about the account's mean, of length 1 again, as vectors are compared; null for one that is the mean. */
  directionOf(id: string): Float32Array | null {
    const resident = this.#residents.at(this.#residents.slotOf(id));
    if (!resident || resident.vector === null || resident.reach === 0) return null;
    const { center } = this.#terms.scale;
    return resident.vector.map((value, at) => (value - (center[at] ?? 0)) / resident.reach);
  }

  /** The ids of the issues that have no vector yet. */
  withoutVector(): string[] {
    return this.ids().filter((id) => this.#residents.at(this.#residents.slotOf(id))?.vector === null);
  }

  /** A snapshot of what is held now: the mean of the vectors and how many issues use each term. */
  takeSnapshot(version: number): Snapshot {
    return this.#terms.snapshotOf(this.#residents, version);
  }

  /**
   * Makes all later scores follow this snapshot and no other.
   * @throws {RangeError} when it was taken of vectors of another length.
   */
  useSnapshot(snapshot: Snapshot): void {
    if (snapshot.mean.length !== this.#dimensions) {
      throw new RangeError(
        `This snapshot is of vectors of ${snapshot.mean.length} numbers, the corpus has ${this.#dimensions}. Take a new one.`,
      );
    }
    this.#terms.use(snapshot);
    for (const slot of this.#residents.slots()) {
      const resident = this.#residents.at(slot);
      if (resident !== null) rescale(resident, this.#terms.scale);
    }
    this.#search.rescaled();
    this.#lists = null;
  }

  /**
   * The pairs worth storing: of each issue the `perGroup` best of its own group and the `overall` best of all, as far as
   * they reach `floor` (above 0). A pair is there when it is in the list of either end, and once. With `changed`, the
   * pairs of which one end is among these ids: exactly those that the full answer would hold for them.
   *
   * Exact: candidates come from the words and from the vectors, and are bounded so that none is missed. The lists are
   * kept, so that asking again after a few changes is quick; the first time costs a full search either way. Issues may be
   * put and removed while it runs. In no particular order.
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
   * The issues most similar to one of the corpus or to a text, best first, at most `limit` of those that `filter` lets
   * through and that reach `floor`, those without any likeness left out. Exact over all issues. An id that is not there
   * finds nothing.
   * @throws {RangeError} when the vector has another length than the corpus expects.
   */
  async similar(
    query: SimilarQuery,
    options: { limit: number; floor?: number; filter?: (id: string, group: string) => boolean },
  ): Promise<SimilarIssue[]> {
    const resident =
      'id' in query ? this.#residents.at(this.#residents.slotOf(query.id)) : this.#readQuery(query);
    if (resident === null || options.limit <= 0) return [];
    const { limit, floor, filter } = options;
    const [residents, search, scale] = [this.#residents, this.#search, this.#terms.scale];
    return mostSimilar({ query: resident, residents, search, scale, limit, floor, filter });
  }

  /**
   * How similar a text is to each of several others, issues of the corpus or texts, in their order; null for an id that
   * is not there. A text without a vector is compared by words.
   * @throws {RangeError} when a vector has another length than the corpus expects.
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
      const resident =
        'id' in other ? this.#residents.at(this.#residents.slotOf(other.id)) : strangers.next().value;
      return resident ? comparePair(read.first, resident, read.scale).similarity : null;
    });
  }

  /**
   * Returns what an older issue and a newer one show of being one issue; null for an id that is not there. `best` says
   * how they stand among the others.
   */
  features(
    olderId: string,
    newerId: string,
    { similarity, best }: { similarity: number; best: BestOthers },
  ): TextFeatures | null {
    const [older, newer] = [olderId, newerId].map((id) => this.#residents.at(this.#residents.slotOf(id)));
    if (!older || !newer) return null;
    return textFeatures(older, newer, similarity, best, this.#terms.scale);
  }

  /**
   * Returns what a text that may become an issue shows of being one with each of the issues found for it, in their order.
   * @throws {RangeError} if the vector has another length than the corpus expects.
   */
  async weigh(
    text: { title: string; body: string; vector: Float32Array | null },
    found: readonly { id: string; similarity: number }[],
  ): Promise<{ id: string; similarity: number; features: TextFeatures }[]> {
    this.#checkVector('The query', text.vector);
    const { first: newer, scale } = this.#terms.readTogether(text, []);
    const weighed: { id: string; similarity: number; features: TextFeatures }[] = [];
    for (const { id, similarity } of found) {
      const older = this.#residents.at(this.#residents.slotOf(id));
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
    this.#lists = new PairLists(this.#residents, this.#search, this.#terms.scale, limits);
    return this.#lists;
  }

  #scored(lists: PairLists, changed: readonly string[] | undefined): PairTable {
    const wanted = changed === undefined ? null : new Set(changed.map((id) => this.#residents.slotOf(id)));
    const pairs = new PairTable();
    lists.eachPair((slot, other) => {
      if (wanted !== null && !wanted.has(slot) && !wanted.has(other)) return;
      const [first, second] = [this.#residents.at(slot), this.#residents.at(other)];
      if (first === null || second === null) return;
      const [a, b, slotA, slotB] = isOlder(first, second)
        ? [first, second, slot, other]
        : [second, first, other, slot];
      const { similarity } = comparePair(a, b, this.#terms.scale);
      const among = { before: b.createdAt, inGroup: a.group === b.group };
      const ofNewer = lists.othersOf(slotB, similarity, { ...among, except: slotA });
      const ofOlder = lists.othersOf(slotA, similarity, { ...among, except: slotB });
      const best = { newer: ofNewer.best, nearer: ofNewer.nearer, older: ofOlder.best };
      const features = textFeatures(a, b, similarity, best, this.#terms.scale);
      pairs.add(a.id, b.id, {
        similarity,
        logOdds: textLogOdds(features),
        isMutualBest: isMutualBest(features),
      });
    });
    return pairs;
  }

  #readQuery(query: { title: string; body: string; vector: Float32Array | null }): Resident {
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

function isOlder(first: Resident, second: Resident): boolean {
  return first.createdAt < second.createdAt || (first.createdAt === second.createdAt && first.id < second.id);
}
