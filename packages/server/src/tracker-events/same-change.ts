import type { TrackerEventType } from '@winnow/contract/tracker-event';

/** A change between two versions of an issue that reading has seen. */
interface Found {
  type: TrackerEventType;
  /** Time of the previous version. Null for events with an exact time, such as opening. */
  happened_after: Date | null;
  /** Time of the version that was read. */
  occurred_at: Date;
}

/**
 * True if a delivered event describes the change that reading found. Reading merges several changes
 * into one, with the time of the last. Reading may report a reopening where the tracker delivers an
 * update.
 */
export function isSameChange(
  found: Found,
  delivered: { type: TrackerEventType; occurred_at: Date },
): boolean {
  if (found.happened_after === null) return found.type === delivered.type;
  const at = secondOf(delivered.occurred_at);
  const last = secondOf(found.occurred_at);
  const before = secondOf(found.happened_after);
  if (found.type === delivered.type) {
    // A deletion may have the time of the last version before it.
    const isSince = found.type === 'issue_deleted' ? before <= at : before < at;
    return at === last || (isSince && at < last);
  }
  return at === last && (isUpdate(found.type) || isUpdate(delivered.type));
}

/**
 * Returns the time rounded down to seconds. Trackers may report the same time in seconds in one
 * place and in milliseconds in another.
 */
export function secondOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function isUpdate(type: TrackerEventType): boolean {
  return type.endsWith('_updated');
}
