import { withConflictDetails } from '../conflict-details.ts';
import { findIssue } from '../lookups.ts';
import { presentWrite, presentWrittenIssue } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const assignIssue: RunTool<'assign_issue'> = async ({ issues, edits }, caller, input) => {
  const { accountId, mayRead } = caller;
  const request = await caller.changeRequest();
  const { reason = null, assignees } = input;
  const issue = await findIssue(issues, caller, input.issue);
  const record = await withConflictDetails(caller, () =>
    edits.assign(accountId, { ...request, reason, mayRead }, issue.id, assignees, input.base_assignees),
  );
  return { ...presentWrite(record), ...presentWrittenIssue(issue) };
};
