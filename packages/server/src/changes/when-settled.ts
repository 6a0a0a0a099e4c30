import { CHANGE_STATUSES } from '@winnow/contract/change';
import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { ChangeRecord } from './store.ts';

/** What `read` answers as soon as the change is settled, or as it stands after `timeoutMs`. */
export async function whenSettled(
  events: Pick<Events<AccountEvent>, 'subscribe' | 'listening'>,
  accountId: string,
  changeId: string,
  { read, timeoutMs }: { read: () => Promise<ChangeRecord>; timeoutMs: number },
): Promise<ChangeRecord> {
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
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
    // It may have settled before we listened.
    const record = await read();
    if (!CHANGE_STATUSES[record.change.status].settled) await settled;
  } finally {
    clearTimeout(timer);
    leave();
  }
  return read();
}
