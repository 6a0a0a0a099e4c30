import type { ImplyingTexts, ReadIssue } from '@winnow/analysis/dependencies';
import type { Evidence } from '@winnow/analysis/explain';
import type { JudgedIssue, Judgment } from '@winnow/analysis/judge';
import type { Criterion, EvaluatedIssue, Evaluation, Improvement } from '@winnow/analysis/readiness';
import type { DeconflictSuggestion, MergeSuggestion, SuggestedIssue } from '@winnow/analysis/suggest';
import type { IssueState } from '@winnow/contract/issue';
import type pg from 'pg';
import type { LogLevel } from '../../platform/config.ts';

/** What the engine's thread is started with. */
export interface EngineThreadData {
  connection: string | pg.PoolConfig;
  logLevel: LogLevel;
}

/** What a snapshot was taken of. */
export interface SnapshotStatus {
  version: number;
  documents: number;
  vectors: number;
  /** It was taken with the kind of vector that is used now. */
  fits: boolean;
}

/** What stands in the resident index of an account after it was brought up to date. */
export interface ResidentStatus {
  documents: number;
  /** Issues whose stored pairs are older than their text, with the hash of the text that is resident. */
  toAnalyze: { issueId: string; contentHash: string }[];
  /** Issues that have no vector yet; always empty when the model cannot be loaded. */
  withoutVector: string[];
  /** Why vectors are missing, in a sentence; null when nothing is. */
  notice: string | null;
  /** The snapshot in use; version 0 for none. */
  snapshot: SnapshotStatus;
}

/** Pairs as columns: `issues[first[i]]` and `issues[second[i]]` are similar by `similarity[i]`. */
export interface PairColumns {
  issues: string[];
  first: Uint32Array<ArrayBuffer>;
  second: Uint32Array<ArrayBuffer>;
  similarity: Float32Array<ArrayBuffer>;
}

export interface SimilarFilter {
  createdBeforeMs: number | null;
  state: IssueState | null;
  /** Null for all projects of the account. */
  projectIds: string[] | null;
  limit: number;
}

/** A text that is searched for: its first line, and the rest. */
export interface SearchedText {
  title: string;
  body: string;
}

/** One issue has to be finished before another, by ids, as a text says or implies. */
export interface DependencyInTexts {
  source: string;
  dependent: string;
  reason: string;
  confidence: number;
}

/** What the texts of an issue say of dependencies. */
export interface DependencyReading {
  issueId: string;
  key: string;
  /** In any direction, also between two other issues of the tracker. */
  stated: DependencyInTexts[];
  /** Keys that the texts name and no issue of the tracker has. */
  missing: string[];
  texts: ImplyingTexts;
}

/** An issue whose texts were read. */
export interface SettledReading extends ReadIssue {
  /** What its texts imply was looked for already. */
  isSettled: boolean;
}

/** Everything the engine's thread can be asked, with what it answers. */
export interface EngineCalls {
  /** Brings the resident index in line with the database. */
  refresh: { request: { accountId: string }; answer: ResidentStatus };
  /** Embeds these issues and stores their vectors; answers how many there were. */
  embed: { request: { accountId: string; issueIds: string[] }; answer: number };
  /** Takes a new snapshot of what is resident, stores it and uses it; answers its version. */
  takeSnapshot: { request: { accountId: string }; answer: number };
  /** The pairs of these issues, or of all. */
  pairs: { request: { accountId: string; issueIds: string[] | null }; answer: PairColumns };
  similar: {
    request: { accountId: string; issueId: string; filter: SimilarFilter };
    answer: { results: { issueId: string; similarity: number }[]; modelUsed: string };
  };
  /**
   * The issues nearest to a text, best first, without waiting for other work of the account; `notice` says in a sentence
   * what the search had to do without. Null when the account's index is still being loaded. With `completeWithinMs` nothing
   * is left out that is stored when the search begins, and the text is embedded wherever there is a model: null when that
   * takes longer.
   */
  search: {
    request: {
      accountId: string;
      text: SearchedText;
      /** `issueIds`: none but these; any when null. */
      filter: { projectIds: string[] | null; state: IssueState | null; issueIds: string[] | null };
      limit: number;
      floor: number;
      completeWithinMs?: number;
    };
    answer: { results: { issueId: string; similarity: number }[]; notice: string | null } | null;
  };
  /** How similar a text is to each of these, in their order, null for what is not known; null when the index is loading. */
  compare: {
    request: { accountId: string; text: SearchedText; others: ({ id: string } | SearchedText)[] };
    answer: (number | null)[] | null;
  };
  /** In how many issues each term occurs, as the snapshot has it; null when the index is loading. */
  frequencies: {
    request: { accountId: string; terms: string[] };
    answer: { documents: number; occurrences: number[] } | null;
  };
  /**
   * Where issues lie on the map of their account, and the theme each belongs to, -1 for none; `missing` counts those without
   * a vector, `cappedAt` says how many are drawn when not all are. Null when the index is loading.
   */
  map: {
    request: {
      accountId: string;
      filter: { projectIds: string[] | null; state: IssueState | null };
      withVectors: boolean;
    };
    answer: {
      points: { issueId: string; x: number; y: number; theme: number; vector?: Float32Array }[];
      missing: number;
      cappedAt: number | null;
    } | null;
  };
  /** Indexes a batch of changed texts for being found by their words; answers how many, 0 when all are. */
  indexWords: { request: { accountId: string }; answer: number };
  explain: {
    request: {
      accountId: string;
      first: { title: string; body: string };
      second: { title: string; body: string };
    };
    answer: Evidence;
  };
  /** What the two issues of each pair are to each other, in the order of the pairs. */
  judge: {
    request: {
      accountId: string;
      pairs: { first: JudgedIssue; second: JudgedIssue; similarity: number }[];
    };
    answer: Judgment[];
  };
  /** What the texts of these issues say of dependencies, comments included; without those that are gone, and change requests. */
  readDependencies: {
    request: { accountId: string; issueIds: string[] };
    answer: DependencyReading[];
  };
  /**
   * What the texts of issues imply for `issueIds`, and for others of these that `isSettled`, where what they ask for may be
   * in one of them: of all that were `looked` at everything is found. `readings` are all that the account has.
   */
  impliedDependencies: {
    request: { accountId: string; readings: SettledReading[]; issueIds: string[] };
    answer: { looked: string[]; found: DependencyInTexts[] };
  };
  /** How issues stand by criteria, in their order. */
  evaluate: {
    request: { issues: EvaluatedIssue[]; criteria: readonly Criterion[] };
    answer: Evaluation[];
  };
  /** Texts by which an issue would stand better. */
  improve: {
    request: { issue: EvaluatedIssue; evaluation: Evaluation; criteria: readonly Criterion[] };
    answer: Improvement;
  };
  /** One text for two issues, the second merged into the first. */
  suggestMerge: {
    request: { accountId: string; first: SuggestedIssue; second: SuggestedIssue };
    answer: MergeSuggestion;
  };
  /** Texts by which two issues are told apart. */
  suggestDeconflict: {
    request: { accountId: string; first: SuggestedIssue; second: SuggestedIssue };
    answer: DeconflictSuggestion;
  };
}

export type EngineMethod = keyof EngineCalls;
/** A call on its way to the thread. */
export type EngineRequest = {
  [M in EngineMethod]: { id: number; method: M; request: EngineCalls[M]['request'] };
}[EngineMethod];
/** What comes back. */
export type EngineAnswer =
  | { id: number; answer: EngineCalls[EngineMethod]['answer'] }
  | {
      id: number;
      error: { name: string; message: string; stack: string | undefined };
      /** The database is the reason, and the same call may succeed later. */
      databaseIsAway: boolean;
    };
