import { CHANGE_REQUEST } from '@winnow/contract/issue';
import type { TrackerEventType } from '@winnow/contract/tracker-event';
import type { FoundChanges } from '../sync/index.ts';
import type { ProviderIssue } from '../trackers/index.ts';

/**
 * An event that Winnow derived by reading a project, in the form of a delivered event. It has no
 * actor, because reading does not show who changed an issue.
 */
export interface PolledEvent {
  type: TrackerEventType;
  issueExternalId: string;
  actor: string | null;
  /** Earliest time at which the event can have happened. Null if its exact time is known. */
  happenedAfter: Date | null;
  occurredAt: Date;
  commentExternalId?: string;
  details: Record<string, string>;
}

/**
 * Derives events from changed issues and comments. Ignores changes before `connectedAt`, rounded
 * down to seconds. The time of a deletion is unknown, so its event gets the latest possible time,
 * `now`.
 */
export function polledEvents(
  { issues = [], comments = [], removed = [] }: FoundChanges,
  connectedAt: Date,
  now: Date,
): PolledEvent[] {
  const since = new Date(Math.floor(connectedAt.getTime() / 1000) * 1000);
  const ofIssues = issues.flatMap(({ issue, before }): PolledEvent[] => {
    const { title, url, createdAt, updatedAt } = issue;
    const event = { issueExternalId: issue.externalId, actor: null, details: { title, url } };
    if (before !== null) {
      if (updatedAt < since) return [];
      const type = typeOf(issue, before.state);
      return [{ ...event, type, happenedAfter: before.updated_at, occurredAt: updatedAt }];
    }
    // Ignores an issue that was created before the project was connected: it only became visible,
    // and did not change.
    if (createdAt < since) return [];
    const isRequest = issue.issueType === CHANGE_REQUEST;
    const type = isRequest ? 'change_request_opened' : 'issue_opened';
    const opened: PolledEvent = { ...event, type, happenedAfter: null, occurredAt: createdAt };
    if (issue.state === 'opened') return [opened];
    const ended = typeOf(issue, 'opened');
    return [opened, { ...event, type: ended, happenedAfter: createdAt, occurredAt: updatedAt }];
  });
  const ofComments = comments.flatMap(({ comment, isNew }): PolledEvent[] => {
    const occurredAt = isNew ? comment.createdAt : comment.updatedAt;
    if (occurredAt < since) return [];
    return [
      {
        type: isNew ? 'comment_created' : 'comment_updated',
        issueExternalId: comment.issueExternalId,
        commentExternalId: comment.externalId,
        actor: comment.author,
        happenedAfter: null,
        occurredAt,
        details: { comment: comment.body },
      },
    ];
  });
  const ofRemoved = removed.map(
    ({ external_id, title, url, updated_at }): PolledEvent => ({
      type: 'issue_deleted',
      issueExternalId: external_id,
      actor: null,
      happenedAfter: updated_at,
      occurredAt: now,
      details: { title, url },
    }),
  );
  return [...ofIssues, ...ofComments, ...ofRemoved];
}

/**
 * Returns the type of the event by which an issue changed from the state `before` to its current
 * state.
 */
function typeOf(issue: ProviderIssue, before: ProviderIssue['state']): TrackerEventType {
  const hasClosed = before === 'opened' && issue.state === 'closed';
  const hasReopened = before === 'closed' && issue.state === 'opened';
  if (issue.issueType === CHANGE_REQUEST) {
    if (!hasClosed) return 'change_request_updated';
    return issue.status === 'merged' ? 'change_request_merged' : 'change_request_closed';
  }
  if (hasClosed) return 'issue_closed';
  return hasReopened ? 'issue_reopened' : 'issue_updated';
}
