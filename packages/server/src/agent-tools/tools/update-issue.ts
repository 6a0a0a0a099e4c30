import { withConflictDetails } from '../conflict-details.ts';
import { findIssue } from '../lookups.ts';
import { presentWrite, presentWrittenIssue, refuseTruncated } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const updateIssue: RunTool<'update_issue'> = async ({ issues, edits }, caller, input) => {
  const { accountId, mayRead } = caller;
  const request = await caller.changeRequest();
  const { reason = null, title, description, state } = input;
  const issue = await findIssue(issues, caller, input.issue);
  const { id, key, description: before, state: stateBefore } = issue;
  refuseTruncated(description, before);
  const update = {
    title,
    description,
    addLabels: input.add_labels,
    removeLabels: input.remove_labels,
    state,
    closeReason: input.close_reason,
  };
  const record = await withConflictDetails(caller, () =>
    edits.update(accountId, { ...request, reason, mayRead }, id, update, input.base_hash),
  );
  const answer = presentWrite(record);
  // Winnow does not store why an issue was closed. It cannot tell whether the requested reason
  // differs.
  const keepsReason = input.close_reason !== undefined && stateBefore === 'closed';
  const kept = `${key} is already closed; the reason of a closed issue cannot be changed.`;
  const summary = record === null ? `Nothing was written: ${kept}` : `${answer.summary} ${kept}`;
  return { ...answer, ...(keepsReason ? { summary } : {}), ...presentWrittenIssue(issue) };
};
