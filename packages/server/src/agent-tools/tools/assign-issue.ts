import { tellingWhatChanged } from '../changed-since.ts';
import { findIssue } from '../lookups.ts';
import { writtenAnswer } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const assignIssue: RunTool<'assign_issue'> = async ({ issues, edits }, caller, input) => {
  const { accountId, mayRead } = caller;
  const asked = await caller.asked();
  const { reason = null, assignees } = input;
  const { id, key } = await findIssue(issues, accountId, input.issue);
  const record = await tellingWhatChanged(caller, () =>
    edits.assign(accountId, { ...asked, reason, mayRead }, id, assignees, input.base_assignees),
  );
  return { ...writtenAnswer(record), issue_key: key };
};
