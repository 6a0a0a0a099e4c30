import type { HookRow } from './hook-store.ts';

/** How long a refusal holds while the credentials stay the same: somebody may have widened what they may do. */
const REFUSAL_HOLDS_MS = 24 * 60 * 60_000;
/** How long one that is there is taken to be there still: anybody who administers the project can remove it. */
const LOOKED_AT_EVERY_MS = 12 * 60 * 60_000;

/** Whether a project's webhook has to be made, or looked for, by what is known of it. */
export function isDue(
  hook:
    | Pick<HookRow, 'state' | 'url' | 'tracker_url' | 'credentials_hash' | 'secret_version' | 'checked_at'>
    | undefined,
  now: { url: string; trackerUrl: string; credentials: Buffer; secretVersion: number; at: Date },
): boolean {
  if (hook === undefined || hook.url !== now.url || hook.tracker_url !== now.trackerUrl) return true;
  if (hook.checked_at === null || hook.state === 'failed') return true;
  const age = now.at.getTime() - hook.checked_at.getTime();
  if (hook.state === 'registered') {
    return hook.secret_version !== now.secretVersion || age >= LOOKED_AT_EVERY_MS;
  }
  return !hook.credentials_hash.equals(now.credentials) || age >= REFUSAL_HOLDS_MS;
}
