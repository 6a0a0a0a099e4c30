import { CHANGE_STATUSES } from '@winnow/contract/change';
import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { ChangeRecord } from './store.ts';

/** Maximum wait of writing calls before they return an unfinished change. */
export const APPLY_WAIT_MS = 10_000;

/**
 * Returns the result of `read` once the change is settled, or its current state after `withinMs` or
 * an abort.
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
    // The change may have settled before the subscription.
    const record = await read();
    if (!CHANGE_STATUSES[record.change.status].settled) await settled;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    leave();
  }
  return read();
}
