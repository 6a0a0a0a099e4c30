import type { TriggerEvent } from '@winnow/contract/flow';
import { CHANGE_REQUEST } from '@winnow/contract/issue';
import type { ToolServices } from '../../agent-tools/index.ts';
import type { CostBudget } from '../../ai/index.ts';
import type { IssueView } from '../../issues/index.ts';
import type { Db } from '../../schema/tables.ts';
import type { Area } from '../flow-references.ts';
import type { FlowTools } from './flow-tools.ts';

/** Context of a built-in action: the execution it belongs to. */
export interface ActionContext {
  accountId: string;
  executionId: string;
  tools: FlowTools;
  event: TriggerEvent;
  /**
   * Tracker, organization or project that the flow listens to. An event without a project is about
   * this area.
   */
  area: Area;
  /** Current state of the issue; null if the event has none or it was deleted. */
  issue: IssueView | null;
  services: ToolServices;
  /** Budget charged for questions to language models. */
  budget: CostBudget;
  db: Db;
  now: () => Date;
  signal: AbortSignal;
  /** Adds a line to the log of the execution. */
  log: (text: string) => Promise<void>;
}

/**
 * Runs one action and returns its outcome as a sentence or Markdown.
 * @throws {AppError} if it fails
 */
export type Action = (context: ActionContext) => Promise<string>;

/**
 * Wraps an action that needs an issue. Skips pull and merge requests, which are not compared or
 * scored.
 */
export function onIssue(act: (context: ActionContext, issue: IssueView) => Promise<string>): Action {
  return async (context) => {
    const { issue } = context;
    if (issue === null) return 'This run has no issue to check.';
    if (issue.issue_type === CHANGE_REQUEST) return 'Pull and merge requests are skipped.';
    return act(context, issue);
  };
}
