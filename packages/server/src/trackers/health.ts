import type { ConnectionCheck } from './provider.ts';
import type { TrackerRow } from './store.ts';

/** What is said when a tracker does not tell whether a token may write, and nothing was written with it yet. */
export const WRITING_UNCHECKED =
  'Whether this token may write issues cannot be checked: it shows with the first decision that is written.';
const WRITING = 'Issues: write';

/** What was learned about writing with the stored credentials. */
export type WriteMemory = Pick<TrackerRow, 'write_access' | 'write_refusal'>;
/** A tracker's health as it is stored. */
export type Health = Pick<
  TrackerRow,
  'health_status' | 'health_message' | 'health_cause' | 'health_checked_at' | 'missing_permissions'
>;

/** What is remembered of credentials that were never written with. */
export const NEVER_WRITTEN: WriteMemory = { write_access: 'unknown', write_refusal: null };

/** What a check that worked says of what the credentials lack, in a sentence; null when they lack nothing. */
export function lackOf(check: ConnectionCheck, memory: WriteMemory): string | null {
  if (check.missingPermissions.length > 0) return `This token lacks: ${check.missingPermissions.join(', ')}.`;
  if (memory.write_refusal !== null) return memory.write_refusal;
  return check.tellsWriting || memory.write_access === 'works' ? null : WRITING_UNCHECKED;
}

/** The health after a check that worked, with what writing has shown before. */
export function healthAfterCheck(check: ConnectionCheck, memory: WriteMemory, now: Date): Health {
  const lack = lackOf(check, memory);
  const knownMissing = memory.write_refusal === null ? [] : [WRITING];
  return {
    health_status: lack === null ? 'ok' : 'warning',
    health_message: lack,
    health_cause: null,
    health_checked_at: now,
    missing_permissions: check.missingPermissions.length > 0 ? check.missingPermissions : knownMissing,
  };
}

/** The health after the tracker could not be read; a limit that passes is only worth a warning. */
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

/** The health after the tracker refused a write. */
export function healthAfterRefusal(sentence: string, now: Date): Health {
  return {
    health_status: 'warning',
    health_message: sentence,
    health_cause: null,
    health_checked_at: now,
    missing_permissions: [WRITING],
  };
}

/** The health after a write that worked; null when what is said of it is not about writing, and so still holds. */
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
