import type { TrackerEventType } from '@winnow/contract/tracker-event';
import type { OwnWrite, WritesUnderWay } from '../../changes/own-writes.ts';

/** What of an event tells whether we caused it. */
export interface CausedEvent {
  type: TrackerEventType;
  project_id: string;
  issue_id: string | null;
  comment_external_id: string | null;
  /** The step of a change that comments on the issue, where a marker in the text tells; whoever read it can write it too. */
  step_id: string | null;
  occurred_at: Date;
  received_at: Date;
  /** How the issue stood with us when a webhook told of it. */
  known_standing: string | null;
  /** How it stands now; null where it is not here. */
  standing: string | null;
}

/** Trackers tell the time of a change in seconds here and in milliseconds there, and some write in two goes. */
const SAME_TIME_MS = 2_000;
/** A write that takes longer than that does not keep what happened beside it from starting flows. */
const WRITE_TAKES_MS = 60_000;

/**
 * Whether a write of ours did this. The token that writes is usually a person's, so who did it says nothing. A comment is
 * ours by the id that its tracker gave it, or, while that is not known, by the marker in it; anything else when the issue still stands as we left it
 * and one of our writes was made when it happened.
 */
export function isOurs(event: CausedEvent, writes: readonly OwnWrite[]): boolean {
  const here = writes.filter(({ issueId }) => issueId === event.issue_id);
  if (event.step_id !== null || event.comment_external_id !== null) return isOurComment(event, here);
  if (event.issue_id === null) return false;
  if (event.type === 'issue_opened') return here.some(({ action }) => action === 'create');
  const left = here.flatMap((write) => (write.left === null ? [] : [write.left]));
  const isAsLeft = left.some(({ as }) => as === event.standing);
  return (
    isAsLeft && left.some(({ at }) => Math.abs(Date.parse(at) - event.occurred_at.getTime()) <= SAME_TIME_MS)
  );
}

/** A comment of ours is posted once and deleted once; who edits it is somebody else. */
function isOurComment(
  { type, step_id: stepId, comment_external_id: commentId }: CausedEvent,
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

/** Whether it may turn out to be ours once the write that is under way is through. */
export function mayBeOurs(event: CausedEvent, { issueIds, projectIds }: WritesUnderWay, now: Date): boolean {
  if (now.getTime() - event.received_at.getTime() > WRITE_TAKES_MS) return false;
  if (event.type === 'issue_opened' && projectIds.has(event.project_id)) return true;
  return event.issue_id !== null && issueIds.has(event.issue_id);
}

/** Whether an update left everything that people work with as it was. */
export function changedNothing({ type, known_standing, standing }: CausedEvent): boolean {
  return type === 'issue_updated' && known_standing !== null && known_standing === standing;
}
