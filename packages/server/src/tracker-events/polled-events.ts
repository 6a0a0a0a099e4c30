import { CHANGE_REQUEST } from '@winnow/contract/issue';
import type { TrackerEventType } from '@winnow/contract/tracker-event';
import type { FoundChanges } from '../sync/index.ts';
import type { ProviderIssue } from '../trackers/index.ts';

/**
 * An event derived from reading a project, like one that a webhook delivers. It has no actor,
 * because reading does not show who changed an issue.
 */
export interface PolledEvent {
  type: TrackerEventType;
  issueExternalId: string;
  actor: string | null;
  /** Earliest time at which it can have happened. Null if the exact time is known. */
  happenedAfter: Date | null;
  occurredAt: Date;
  commentExternalId?: string;
  details: Record<string, string>;
}

/**
 * Derives events from changed issues and comments. Ignores what happened before `connectedAt`,
 * rounded down to seconds. The time of a deletion is unknown, so it is dated `now`, the latest
 * possible time.
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
    // An issue that was created before the project was connected has only become visible: nothing
    // happened to it.
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
 * Returns the type of the event that changed an issue from the state `before` to its current state.
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
