import type { ConnectionCheck } from './provider.ts';
import type { TrackerRow } from './store.ts';

/**
 * Health message if the token's write permission is unknown, because nothing has been written yet.
 */
export const WRITING_UNCHECKED =
  'Whether this token may write issues cannot be checked until the first write.';
const WRITE_PERMISSION = 'Issues: write';

/** Outcome of past writes with the stored credentials: permitted, refused or unknown. */
export type WriteMemory = Pick<TrackerRow, 'write_access' | 'write_refusal'>;
/** Health of a tracker's connection, as stored in the database. */
export type Health = Pick<
  TrackerRow,
  'health_status' | 'health_message' | 'health_cause' | 'health_checked_at' | 'missing_permissions'
>;

/** Value for credentials that have not been used for a write yet. */
export const NEVER_WRITTEN: WriteMemory = { write_access: 'unknown', write_refusal: null };

/**
 * Returns a sentence that names the permissions that the credentials lack. Returns null if they
 * lack none. Call it after a successful check.
 */
export function missingPermissionText(check: ConnectionCheck, memory: WriteMemory): string | null {
  if (check.missingPermissions.length > 0) return `This token lacks: ${check.missingPermissions.join(', ')}.`;
  if (memory.write_refusal !== null) return memory.write_refusal;
  return check.reportsWriteAccess || memory.write_access === 'works' ? null : WRITING_UNCHECKED;
}

/** Returns the health after a successful check. A refusal of an earlier write is still reported. */
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

/** Returns the health after reading the tracker failed. A rate limit is only a warning. */
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

/** Returns the health after the tracker refused a write. */
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
 * Returns the health after a successful write. Returns null if the current message is not about
 * writing, so that it still applies.
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
