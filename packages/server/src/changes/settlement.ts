import { CHANGE_STATUSES } from '@winnow/contract/change';
import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { ChangeRecord } from './store.ts';

/**
 * Maximum time in milliseconds that a write request waits for its change. Then the response
 * contains the unfinished change.
 */
export const APPLY_WAIT_MS = 10_000;

/**
 * Returns the result of `read` when the change is settled. After `withinMs`, or when the signal is
 * aborted, returns its current state.
 */
export async function whenSettled(
  events: Pick<Events<AccountEvent>, 'subscribe' | 'listening'>,
  accountId: string,
  changeId: string,
  {
    read,
    withinMs,
    signal,
  }: { read: () => Promise<ChangeRecord>; withinMs: number; signal?: AbortSignal | undefined },
): Promise<ChangeRecord> {
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, withinMs);
  const onAbort = () => resolve();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) resolve();
  const leave = events.subscribe(
    accountId,
    (event) => {
      if (event.type !== 'change_updated' || event.change_id !== changeId) return;
      if (CHANGE_STATUSES[event.status].settled) resolve();
    },
    {
      onMissed: () => {
        read().then(({ change }) => {
          if (CHANGE_STATUSES[change.status].settled) resolve();
        }, resolve);
      },
    },
  );
  try {
    await Promise.race([events.listening(accountId), settled]);
    // Reads again, because the change may have settled before the subscription began.
    const record = await read();
    if (!CHANGE_STATUSES[record.change.status].settled) await settled;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    leave();
  }
  return read();
}
