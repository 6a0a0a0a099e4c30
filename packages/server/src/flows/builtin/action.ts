import type { TriggerEvent } from '@winnow/contract/flow';
import type { ToolServices } from '../../agent-tools/tool.ts';
import type { IssueView } from '../../issues/service.ts';
import type { Db } from '../../schema/tables.ts';
import type { FlowTools } from './flow-tools.ts';

/** The execution that an action of the built-in analyst is a part of. */
export interface BuiltinRun {
  accountId: string;
  executionId: string;
  /** What it reads and writes with. */
  tools: FlowTools;
  event: TriggerEvent;
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
export type RunBuiltin = (run: BuiltinRun) => Promise<string>;

/** An action on an issue. Of pull and merge requests, which are not compared or scored, there is nothing to say. */
export function onIssue(act: (run: BuiltinRun, issue: IssueView) => Promise<string>): RunBuiltin {
  return async (run) => {
    const { issue } = run;
    if (issue === null) return 'There is no issue to look at.';
    if (issue.issue_type === CHANGE_REQUEST) return 'Pull and merge requests are left alone.';
    return act(run, issue);
  };
}

/** The type of pull and merge requests. */
const CHANGE_REQUEST = 'change_request';
