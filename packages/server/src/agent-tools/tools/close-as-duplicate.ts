import { tellingWhatChanged } from '../changed-since.ts';
import { findIssue } from '../lookups.ts';
import { writtenAnswer } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const closeAsDuplicate: RunTool<'close_as_duplicate'> = async (services, caller, input) => {
  const { issues, duplicates } = services;
  const { accountId } = caller;
  const asked = await caller.asked();
  const loser = await findIssue(issues, accountId, input.issue);
  const original = await findIssue(issues, accountId, input.original, 'original');
  const { reason, base_hash: seen } = input;
  const resolution = {
    issue1_id: original.id,
    issue2_id: loser.id,
    resolution: 'close_b' as const,
    ...(reason === undefined ? {} : { reason }),
    ...(seen === undefined ? {} : { base_hashes: { [loser.id]: seen } }),
  };
  const record = await tellingWhatChanged(caller, () => duplicates.resolve(accountId, asked, resolution));
  return { ...writtenAnswer(record), issue_key: loser.key };
};
