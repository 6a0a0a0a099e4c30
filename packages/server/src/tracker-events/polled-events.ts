import type { TrackerEventType } from '@winnow/contract/tracker-event';
import type { IssueNews } from '../issues/intake.ts';
import type { ReadNews } from '../sync/read-project.ts';

/** What reading a project found, as a webhook would have told it; who did it is not known of issues. */
export interface PolledEvent {
  type: TrackerEventType;
  issueExternalId: string;
  actor: string | null;
  occurredAt: Date;
  details: Record<string, string>;
}

/** What happened to issues and comments that came in, as far as it happened since the second of `connectedAt`. */
export function polledEvents({ issues, comments }: ReadNews, connectedAt: Date): PolledEvent[] {
  const since = new Date(Math.floor(connectedAt.getTime() / 1000) * 1000);
  const ofIssues = issues.flatMap((news): PolledEvent[] => {
    const { issue, before } = news;
    // One that was made before and is new to us has come into sight: nothing happened to it.
    const occurredAt = before === null ? issue.createdAt : issue.updatedAt;
    if (occurredAt < since) return [];
    const { title, url } = issue;
    const event = { issueExternalId: issue.externalId, actor: null, details: { title, url } };
    return [{ ...event, type: typeOf(news), occurredAt }];
  });
  const ofComments = comments.flatMap(({ comment, isNew }): PolledEvent[] => {
    const occurredAt = isNew ? comment.createdAt : comment.updatedAt;
    if (occurredAt < since) return [];
    return [
      {
        type: isNew ? 'comment_created' : 'comment_updated',
        issueExternalId: comment.issueExternalId,
        actor: comment.author,
        occurredAt,
        details: { comment: comment.body },
      },
    ];
  });
  return [...ofIssues, ...ofComments];
}

function typeOf({ issue, before }: IssueNews): TrackerEventType {
  const hasClosed = before !== null && before.state === 'opened' && issue.state === 'closed';
  const hasReopened = before !== null && before.state === 'closed' && issue.state === 'opened';
  if (issue.issueType === 'change_request') {
    if (before === null) return 'change_request_opened';
    if (!hasClosed) return 'change_request_updated';
    return issue.status === 'merged' ? 'change_request_merged' : 'change_request_closed';
  }
  if (before === null) return 'issue_opened';
  if (hasClosed) return 'issue_closed';
  return hasReopened ? 'issue_reopened' : 'issue_updated';
}
