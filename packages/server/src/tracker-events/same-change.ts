import type { TrackerEventType } from '@winnow/contract/tracker-event';

/** A change of an issue that reading has found, between two versions of the issue. */
interface Found {
  type: TrackerEventType;
  /**
   * Update time of the previous version. Null if the event has an exact time, such as the creation
   * of an issue.
   */
  happened_after: Date | null;
  /** Update time of the version that was read. */
  occurred_at: Date;
}

/**
 * True if a delivered event and a change found by reading are the same.
 *
 * Reading sees several changes as one, with the time of the last. Reading may also see a reopening
 * where the tracker delivers an update.
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
    // The event of a deletion may have the update time of the last version.
    const isSince = found.type === 'issue_deleted' ? before <= at : before < at;
    return at === last || (isSince && at < last);
  }
  return at === last && (isUpdate(found.type) || isUpdate(delivered.type));
}

/**
 * Returns the time rounded down to seconds. A tracker may report the same time with milliseconds in
 * one response and without them in another.
 */
export function secondOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function isUpdate(type: TrackerEventType): boolean {
  return type.endsWith('_updated');
}
