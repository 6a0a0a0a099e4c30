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

/** Data that the engine thread gets when it starts. */
export interface EngineThreadData {
  connection: string | pg.PoolConfig;
  logLevel: LogLevel;
  /** Folder of the embedding model. Default: the included model. */
  embeddingModelDir?: string | null;
  /** Idle time after which the model is unloaded. Default: 10 seconds. */
  modelIdleMs?: number;
}

/** Contents of a snapshot. */
export interface SnapshotStatus {
  version: number;
  documents: number;
  vectors: number;
  /**
   * True if the snapshot was taken with the current embedding model and the current method of
   * cleaning texts.
   */
  fits: boolean;
}

/** State of an account's index after it was refreshed. */
export interface IndexStatus {
  documents: number;
  /**
   * Issues whose stored pairs are outdated, because their text has changed. Each has the hash of
   * its text in the index.
   */
  toAnalyze: { issueId: string; contentHash: string }[];
  /** Issues that have no vector yet. Always empty if the embedding model cannot be loaded. */
  withoutVector: string[];
  /** Sentence that explains why vectors are missing. Null if none are missing. */
  notice: string | null;
  /** Snapshot that the index uses. Version 0 means that none was taken yet. */
  snapshot: SnapshotStatus;
}

/**
 * Pairs in columns: entry `i` of each array belongs to pair `i`. `first` and `second` are positions
 * in the array `issues`.
 *
 * `logOdds` are the log-odds that both issues describe the same problem, before the state of the
 * older issue is considered. `isMutualBest` is 1 if each issue is the best match of the other.
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
  /** Ids of the projects to include. Null: all projects of the account. */
  projectIds: string[] | null;
  limit: number;
}

/** Search text, split into its first line (title) and the remaining text. */
export interface SearchedText {
  title: string;
  body: string;
}

/** A dependency that a text states or implies. Both issues are given by id. */
export interface DependencyInTexts {
  source: string;
  dependent: string;
  reason: string;
  confidence: number;
}

/** Dependencies that were found in the texts of one issue. */
export interface DependencyReading {
  issueId: string;
  key: string;
  /**
   * Dependencies that the texts state, in either direction. They may also concern two other issues.
   */
  stated: DependencyInTexts[];
  /** Issue keys that the texts mention, but that no issue of the tracker has. */
  missing: string[];
  /** Originals that comments name, from the oldest comment to the newest. */
  originals: StatedOriginalOf[];
  texts: ImplyingTexts;
}

/** A comment's statement that its issue is, or is not, a duplicate. */
interface StatedOriginalOf {
  /**
   * Id of the original that the comment names. Null if the comment denies that the issue is a
   * duplicate.
   */
  originalId: string | null;
  by: string;
  quote: string;
}

/** An issue whose texts have been read for dependencies. */
export interface SettledReading extends ReadIssue {
  /** True if the search for implied dependencies of this issue is already complete. */
  isSettled: boolean;
}

/** An issue found for a text. `likelihood` is set only if the search requested it. */
export interface FoundIssue {
  issueId: string;
  similarity: number;
  likelihood?: { probability: number; isMutualBest: boolean };
}

/** All methods of the engine thread, with their parameters and results. */
export interface EngineCalls {
  /** Updates the index of an account from the database. */
  refresh: { request: { accountId: string }; answer: IndexStatus };
  /**
   * Computes and stores the vectors of issues. Returns the number of vectors stored. `notice` is a
   * message for the user if the embedding model is unavailable, otherwise null.
   */
  embed: {
    request: { accountId: string; issueIds: string[] };
    answer: { stored: number; notice: string | null };
  };
  /** Takes a new snapshot of the index, stores it and applies it. Returns its version. */
  takeSnapshot: { request: { accountId: string }; answer: number };
  /**
   * Returns the best pairs that contain at least one of these issues. With null, considers all
   * issues.
   */
  pairs: { request: { accountId: string; issueIds: string[] | null }; answer: PairColumns };
  /**
   * Returns the score of each given pair, in the same order, computed as in `pairs`. Null for a
   * pair if one of its issues has no vector yet, or is of a type that is not compared.
   */
  scorePairs: {
    request: { accountId: string; pairs: (readonly [string, string])[] };
    answer: (PairScores | null)[];
  };
  /** Returns the series of the account: groups of issues whose titles differ in one word. */
  series: { request: { accountId: string }; answer: Series[] };
  similar: {
    request: { accountId: string; issueId: string; filter: SimilarFilter };
    answer: { results: { issueId: string; similarity: number }[]; modelUsed: string };
  };
  /**
   * Returns the issues that are most similar to a text, best first, without waiting for other calls
   * of the account. `notice` explains which part of the search was unavailable. Returns null while
   * the index is loading.
   *
   * With `completeWithinMs`, the search covers all data that was stored when it started, and uses
   * the embedding model if it is available. It returns null if that takes longer.
   */
  search: {
    request: {
      accountId: string;
      text: SearchedText;
      /** Searches only these issues. Null: searches all issues. */
      filter: { projectIds: string[] | null; state: IssueState | null; issueIds: string[] | null };
      limit: number;
      floor: number;
      completeWithinMs?: number;
      /**
       * If set, ranks issues by the probability that the text, written at `atMs`, reports the same
       * problem.
       */
      likelihood?: { atMs: number; calibration: Calibration };
    };
    answer: { results: FoundIssue[]; notice: string | null } | null;
  };
  /**
   * Returns the similarity of a text to each of `others`. A similarity is null if it is unknown.
   * Returns null while the index is loading.
   */
  compare: {
    request: { accountId: string; text: SearchedText; others: ({ id: string } | SearchedText)[] };
    answer: (number | null)[] | null;
  };
  /**
   * Returns the number of documents in the snapshot that contain each term. Returns null while the
   * index is loading.
   */
  frequencies: {
    request: { accountId: string; terms: string[] };
    answer: { documents: number; occurrences: number[] } | null;
  };
  /**
   * Returns the positions of issues on the account's map. `theme` is -1 for an issue without a
   * theme, and `missing` is the number of issues without a vector. `cappedAt` is the number of
   * issues shown, or null if all are shown. Returns null while the index is loading.
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
   * Indexes a batch of changed texts for the word search. Returns the number of texts, 0 if none
   * remain.
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
  /**
   * Returns the words that both titles contain, rarest first. They are spelled as in the first
   * title.
   */
  sharedTitleWords: {
    request: {
      accountId: string;
      first: { title: string; body: string };
      second: { title: string; body: string };
    };
    answer: string[];
  };
  /**
   * Returns the relation between the two issues of each pair, such as duplicate or related, in the
   * order of the pairs.
   */
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
   * Finds the dependencies that the texts and comments of issues state. Omits deleted issues and
   * change requests.
   */
  readDependencies: {
    request: { accountId: string; issueIds: string[] };
    answer: DependencyReading[];
  };
  /**
   * Returns the dependencies that the texts of `issueIds` imply. Includes dependencies of other
   * issues that these issues may affect. `looked` contains the ids of the issues whose search is
   * complete. `readings` must contain all issues of the account.
   */
  impliedDependencies: {
    request: { accountId: string; readings: SettledReading[]; issueIds: string[] };
    answer: { looked: string[]; found: DependencyInTexts[] };
  };
  /** Evaluates issues by criteria. Returns one result per issue, in the same order. */
  evaluate: {
    request: { issues: EvaluatedIssue[]; criteria: readonly Criterion[] };
    answer: Evaluation[];
  };
  /** Returns improved texts for one issue. */
  improve: {
    request: { issue: EvaluatedIssue; evaluation: Evaluation; criteria: readonly Criterion[] };
    answer: Improvement;
  };
  /** Returns one text that merges the second issue into the first. */
  suggestMerge: {
    request: { accountId: string; first: SuggestedIssue; second: SuggestedIssue };
    answer: MergeSuggestion;
  };
  /** Returns texts for two issues that make clear how the issues differ. */
  suggestDeconflict: {
    request: { accountId: string; first: SuggestedIssue; second: SuggestedIssue };
    answer: DeconflictSuggestion;
  };
}

export type EngineMethod = keyof EngineCalls;
/** A call that is sent to the engine thread. */
export type EngineRequest = {
  [M in EngineMethod]: { id: number; method: M; request: EngineCalls[M]['request'] };
}[EngineMethod];
/** The thread's response to a call. */
export type EngineAnswer =
  | { id: number; answer: EngineCalls[EngineMethod]['answer'] }
  | {
      id: number;
      error: { name: string; message: string; stack: string | undefined };
      /**
       * True if the call failed because the database was unreachable. The same call may then
       * succeed later.
       */
      databaseIsAway: boolean;
    };
