import type { HookRow } from './hook-store.ts';

/**
 * Time after which a refused registration is tried again with the same credentials. Their
 * permissions may have been extended meanwhile.
 */
const REFUSAL_TTL_MS = 24 * 60 * 60_000;
/**
 * Interval for verifying that a webhook still exists in the tracker. Any administrator of the
 * project can delete it.
 */
const CHECK_INTERVAL_MS = 12 * 60 * 60_000;

/** True if a project's webhook must be created or verified. */
export function isHookCheckDue(
  hook:
    | Pick<HookRow, 'state' | 'url' | 'tracker_url' | 'credentials_hash' | 'secret_version' | 'checked_at'>
    | undefined,
  now: { url: string; trackerUrl: string; credentials: Buffer; secretVersion: number; at: Date },
): boolean {
  if (hook === undefined || hook.url !== now.url || hook.tracker_url !== now.trackerUrl) return true;
  if (hook.checked_at === null || hook.state === 'failed') return true;
  const age = now.at.getTime() - hook.checked_at.getTime();
  if (hook.state === 'registered') {
    return hook.secret_version !== now.secretVersion || age >= CHECK_INTERVAL_MS;
  }
  return !hook.credentials_hash.equals(now.credentials) || age >= REFUSAL_TTL_MS;
}
