import type { TriggerEvent } from '@winnow/contract/flow';
import { CHANGE_REQUEST } from '@winnow/contract/issue';
import type { ToolServices } from '../../agent-tools/index.ts';
import type { CostBudget } from '../../ai/index.ts';
import type { IssueView } from '../../issues/index.ts';
import type { Db } from '../../schema/tables.ts';
import type { Area } from '../flow-references.ts';
import type { FlowTools } from './flow-tools.ts';

/** Input and services of a built-in action in one execution. */
export interface ActionContext {
  accountId: string;
  executionId: string;
  tools: FlowTools;
  event: TriggerEvent;
  /**
   * Tracker or organization that the flow listens to. If the event has no project, the action
   * covers this area.
   */
  area: Area;
  /**
   * Current state of the event's issue. Null if the event has no issue, or if the issue was
   * deleted.
   */
  issue: IssueView | null;
  services: ToolServices;
  /** Budget of the execution, from which questions to language models are paid. */
  budget: CostBudget;
  db: Db;
  now: () => Date;
  signal: AbortSignal;
  /** Adds a line to the log of the execution. */
  log: (text: string) => Promise<void>;
}

/**
 * Runs one action and returns its outcome, as a sentence or as Markdown.
 * @throws {AppError} if the action fails
 */
export type Action = (context: ActionContext) => Promise<string>;

/**
 * Wraps an action that requires an issue. Skips pull and merge requests, because they are neither
 * compared nor scored.
 */
export function onIssue(act: (context: ActionContext, issue: IssueView) => Promise<string>): Action {
  return async (context) => {
    const { issue } = context;
    if (issue === null) return 'This run has no issue to check.';
    if (issue.issue_type === CHANGE_REQUEST) return 'Pull and merge requests are skipped.';
    return act(context, issue);
  };
}
