import type { ConnectionCheck } from './provider.ts';
import type { TrackerRow } from './store.ts';

/**
 * Health message when the token's write permission is unknown and nothing has been written yet.
 */
export const WRITING_UNCHECKED =
  'Whether this token may write issues cannot be checked until the first write.';
const WRITE_PERMISSION = 'Issues: write';

/** Result of past writes with the stored credentials. */
export type WriteMemory = Pick<TrackerRow, 'write_access' | 'write_refusal'>;
/** Stored health of a tracker. */
export type Health = Pick<
  TrackerRow,
  'health_status' | 'health_message' | 'health_cause' | 'health_checked_at' | 'missing_permissions'
>;

/** Value for credentials that have not been used for writing. */
export const NEVER_WRITTEN: WriteMemory = { write_access: 'unknown', write_refusal: null };

/**
 * Returns a sentence that names the permissions that the credentials lack, or null. Call it after a
 * successful check.
 */
export function missingPermissionText(check: ConnectionCheck, memory: WriteMemory): string | null {
  if (check.missingPermissions.length > 0) return `This token lacks: ${check.missingPermissions.join(', ')}.`;
  if (memory.write_refusal !== null) return memory.write_refusal;
  return check.reportsWriteAccess || memory.write_access === 'works' ? null : WRITING_UNCHECKED;
}

/** Returns the health after a successful check, taking past writes into account. */
export function healthAfterCheck(check: ConnectionCheck, memory: WriteMemory, now: Date): Health {
  const lack = missingPermissionText(check, memory);
  const knownMissing = memory.write_refusal === null ? [] : [WRITE_PERMISSION];
  return {
    health_status: lack === null ? 'ok' : 'warning',
    health_message: lack,
    health_cause: null,
    health_checked_at: now,
    missing_permissions: check.missingPermissions.length > 0 ? check.missingPermissions : knownMissing,
  };
}

/** Returns the health after a failed read. A rate limit is only a warning. */
export function healthAfterFailure(
  failure: { sentence: string; isPause: boolean; tokenRefused: boolean },
  now: Date,
): Health {
  return {
    health_status: failure.isPause ? 'warning' : 'error',
    health_message: failure.sentence,
    health_cause: failure.tokenRefused ? 'token_refused' : null,
    health_checked_at: now,
    missing_permissions: [],
  };
}

/** Returns the health after a refused write. */
export function healthAfterRefusal(sentence: string, now: Date): Health {
  return {
    health_status: 'warning',
    health_message: sentence,
    health_cause: null,
    health_checked_at: now,
    missing_permissions: [WRITE_PERMISSION],
  };
}

/**
 * Returns the health after a successful write, or null if the current message is unrelated to
 * writing and still applies.
 */
export function healthAfterWrite(before: WriteMemory & Health, now: Date): Health | null {
  if (before.health_message !== (before.write_refusal ?? WRITING_UNCHECKED)) return null;
  return {
    health_status: 'ok',
    health_message: null,
    health_cause: null,
    health_checked_at: now,
    missing_permissions: [],
  };
}
