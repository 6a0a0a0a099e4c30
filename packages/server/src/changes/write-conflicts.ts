import { AppError } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { ChangePlan } from './plan.ts';
import * as store from './store.ts';

const CONFLICT_CODES = ['being_changed', 'being_resolved', 'being_closed', 'being_committed'] as const;
const RETRY_AFTER_SECONDS = 5;

/**
 * Creates the 409 error for a write that a change in progress blocks, with `Retry-After`.
 * `sentence` names that change.
 */
export function writeConflict(
  code: (typeof CONFLICT_CODES)[number],
  sentence: string,
  changeId: string | null,
): AppError {
  return new AppError({
    code,
    category: 'conflict',
    detail: `${sentence} Try again in a few seconds.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    more: changeId === null ? undefined : { change_id: changeId },
  });
}

/** Creates the 409 error for an issue to which another write is in progress. */
export function issueBusy(key: string, changeId: string | null): AppError {
  return writeConflict('being_changed', `Another change is being written to ${key}.`, changeId);
}

/** Returns the id of the blocking change if an error reports one; otherwise null. */
export function blockingChangeOf(error: unknown): string | null {
  if (!(error instanceof AppError) || !(CONFLICT_CODES as readonly string[]).includes(error.code))
    return null;
  const changeId = error.more?.change_id;
  return typeof changeId === 'string' ? changeId : null;
}

/**
 * @throws {AppError} `conflict` if a change that is being applied writes to an issue that the plan
 * writes to
 */
export async function expectFree(
  db: Db,
  accountId: string,
  { issues, steps }: Pick<ChangePlan, 'issues' | 'steps'>,
): Promise<void> {
  // The plan only mentions the other issues and does not write to them.
  const changed = issues.filter(({ id }) => steps.some(({ issueId }) => issueId === id));
  const ids = changed.map(({ id }) => id);
  const found = await store.findApplyingTo(db, accountId, ids);
  if (found === null) return;
  const key = changed.find(({ id }) => id === found.issueId)?.key ?? 'The issue';
  throw issueBusy(key, found.changeId);
}
