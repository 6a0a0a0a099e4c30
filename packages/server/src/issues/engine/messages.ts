import type { Calibration } from '@winnow/analysis/calibration';
import type { ImplyingTexts, ReadIssue } from '@winnow/analysis/dependencies';
import type { Evidence } from '@winnow/analysis/explain';
import type { PairScores } from '@winnow/analysis/pair-table';
import type { Criterion, EvaluatedIssue, Evaluation, Improvement } from '@winnow/analysis/readiness';
import type { Series } from '@winnow/analysis/series';
import type { DeconflictSuggestion, MergeSuggestion, SuggestedIssue } from '@winnow/analysis/suggest';
import type { JudgedIssue, PairLikelihood, RuleVerdict } from '@winnow/analysis/verdict';
import type { IssueState } from '@winnow/contract/issue';
import type pg from 'pg';
import type { LogLevel } from '../../platform/config.ts';

/** Start-up data of the engine thread. */
export interface EngineThreadData {
  connection: string | pg.PoolConfig;
  logLevel: LogLevel;
  /** Folder of the embedding model. Default: the included model. */
  embeddingModelDir?: string | null;
  /** Idle time after which the model is unloaded. Default 10 seconds. */
  modelIdleMs?: number;
}

/** Contents of a snapshot. */
export interface SnapshotStatus {
  version: number;
  documents: number;
  vectors: number;
  /** True if it was taken with the current embedding model and text cleaning. */
  fits: boolean;
}

/** State of an account's index after a refresh. */
export interface IndexStatus {
  documents: number;
  /**
   * Issues whose stored pairs are older than their text, with the hash of the text in the index.
   */
  toAnalyze: { issueId: string; contentHash: string }[];
  /** Issues without a vector. Always empty if the model cannot be loaded. */
  withoutVector: string[];
  /** Sentence explaining missing vectors, or null. */
  notice: string | null;
  /** Snapshot in use; version 0 means none. */
  snapshot: SnapshotStatus;
}

/**
 * Pairs as columns: entry `i` of each array belongs to pair `i`. `first` and `second` are positions
 * in `issues`. `logOdds` is for the pair being duplicates, ignoring the state of the older issue.
 * `isMutualBest` is 1 if each issue is the best match of the other.
 */
export interface PairColumns {
  issues: string[];
  first: Uint32Array<ArrayBuffer>;
  second: Uint32Array<ArrayBuffer>;
  similarity: Float32Array<ArrayBuffer>;
  logOdds: Float32Array<ArrayBuffer>;
  isMutualBest: Uint8Array<ArrayBuffer>;
}

export interface SimilarFilter {
  createdBeforeMs: number | null;
  state: IssueState | null;
  /** Null for all projects of the account. */
  projectIds: string[] | null;
  limit: number;
}

/** Search text: its first line and the rest. */
export interface SearchedText {
  title: string;
  body: string;
}

/** A dependency between two issues, by id, that a text states or implies. */
export interface DependencyInTexts {
  source: string;
  dependent: string;
  reason: string;
  confidence: number;
}

/** Dependencies found in the texts of an issue. */
export interface DependencyReading {
  issueId: string;
  key: string;
  /**
   * Stated dependencies in either direction. An issue's text may also state one between two other
   * issues.
   */
  stated: DependencyInTexts[];
  /** Keys mentioned in the texts that match no issue of the tracker. */
  missing: string[];
  /** Originals stated in comments, from the oldest comment to the newest. */
  originals: StatedOriginalOf[];
  texts: ImplyingTexts;
}

/** Statement of a comment about the original of its issue. */
interface StatedOriginalOf {
  /** Null if the comment denies that the issue is a duplicate. */
  originalId: string | null;
  by: string;
  quote: string;
}

/** An issue whose texts were read. */
export interface SettledReading extends ReadIssue {
  /** True if its implied dependencies have been searched already. */
  isSettled: boolean;
}

/** An issue found for a text. `likelihood` is set if the search requested it. */
export interface FoundIssue {
  issueId: string;
  similarity: number;
  likelihood?: { probability: number; isMutualBest: boolean };
}

/** All calls to the engine thread, with their results. */
export interface EngineCalls {
  /** Brings the index up to date with the database. */
  refresh: { request: { accountId: string }; answer: IndexStatus };
  /**
   * Embeds issues and stores their vectors. Returns the number of vectors stored, and a notice for
   * the user if the embedding model is unavailable (otherwise null).
   */
  embed: {
    request: { accountId: string; issueIds: string[] };
    answer: { stored: number; notice: string | null };
  };
  /** Takes, stores and applies a new snapshot. Returns its version. */
  takeSnapshot: { request: { accountId: string }; answer: number };
  /** Returns the best pairs that contain one of these issues. Null means all issues. */
  pairs: { request: { accountId: string; issueIds: string[] | null }; answer: PairColumns };
  /**
   * Returns the scores of single pairs in the same order, computed as for `pairs`. Null if an issue
   * of the pair has no vector yet or is not compared.
   */
  scorePairs: {
    request: { accountId: string; pairs: (readonly [string, string])[] };
    answer: (PairScores | null)[];
  };
  /** Returns the series among the account's issues. */
  series: { request: { accountId: string }; answer: Series[] };
  similar: {
    request: { accountId: string; issueId: string; filter: SimilarFilter };
    answer: { results: { issueId: string; similarity: number }[]; modelUsed: string };
  };
  /**
   * Returns the issues nearest to a text, best first, without waiting for other calls of the
   * account. `notice` explains what was unavailable. Null while the index is loading. With
   * `completeWithinMs` the search covers everything stored at its start, and uses the model if one
   * is available. It returns null if that takes longer.
   */
  search: {
    request: {
      accountId: string;
      text: SearchedText;
      /** `issueIds` restricts the search to these issues; null means all. */
      filter: { projectIds: string[] | null; state: IssueState | null; issueIds: string[] | null };
      limit: number;
      floor: number;
      completeWithinMs?: number;
      /** If set, ranks by the probability that the text, written at `atMs`, repeats an issue. */
      likelihood?: { atMs: number; calibration: Calibration };
    };
    answer: { results: FoundIssue[]; notice: string | null } | null;
  };
  /**
   * Returns the similarity of a text to each of `others`, null if unknown. Null while the index is
   * loading.
   */
  compare: {
    request: { accountId: string; text: SearchedText; others: ({ id: string } | SearchedText)[] };
    answer: (number | null)[] | null;
  };
  /**
   * Returns the document frequency of each term in the snapshot. Null while the index is loading.
   */
  frequencies: {
    request: { accountId: string; terms: string[] };
    answer: { documents: number; occurrences: number[] } | null;
  };
  /**
   * Returns the positions of issues on the account's map. `theme` is -1 for an issue without one,
   * and `missing` counts issues without a vector. `cappedAt` is the number of issues drawn, or null
   * if all are drawn. Null while the index is loading.
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
  /**
   * Indexes a batch of changed texts for word search. Returns the size of the batch; 0 if none is
   * left to index.
   */
  indexWords: { request: { accountId: string }; answer: number };
  explain: {
    request: {
      accountId: string;
      first: { title: string; body: string };
      second: { title: string; body: string };
    };
    answer: Evidence;
  };
  /** Returns the words that both titles contain, spelled as in the first title, rarest first. */
  sharedTitleWords: {
    request: {
      accountId: string;
      first: { title: string; body: string };
      second: { title: string; body: string };
    };
    answer: string[];
  };
  /** Returns the relation between the two issues of each pair, in the same order. */
  judge: {
    request: {
      accountId: string;
      pairs: {
        first: JudgedIssue;
        second: JudgedIssue;
        similarity: number;
        likelihood: Omit<PairLikelihood, 'marks'>;
      }[];
    };
    answer: RuleVerdict[];
  };
  /**
   * Reads dependencies from the texts and comments of issues. Omits deleted issues and change
   * requests.
   */
  readDependencies: {
    request: { accountId: string; issueIds: string[] };
    answer: DependencyReading[];
  };
  /**
   * Returns the implied dependencies of `issueIds`, and of settled issues that these may affect.
   * `looked` lists the issues whose search is complete. `readings` must contain all issues of the
   * account.
   */
  impliedDependencies: {
    request: { accountId: string; readings: SettledReading[]; issueIds: string[] };
    answer: { looked: string[]; found: DependencyInTexts[] };
  };
  /** Evaluates issues by criteria. Returns the results in the order of the issues. */
  evaluate: {
    request: { issues: EvaluatedIssue[]; criteria: readonly Criterion[] };
    answer: Evaluation[];
  };
  /** Returns improved texts for an issue. */
  improve: {
    request: { issue: EvaluatedIssue; evaluation: Evaluation; criteria: readonly Criterion[] };
    answer: Improvement;
  };
  /** Returns one text for two issues, with the second merged into the first. */
  suggestMerge: {
    request: { accountId: string; first: SuggestedIssue; second: SuggestedIssue };
    answer: MergeSuggestion;
  };
  /** Returns edited texts for two issues that make the difference between them clear. */
  suggestDeconflict: {
    request: { accountId: string; first: SuggestedIssue; second: SuggestedIssue };
    answer: DeconflictSuggestion;
  };
}

export type EngineMethod = keyof EngineCalls;
/** A call sent to the thread. */
export type EngineRequest = {
  [M in EngineMethod]: { id: number; method: M; request: EngineCalls[M]['request'] };
}[EngineMethod];
/** The thread's response. */
export type EngineAnswer =
  | { id: number; answer: EngineCalls[EngineMethod]['answer'] }
  | {
      id: number;
      error: { name: string; message: string; stack: string | undefined };
      /** True if the database was unreachable, so that the same call may succeed later. */
      databaseIsAway: boolean;
    };
