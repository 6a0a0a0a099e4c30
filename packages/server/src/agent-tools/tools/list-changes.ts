import { presentChange } from '../../changes/index.ts';
import { nextCursor, skipOfCursor } from '../cursor.ts';
import { findIssue } from '../lookups.ts';
import { agentChange, MAX_EXCERPT_CHARS, nextStepOffset, STEP_EXCERPTS } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const listChanges: RunTool<'list_changes'> = async ({ issues, ledger }, caller, input) => {
  if (input.change_id !== undefined) {
    const change = presentChange(await ledger.get(caller.accountId, input.change_id));
    const texts = { maxChars: MAX_EXCERPT_CHARS.description, offset: input.text_from ?? 0 };
    const rest = nextStepOffset(change, texts);
    return {
      changes: [agentChange(change, texts)],
      ...(rest === undefined ? {} : { next_text_from: rest }),
      total: 1,
    };
  }
  const list = { caller, tool: 'list_changes', asked: input };
  const skip = skipOfCursor(list, input.cursor);
  const { status, kind, limit } = input;
  const issueId = input.issue === undefined ? undefined : (await findIssue(issues, caller, input.issue)).id;
  const { records, total } = await ledger.list(caller.accountId, { status, kind, issueId }, { limit, skip });
  const next = nextCursor(list, skip, records.length, total);
  const texts = input.with_steps ? STEP_EXCERPTS : null;
  return {
    changes: records.map((record) => agentChange(presentChange(record), texts)),
    total,
    ...(next === undefined ? {} : { next_cursor: next }),
  };
};
