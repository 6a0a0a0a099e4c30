import { AppError } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { ChangePlan } from './plan.ts';
import * as store from './store.ts';

const BUSY = ['being_changed', 'being_resolved', 'being_closed', 'being_committed'] as const;
const RETRY_AFTER_SECONDS = 5;

/** 409 with `Retry-After`: a change that is being applied is in the way. `sentence` says which; the advice is added. */
export function busy(code: (typeof BUSY)[number], sentence: string, changeId: string | null): AppError {
  return new AppError({
    code,
    status: 409,
    detail: `${sentence} Try again in a few seconds.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    more: changeId === null ? undefined : { change_id: changeId },
  });
}

/** 409: another write to the issue of this key is under way. */
export function beingChanged(key: string, changeId: string | null): AppError {
  return busy('being_changed', `${key} is being changed just now.`, changeId);
}

/** The change that is in the way, where that is what an error says; else null. */
export function inTheWay(error: unknown): string | null {
  if (!(error instanceof AppError) || !(BUSY as readonly string[]).includes(error.code)) return null;
  const changeId = error.more?.change_id;
  return typeof changeId === 'string' ? changeId : null;
}

/** @throws {AppError} 409 when a change that is being applied writes to an issue that the plan writes to. */
export async function expectFree(
  db: Db,
  accountId: string,
  { issues, steps }: Pick<ChangePlan, 'issues' | 'steps'>,
): Promise<void> {
  // An issue that no step writes to is only mentioned.
  const changed = issues.filter(({ id }) => steps.some(({ issueId }) => issueId === id));
  const ids = changed.map(({ id }) => id);
  const found = await store.findApplyingTo(db, accountId, ids);
  if (found === null) return;
  const key = changed.find(({ id }) => id === found.issueId)?.key ?? 'The issue';
  throw beingChanged(key, found.changeId);
}
