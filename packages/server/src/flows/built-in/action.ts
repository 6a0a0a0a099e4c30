import type { TriggerEvent } from '@winnow/contract/flow';
import { CHANGE_REQUEST } from '@winnow/contract/issue';
import type { ToolServices } from '../../agent-tools/tool.ts';
import type { IssueView } from '../../issues/service.ts';
import type { Db } from '../../schema/tables.ts';
import type { Area } from '../places.ts';
import type { FlowTools } from './flow-tools.ts';

/** The execution that an action of the built-in analyst is a part of. */
export interface ActionContext {
  accountId: string;
  executionId: string;
  /** What it reads and writes with. */
  tools: FlowTools;
  event: TriggerEvent;
  /** Where the flow listens: what an event without a project is about. */
  area: Area;
  /** As it is stored now; null where the event is about none, or it is gone. */
  issue: IssueView | null;
  services: ToolServices;
  db: Db;
  now: () => Date;
  signal: AbortSignal;
  /** Writes a line into the execution's log. */
  log: (text: string) => Promise<void>;
}

/** Does one thing, and answers in a sentence or in Markdown what came of it. @throws {AppError} when it cannot. */
export type Action = (context: ActionContext) => Promise<string>;

/** An action on an issue. Of pull and merge requests, which are not compared or scored, there is nothing to say. */
export function onIssue(act: (context: ActionContext, issue: IssueView) => Promise<string>): Action {
  return async (context) => {
    const { issue } = context;
    if (issue === null) return 'There is no issue to look at.';
    if (issue.issue_type === CHANGE_REQUEST) return 'Pull and merge requests are left alone.';
    return act(context, issue);
  };
}
