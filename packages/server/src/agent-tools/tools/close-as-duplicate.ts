import { AppError, invalid } from '../../platform/errors.ts';
import { withConflictDetails } from '../conflict-details.ts';
import { findIssue } from '../lookups.ts';
import { presentWrite, presentWrittenIssue } from '../present.ts';
import type { RunTool } from '../tool.ts';

const ARGUMENT_NAMES: Readonly<Record<string, string>> = { issue1_id: 'original', issue2_id: 'issue' };

export const closeAsDuplicate: RunTool<'close_as_duplicate'> = async (services, caller, input) => {
  const { issues, duplicates } = services;
  const { accountId } = caller;
  const request = await caller.changeRequest();
  const loser = await findIssue(issues, caller, input.issue);
  const original = await findIssue(issues, caller, input.original, 'original');
  const { reason, base_hash: seen } = input;
  const resolution = {
    issue1_id: original.id,
    issue2_id: loser.id,
    resolution: 'close_b' as const,
    ...(reason === undefined ? {} : { reason }),
    ...(seen === undefined ? {} : { base_hashes: { [loser.id]: seen } }),
  };
  const record = await withConflictDetails(caller, () =>
    duplicates.resolve(accountId, request, resolution).catch(rethrowWithArgumentNames),
  );
  return { ...presentWrite(record), ...presentWrittenIssue(loser) };
};

/**
 * Replaces the field names in a validation error by the argument names of this tool. Throws the
 * resulting error.
 */
function rethrowWithArgumentNames(error: unknown): never {
  if (!(error instanceof AppError) || error.category !== 'invalid' || error.fields === undefined) throw error;
  throw invalid(error.fields.map(({ path, message }) => ({ path: ARGUMENT_NAMES[path] ?? path, message })));
}
