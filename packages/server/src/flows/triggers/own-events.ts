import type { TrackerEventType } from '@winnow/contract/tracker-event';
import type { OwnWrite, WritesInProgress } from '../../changes/index.ts';

/** Fields of an event that tell whether Winnow caused it. */
export interface ReportedEvent {
  type: TrackerEventType;
  project_id: string;
  issue_id: string | null;
  comment_external_id: string | null;
  /** Id of the change step in the comment's marker. Anyone who reads the marker can copy it. */
  step_id: string | null;
  occurred_at: Date;
  received_at: Date;
  /** Hash of the issue's state that was stored when the webhook arrived. */
  known_standing: string | null;
  /** Hash of the issue's current state; null if the issue is not stored. */
  standing: string | null;
}

/**
 * Tolerance in milliseconds for comparing times. Some trackers round times to seconds or write in
 * two steps.
 */
const TIME_TOLERANCE_MS = 2_000;
/**
 * Maximum time in milliseconds for which a write in progress can delay the matching of an event.
 */
const MAX_WRITE_MS = 60_000;

/**
 * True if a write by Winnow caused the event. The actor of the event does not show this, because
 * tokens usually belong to people.
 *
 * A comment is recognized by its id or, until the id is known, by its marker. Other events are
 * recognized if a write has the same time and left the issue in its current state.
 */
export function isCausedByWinnow(event: ReportedEvent, writes: readonly OwnWrite[]): boolean {
  // Growth of a cluster never includes issues that Winnow was the last to write to.
  if (event.type === 'cluster_grew') return false;
  const here = writes.filter(({ issueId }) => issueId === event.issue_id);
  if (event.step_id !== null || event.comment_external_id !== null) return isWinnowComment(event, here);
  if (event.issue_id === null) return false;
  if (event.type === 'issue_opened') return here.some(({ action }) => action === 'create');
  const states = here.flatMap((write) => (write.stateAfter === null ? [] : [write.stateAfter]));
  const isAsLeft = states.some(({ as }) => as === event.standing);
  return (
    isAsLeft &&
    states.some(({ at }) => Math.abs(Date.parse(at) - event.occurred_at.getTime()) <= TIME_TOLERANCE_MS)
  );
}

/** True if Winnow created or deleted the comment. Winnow never edits comments. */
function isWinnowComment(
  { type, step_id: stepId, comment_external_id: commentId }: ReportedEvent,
  here: readonly OwnWrite[],
): boolean {
  const isDone = (action: OwnWrite['action']) =>
    here.some((write) => write.action === action && write.commentExternalId === commentId);
  switch (type) {
    case 'comment_created':
      return isDone('comment') || (stepId !== null && !here.some((write) => write.stepId === stepId));
    case 'comment_deleted':
      return isDone('delete_comment');
    default:
      return false;
  }
}

/** True if a write in progress could have caused the event. */
export function mayBeCausedByWinnow(
  event: ReportedEvent,
  { issueIds, projectIds }: WritesInProgress,
  now: Date,
): boolean {
  if (now.getTime() - event.received_at.getTime() > MAX_WRITE_MS) return false;
  if (event.type === 'issue_opened' && projectIds.has(event.project_id)) return true;
  return event.issue_id !== null && issueIds.has(event.issue_id);
}

/** True if an update did not change any field that matters to people. */
export function changedNothing({ type, known_standing, standing }: ReportedEvent): boolean {
  return type === 'issue_updated' && known_standing !== null && known_standing === standing;
}
