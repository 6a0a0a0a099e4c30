import type { ActionTaken } from '@winnow/contract/flow';
import type { ExecutionRow } from '../executions/store.ts';

/** The execution that makes a call, with its flow and its scope. */
export interface ExecutionContext {
  accountId: string;
  executionId: string;
  flowId: string;
  /** User who started the execution, or for whom the flow acts; null if there is none. */
  personId: string | null;
  definition: ExecutionRow['definition'];
  /**
   * Project in which writes may apply directly. Writes to other projects are proposed. If null, all
   * writes are proposed.
   */
  projectId: string | null;
  /**
   * Tracker that is preferred when issue keys are looked up: that of the project, or of the flow.
   * Null if the flow listens to all trackers.
   */
  trackerId: string | null;
  /** Issue of the event. Null if the event has no issue, or if the issue was deleted. */
  issue: { id: string; key: string } | null;
  dryRun: boolean;
}

/** Outcome of a tool call. */
export interface CallOutcome<Answer = unknown> {
  answer: Answer;
  isError: boolean;
  /** Action to list for the call, performed or simulated. Null if the call had no effect. */
  action: ActionTaken | null;
}

/** Builds the outcome of a successful call. */
export function done<Answer>(answer: Answer, action: ActionTaken | null): CallOutcome<Answer> {
  return { answer, isError: false, action };
}
