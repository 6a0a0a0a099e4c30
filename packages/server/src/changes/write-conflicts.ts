import { AppError } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { ChangePlan } from './plan.ts';
import * as store from './store.ts';

const CONFLICT_CODES = ['being_changed', 'being_resolved', 'being_closed', 'being_committed'] as const;
const RETRY_AFTER_SECONDS = 5;

/**
 * Creates the 409 error for a write that a change in progress blocks, with `Retry-After`.
 * `sentence` describes that change.
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

/**
 * Creates the 409 error for a write to an issue while another write to the same issue is in
 * progress.
 */
export function issueBusy(key: string, changeId: string | null): AppError {
  return writeConflict('being_changed', `Another change is being written to ${key}.`, changeId);
}

/** Returns the id of the change that blocked a write, if the error contains one; otherwise null. */
export function blockingChangeOf(error: unknown): string | null {
  if (!(error instanceof AppError) || !(CONFLICT_CODES as readonly string[]).includes(error.code))
    return null;
  const changeId = error.more?.change_id;
  return typeof changeId === 'string' ? changeId : null;
}

/**
 * Throws if one of the plan's issues is being written to by another change.
 * @throws {AppError} `conflict`
 */
export async function expectFree(
  db: Db,
  accountId: string,
  { issues, steps }: Pick<ChangePlan, 'issues' | 'steps'>,
): Promise<void> {
  // Issues that the plan only mentions are not written to, so they cannot conflict.
  const changed = issues.filter(({ id }) => steps.some(({ issueId }) => issueId === id));
  const ids = changed.map(({ id }) => id);
  const found = await store.findApplyingTo(db, accountId, ids);
  if (found === null) return;
  const key = changed.find(({ id }) => id === found.issueId)?.key ?? 'The issue';
  throw issueBusy(key, found.changeId);
}
