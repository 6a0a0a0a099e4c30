import { type LiveEvent, liveEvent } from '@winnow/contract/live';

/** Parses an event. Returns null for an unknown event, which a newer server may send. */
export function readEvent(message: unknown): LiveEvent | null {
  const event = liveEvent.safeParse(message);
  return event.success ? event.data : null;
}
