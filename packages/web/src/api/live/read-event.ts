import { type LiveEvent, liveEvent } from '@winnow/contract/live';

/** Parses an event; null if unknown, since a newer server may send other events. */
export function readEvent(message: unknown): LiveEvent | null {
  const event = liveEvent.safeParse(message);
  return event.success ? event.data : null;
}
