import { type LiveEvent, liveEvent } from '@winnow/contract/live';

/** The event that the server told, or null: a newer server may say more than we know. */
export function readEvent(message: unknown): LiveEvent | null {
  const event = liveEvent.safeParse(message);
  return event.success ? event.data : null;
}
