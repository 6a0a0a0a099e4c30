import type { TrackerEventType } from '@winnow/contract/tracker-event';

/** What reading found of an issue: that it changed between two versions. */
interface Found {
  type: TrackerEventType;
  /** The version before; null for what has a time of its own, as opening has. */
  happened_after: Date | null;
  /** The version that was read. */
  occurred_at: Date;
}

/**
 * Whether a delivery tells of the change that reading found of the same issue. Reading sees one change where there may have
 * been several, at the time of the last one; a tracker may call an update what reading saw to be a reopening.
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
    // A deletion may be delivered with the time of the version that it deleted.
    const isSince = found.type === 'issue_deleted' ? before <= at : before < at;
    return at === last || (isSince && at < last);
  }
  return at === last && (isUpdate(found.type) || isUpdate(delivered.type));
}

/** Trackers tell the same time in seconds here and in milliseconds there. */
export function secondOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function isUpdate(type: TrackerEventType): boolean {
  return type.endsWith('_updated');
}
