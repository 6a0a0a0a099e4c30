import { tellingWhatChanged } from '../changed-since.ts';
import { findIssue } from '../lookups.ts';
import { expectWhole, writtenAnswer } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const updateIssue: RunTool<'update_issue'> = async ({ issues, edits }, caller, input) => {
  const { accountId, mayRead } = caller;
  const asked = await caller.asked();
  const { reason = null, title, description, state } = input;
  const { id, key, description: before } = await findIssue(issues, accountId, input.issue);
  expectWhole(description, before);
  const update = {
    title,
    description,
    addLabels: input.add_labels,
    removeLabels: input.remove_labels,
    state,
    closeReason: input.close_reason,
  };
  const record = await tellingWhatChanged(caller, () =>
    edits.update(accountId, { ...asked, reason, mayRead }, id, update, input.base_hash),
  );
  return { issue_key: key, ...writtenAnswer(record) };
};
