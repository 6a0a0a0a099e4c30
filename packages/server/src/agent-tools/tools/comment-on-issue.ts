import { withConflictDetails } from '../conflict-details.ts';
import { findIssue } from '../lookups.ts';
import { presentWrite } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const commentOnIssue: RunTool<'comment_on_issue'> = async ({ issues, edits }, caller, input) => {
  const { accountId, mayRead } = caller;
  const changeRequest = await caller.changeRequest();
  const { id } = await findIssue(issues, caller, input.issue);
  const request = { ...changeRequest, reason: input.reason ?? null, mayRead };
  return presentWrite(
    await withConflictDetails(caller, () => edits.comment(accountId, request, id, input.comment)),
  );
};
