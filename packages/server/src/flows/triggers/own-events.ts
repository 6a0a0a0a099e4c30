import type { TrackerEventType } from '@winnow/contract/tracker-event';
import type { OwnWrite, WritesInProgress } from '../../changes/index.ts';

/** Fields of an event that show if Winnow caused it. */
export interface ReportedEvent {
  type: TrackerEventType;
  project_id: string;
  issue_id: string | null;
  comment_external_id: string | null;
  /** Step of a change named by the marker in a comment. Anyone who reads the marker can copy it. */
  step_id: string | null;
  occurred_at: Date;
  received_at: Date;
  /** Hash of the issue's state as stored when the webhook arrived. */
  known_standing: string | null;
  /** Hash of the current state; null if the issue is not stored. */
  standing: string | null;
}

/**
 * Tolerance for comparing times, in milliseconds. Some trackers round to seconds or write in two
 * steps.
 */
const TIME_TOLERANCE_MS = 2_000;
/** Maximum duration of a write, in milliseconds. Longer writes do not delay matching. */
const MAX_WRITE_MS = 60_000;

/**
 * True if a write of Winnow caused the event. The actor does not show it, because tokens usually
 * belong to people.
 *
 * A comment is recognized by its id or, until that is known, by its marker. Other events are
 * recognized if the issue is still as Winnow left it and a write matches the time.
 */
export function isCausedByWinnow(event: ReportedEvent, writes: readonly OwnWrite[]): boolean {
  // Growth never counts issues that Winnow wrote to.
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

/** True if Winnow created or deleted the comment. An edit is always by others. */
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

/** True if a write in progress may have caused the event. */
export function mayBeCausedByWinnow(
  event: ReportedEvent,
  { issueIds, projectIds }: WritesInProgress,
  now: Date,
): boolean {
  if (now.getTime() - event.received_at.getTime() > MAX_WRITE_MS) return false;
  if (event.type === 'issue_opened' && projectIds.has(event.project_id)) return true;
  return event.issue_id !== null && issueIds.has(event.issue_id);
}

/** True if an update changed nothing that people work with. */
export function changedNothing({ type, known_standing, standing }: ReportedEvent): boolean {
  return type === 'issue_updated' && known_standing !== null && known_standing === standing;
}
