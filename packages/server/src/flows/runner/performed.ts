import type { ActionTaken } from '@winnow/contract/flow';
import type { ExecutionRow } from '../executions/store.ts';

/** The execution that tools are used for. */
export interface BoundTo {
  accountId: string;
  executionId: string;
  flowId: string;
  definition: ExecutionRow['definition'];
  /** What is written elsewhere becomes a proposal; null: everything does. */
  projectId: string | null;
  /** The tracker in which names are looked up first: the project's, else the flow's; null for a flow of any tracker. */
  trackerId: string | null;
  /** The issue that the event is about; null where it is about none, or that is gone. */
  issue: { id: string; key: string } | null;
  dryRun: boolean;
}

/** What became of a call. */
export interface Performed<Answer = unknown> {
  answer: Answer;
  isError: boolean;
  /** What it did, or would have done in a dry run; null when nothing. */
  action: ActionTaken | null;
}

/** What came of a call that did not fail. */
export function done<Answer>(answer: Answer, action: ActionTaken | null): Performed<Answer> {
  return { answer, isError: false, action };
}
