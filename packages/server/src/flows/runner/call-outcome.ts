import type { ActionTaken } from '@winnow/contract/flow';
import type { ExecutionRow } from '../executions/store.ts';

/** The execution that calls tools, with its flow and its scope. */
export interface ExecutionContext {
  accountId: string;
  executionId: string;
  flowId: string;
  /** Member for whom the flow acts; null if there is none. */
  ownerId: string | null;
  definition: ExecutionRow['definition'];
  /**
   * Project in which writes may apply. Writes to other projects become proposals; null proposes
   * all.
   */
  projectId: string | null;
  /**
   * Tracker preferred when names are resolved: the tracker of the project or of the flow. Null for
   * a flow of all trackers.
   */
  trackerId: string | null;
  /** Issue of the event; null if it has none or it was deleted. */
  issue: { id: string; key: string } | null;
  dryRun: boolean;
}

/** Outcome of a call. */
export interface CallOutcome<Answer = unknown> {
  answer: Answer;
  isError: boolean;
  /** Effect of the call, real or simulated; null for none. */
  action: ActionTaken | null;
}

/** Builds the outcome of a successful call. */
export function done<Answer>(answer: Answer, action: ActionTaken | null): CallOutcome<Answer> {
  return { answer, isError: false, action };
}
