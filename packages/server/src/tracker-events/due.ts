import type { HookRow } from './hook-store.ts';

/** How long a refusal holds while the credentials stay the same: somebody may have widened what they may do. */
const REFUSAL_HOLDS_MS = 24 * 60 * 60_000;

/** Whether a project's webhook has to be made, or tried again, by what is known of it. */
export function isDue(
  hook: Pick<HookRow, 'state' | 'url' | 'tracker_url' | 'credentials_hash' | 'tried_at'> | undefined,
  now: { url: string; trackerUrl: string; credentials: Buffer; at: Date },
): boolean {
  if (hook === undefined || hook.url !== now.url || hook.tracker_url !== now.trackerUrl) return true;
  switch (hook.state) {
    case 'registered':
      return false;
    case 'failed':
      return true;
    case 'refused':
      return (
        !hook.credentials_hash.equals(now.credentials) ||
        now.at.getTime() - hook.tried_at.getTime() >= REFUSAL_HOLDS_MS
      );
  }
}
