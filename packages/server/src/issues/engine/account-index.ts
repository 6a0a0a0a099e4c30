import { createHash } from 'node:crypto';
import { type Calibration, calibrated } from '@winnow/analysis/calibration';
import { textForEmbedding } from '@winnow/analysis/clean';
import { Corpus, type CorpusDocument } from '@winnow/analysis/corpus';
import type { CorpusWords } from '@winnow/analysis/corpus-words';
import type { Embedder } from '@winnow/analysis/embed';
import {
  isMutualBest,
  probabilityOf,
  type StateOfOlder,
  stateEffect,
  stateOf,
  textLogOdds,
} from '@winnow/analysis/likelihood';
import type { NeighbourPool } from '@winnow/analysis/neighbours';
import type { PairScores } from '@winnow/analysis/pair-table';
import {
  decodeSnapshot,
  encodeSnapshot,
  frequencyOf,
  type Snapshot,
  termWeights,
} from '@winnow/analysis/snapshot';
import { stateAware } from '@winnow/analysis/state-aware';
import type { IssueState } from '@winnow/contract/issue';
import type { Db } from '../../schema/tables.ts';
import { OUTDATED_FINGERPRINT } from '../analysis-state-store.ts';
import { AccountMap } from './account-map.ts';
import type {
  EngineCalls,
  FoundIssue,
  IndexStatus,
  PairColumns,
  SearchedText,
  SimilarFilter,
  SnapshotStatus,
} from './messages.ts';
import * as store from './store.ts';
import { decodeVector } from './vector.ts';
import { vectorFingerprint } from './vector-fingerprint.ts';

const LOAD_BATCH = 500;

/**
 * Number of candidates fetched in addition to the limit. Ranking by state may move some of them
 * into the results.
 */
const RANKED_BY_STATE = 40;

interface IndexedIssue {
  projectId: string;
  contentHash: string;
  createdAtMs: number;
  state: IssueState;
  closedAtMs: number | null;
}

export interface PairLimits {
  perGroup: number;
  overall: number;
  floor: number;
}

/** Index of one account in memory: the terms and vectors of its issues. */
export class AccountIndex {
  readonly #db: Db;
  readonly #accountId: string;
  readonly #corpus: Corpus;
  readonly #embedder: Embedder | null;
  readonly #issues = new Map<string, IndexedIssue>();
  readonly #map: AccountMap;
  readonly #dimensions: number;
  #revision = 0;
  #weights: (term: string) => number = () => 1;
  #frequencyOf: (term: string) => number = () => 1;
  #isLoaded = false;
  /**
   * Number of vectors added since the index was loaded. It is part of the map's version, so that
   * new vectors lead to a new map.
   */
  #embedded = 0;
  #snapshot: SnapshotStatus = { version: 0, documents: 0, vectors: 0, fits: false };

  constructor(options: {
    db: Db;
    accountId: string;
    neighbours: NeighbourPool;
    embedder: Embedder | null;
    dimensions: number;
  }) {
    this.#db = options.db;
    this.#accountId = options.accountId;
    this.#embedder = options.embedder;
    this.#dimensions = options.dimensions;
    this.#corpus = new Corpus({ neighbours: options.neighbours, dimensions: options.dimensions });
    const corpus = this.#corpus;
    this.#map = new AccountMap(
      {
        ids: () => corpus.ids(),
        directionOf: (id) => corpus.directionOf(id),
        vectorOf: (id) => corpus.vectorOf(id),
      },
      options.neighbours,
    );
  }

  get size(): number {
    return this.#issues.size;
  }

  /**
   * Loads new and changed issues from the database, removes deleted issues, and applies the newest
   * snapshot.
   */
  async refresh(): Promise<void> {
    const revision = await store.readRevision(this.#db, this.#accountId);
    if (revision === undefined) {
      this.#isLoaded = true;
      return;
    }
    if (revision !== this.#revision) await this.#takeInChanges();
    this.#revision = revision;
    await this.useStoredSnapshot();
    this.#isLoaded = true;
  }

  /** True if the index contains the newest revision of the database. */
  async isCurrent(): Promise<boolean> {
    const revision = await store.readRevision(this.#db, this.#accountId);
    return this.#isLoaded && (revision ?? 0) === this.#revision;
  }

  /** True once all issues have been loaded. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Returns the state of the index. Lists the issues that still need vectors or pairs. */
  async status(): Promise<Omit<IndexStatus, 'notice'>> {
    const stale = await store.staleIssues(this.#db, this.#accountId);
    return {
      documents: this.#issues.size,
      toAnalyze: stale.flatMap((issueId) => {
        const contentHash = this.#issues.get(issueId)?.contentHash;
        return contentHash === undefined ? [] : [{ issueId, contentHash }];
      }),
      withoutVector: this.#embedder === null ? [] : this.#corpus.withoutVector(),
      snapshot: this.#snapshot,
    };
  }

  /** Computes and stores the vectors of issues. Skips issues that are not in the index. */
  async embed(issueIds: readonly string[]): Promise<number> {
    const embedder = this.#embedder;
    if (embedder === null) return 0;
    const wanted = issueIds.filter((id) => this.#issues.has(id));
    const texts = await store.textsOf(this.#db, this.#accountId, wanted);
    const vectors = await embedder.embed(texts.map((text) => textForEmbedding(text.title, text.description)));
    const rows = texts.flatMap((text, index) => {
      const vector = vectors[index];
      return vector ? [{ issueId: text.id, textHash: textHash(text), vector }] : [];
    });
    if (rows.length === 0) return 0;
    await store.storeVectors(this.#db, this.#accountId, vectorFingerprint(embedder), rows);
    for (const { issueId, vector } of rows) {
      if (this.#corpus.has(issueId)) this.#corpus.setVector(issueId, vector);
    }
    this.#embedded += rows.length;
    return rows.length;
  }

  /** Takes a snapshot of the index, stores it and applies it. */
  async takeSnapshot(): Promise<number> {
    const snapshot = this.#corpus.takeSnapshot(this.#snapshot.version + 1);
    const fingerprint = this.#fingerprint();
    await store.storeSnapshot(this.#db, this.#accountId, {
      version: snapshot.version,
      bytes: encodeSnapshot(snapshot),
      fingerprint,
    });
    this.#use(snapshot, fingerprint);
    return snapshot.version;
  }

  /**
   * Returns the best pairs that contain at least one of these issues. With null, considers all
   * issues.
   */
  async pairs(issueIds: readonly string[] | null, limits: PairLimits): Promise<PairColumns> {
    const pairs = await this.#corpus.pairs({
      ...limits,
      ...(issueIds === null ? {} : { changed: issueIds }),
    });
    return pairs.columns();
  }

  /**
   * Returns the score of each given pair, in the same order. All scores are null before the first
   * snapshot.
   */
  scorePairs(pairs: readonly (readonly [string, string])[], limits: PairLimits): (PairScores | null)[] {
    return this.#snapshot.version === 0 ? pairs.map(() => null) : this.#corpus.scoresOf(pairs, limits);
  }

  async similar(issueId: string, filter: SimilarFilter): Promise<{ issueId: string; similarity: number }[]> {
    const projects = filter.projectIds && new Set(filter.projectIds);
    const own = this.#issues.get(issueId);
    const at = filter.createdBeforeMs ?? own?.createdAtMs ?? 0;
    const found = await this.#corpus.similar(
      { id: issueId },
      {
        limit: filter.limit + RANKED_BY_STATE,
        filter: (id, project) => {
          const other = this.#issues.get(id);
          if (!other || id === issueId) return false;
          if (projects !== null && !projects.has(project)) return false;
          if (filter.state !== null && other.state !== filter.state) return false;
          return filter.createdBeforeMs === null || other.createdAtMs < filter.createdBeforeMs;
        },
      },
    );
    // If a time is given, an issue that was closed after that time counts as open.
    const closedUntil = filter.createdBeforeMs ?? Number.POSITIVE_INFINITY;
    return this.#byState(found, at, closedUntil)
      .slice(0, filter.limit)
      .map(({ id, similarity }) => ({ issueId: id, similarity }));
  }

  /**
   * Returns the issues that are most similar to a text, best first. Without a vector of the text,
   * compares only words.
   */
  async search(
    text: SearchedText & { vector: Float32Array | null },
    options: EngineCalls['search']['request']['filter'] & {
      limit: number;
      floor: number;
      likelihood?: { atMs: number; calibration: Calibration };
    },
  ): Promise<FoundIssue[]> {
    const { state, limit, floor, likelihood } = options;
    const projects = options.projectIds && new Set(options.projectIds);
    const only = options.issueIds && new Set(options.issueIds);
    const found = await this.#corpus.similar(text, {
      limit: likelihood === undefined ? limit : limit + RANKED_BY_STATE,
      floor,
      filter: (id, project) =>
        (projects === null || projects.has(project)) &&
        (only === null || only.has(id)) &&
        (state === null || this.#issues.get(id)?.state === state),
    });
    if (likelihood === undefined) return found.map(({ id, similarity }) => ({ issueId: id, similarity }));
    const ranked = this.#byState(found, likelihood.atMs, Number.POSITIVE_INFINITY).slice(0, limit);
    return this.#byLikelihood(text, ranked, likelihood);
  }

  /**
   * Ranks issues by similarity and state. Open issues rank higher, because users report them again
   * more often than issues closed long ago.
   */
  #byState<Found extends { id: string; similarity: number }>(
    found: readonly Found[],
    at: number,
    closedUntil: number,
  ): Found[] {
    const ranked = found.map((each) => {
      return { each, score: stateAware(each.similarity, this.#stateOf(each.id, at, closedUntil)) };
    });
    ranked.sort((a, b) => b.score - a.score || (a.each.id < b.each.id ? -1 : 1));
    return ranked.map(({ each }) => each);
  }

  /** Ranks issues by the probability that a text written at `atMs` reports the same problem. */
  async #byLikelihood(
    text: SearchedText & { vector: Float32Array | null },
    found: readonly { id: string; similarity: number }[],
    { atMs, calibration }: { atMs: number; calibration: Calibration },
  ): Promise<FoundIssue[]> {
    const weighed = await this.#corpus.weigh(text, found);
    return weighed
      .map(({ id, similarity, features }) => {
        const state = this.#stateOf(id, atMs, Number.POSITIVE_INFINITY);
        const logOdds = textLogOdds(features) + stateEffect(state);
        const isEqual = features.identical === 1;
        const probability = probabilityOf(isEqual ? logOdds : calibrated(logOdds, calibration));
        return { issueId: id, similarity, likelihood: { probability, isMutualBest: isMutualBest(features) } };
      })
      .sort((a, b) => b.likelihood.probability - a.likelihood.probability || b.similarity - a.similarity);
  }

  #stateOf(issueId: string, at: number, closedUntil: number): StateOfOlder {
    const issue = this.#issues.get(issueId);
    const closedAt = issue?.closedAtMs ?? null;
    const isClosed = issue?.state === 'closed' && (closedAt ?? 0) <= closedUntil;
    return stateOf({ isClosed, closedAt }, at);
  }

  /** Returns the map of the account's issues for which the filter returns true. */
  map(
    filter: EngineCalls['map']['request']['filter'],
    withVectors: boolean,
  ): Promise<NonNullable<EngineCalls['map']['answer']>> {
    const projects = filter.projectIds && new Set(filter.projectIds);
    const issues: { id: string; projectId: string }[] = [];
    for (const [id, { projectId, state }] of this.#issues) {
      if (filter.state !== null && state !== filter.state) continue;
      if (projects === null || projects.has(projectId)) issues.push({ id, projectId });
    }
    const version = [this.#revision, this.#snapshot.version, this.#embedded].join(' ');
    return this.#map.draw(version, issues, withVectors);
  }

  /**
   * Returns the similarity of a text to each issue, null for an issue that is not in the index.
   * Also returns its similarity to each other text, compared by words only.
   */
  compare(
    text: SearchedText & { vector: Float32Array | null },
    others: readonly ({ id: string } | SearchedText)[],
  ): (number | null)[] {
    return this.#corpus.compare(
      text,
      others.map((other) => ('id' in other ? other : { ...other, vector: null })),
    );
  }

  /**
   * Returns the number of documents in the snapshot. For each term, also returns the number of
   * documents that contain it, at least one.
   */
  frequencies(terms: readonly string[]): { documents: number; occurrences: number[] } {
    const { documents } = this.#snapshot;
    return { documents, occurrences: terms.map((term) => this.#frequencyOf(term)) };
  }

  /**
   * Returns the weight of each term. Terms that are rare among the account's issues have more
   * weight.
   */
  termWeights(): (term: string) => number {
    return this.#weights;
  }

  /** Term index of the account's issues. */
  get words(): CorpusWords {
    return this.#corpus.words;
  }

  has(issueId: string): boolean {
    return this.#issues.has(issueId);
  }

  async #load(issueIds: readonly string[]): Promise<void> {
    const rows = await store.loadIssues(this.#db, this.#accountId, this.#fingerprint() ?? '', issueIds);
    this.#corpus.put(
      rows.map((row): CorpusDocument => {
        const current = row.vector !== null && row.text_hash?.equals(textHash(row)) === true;
        return {
          id: row.id,
          group: row.project_id,
          title: row.title,
          body: row.description,
          vector: current && row.vector ? decodeVector(row.vector) : null,
          createdAt: row.created_at.getTime(),
          author: row.author,
        };
      }),
    );
    for (const row of rows) {
      this.#issues.set(row.id, {
        projectId: row.project_id,
        contentHash: row.content_hash,
        createdAtMs: row.created_at.getTime(),
        state: row.state,
        closedAtMs: row.closed_at?.getTime() ?? null,
      });
    }
  }

  async #takeInChanges(): Promise<void> {
    const changed = await store.issuesSince(this.#db, this.#accountId, this.#revision);
    const requests = changed.filter((row) => row.issue_type === 'change_request').map((row) => row.id);
    this.#drop(requests.filter((id) => this.#issues.has(id)));
    const issues = changed.filter((row) => row.issue_type !== 'change_request').map((row) => row.id);
    for (let start = 0; start < issues.length; start += LOAD_BATCH) {
      await this.#load(issues.slice(start, start + LOAD_BATCH));
    }
    const count = await store.countComparable(this.#db, this.#accountId);
    if (count < this.#issues.size) await this.#dropDeleted();
  }

  async #dropDeleted(): Promise<void> {
    const there = await store.issueIdsOf(this.#db, this.#accountId);
    this.#drop([...this.#issues.keys()].filter((id) => !there.has(id)));
  }

  #drop(issueIds: readonly string[]): void {
    this.#corpus.delete(issueIds);
    for (const id of issueIds) this.#issues.delete(id);
  }

  /** Applies the newest stored snapshot, unless it is already applied. */
  async useStoredSnapshot(): Promise<void> {
    const row = await store.snapshotOtherThan(this.#db, this.#accountId, this.#snapshot.version);
    if (row?.snapshot) this.#use(decodeSnapshot(row.snapshot), row.fingerprint);
  }

  /**
   * Applies a snapshot. If it was taken with another embedding model, ignores its mean vector,
   * because vectors of different models must not be compared.
   */
  #use(stored: Snapshot, fingerprint: string | null): void {
    const fits = fingerprint === this.#fingerprint();
    const isOutdated = fingerprint === OUTDATED_FINGERPRINT && stored.mean.length === this.#dimensions;
    const snapshot =
      fits || isOutdated ? stored : { ...stored, vectors: 0, mean: new Float32Array(this.#dimensions) };
    this.#corpus.useSnapshot(snapshot);
    this.#weights = termWeights(snapshot);
    this.#frequencyOf = (term) => frequencyOf(snapshot, term);
    const { version, documents, vectors } = snapshot;
    this.#snapshot = { version, documents, vectors, fits };
  }

  #fingerprint(): string | null {
    return this.#embedder === null ? null : vectorFingerprint(this.#embedder);
  }
}

/** Returns the hash of the text from which a vector is computed. */
function textHash(issue: { title: string; description: string }): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([issue.title, issue.description]))
    .digest();
}
