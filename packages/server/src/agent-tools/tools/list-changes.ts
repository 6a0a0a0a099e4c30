import { presentChange } from '../../changes/present.ts';
import { nextCursor, skipOfCursor } from '../cursor.ts';
import { findIssue } from '../lookups.ts';
import { agentChange } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const listChanges: RunTool<'list_changes'> = async ({ issues, ledger }, caller, input) => {
  const list = { caller, tool: 'list_changes', asked: input };
  const skip = skipOfCursor(list, input.cursor);
  const { status, kind, limit } = input;
  const issueId =
    input.issue === undefined ? undefined : (await findIssue(issues, caller.accountId, input.issue)).id;
  const { records, total } = await ledger.list(caller.accountId, { status, kind, issueId }, { limit, skip });
  const next = nextCursor(list, skip, records.length, total);
  return {
    changes: records.map((record) => agentChange(presentChange(record), input.with_steps)),
    total,
    ...(next === undefined ? {} : { next_cursor: next }),
  };
};
