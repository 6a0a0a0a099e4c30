import type { Comment, Issue, IssueReference, IssueSummary, NamedTracker } from '@winnow/contract/issue';
import type { CommentRow, IssueHeadline, IssuePlace, IssueView } from './store.ts';

/** Returns the name and type of the tracker of an issue or project. */
export function trackerOf(placed: Pick<IssuePlace, 'tracker_name' | 'tracker_type'>): NamedTracker {
  return { name: placed.tracker_name, type: placed.tracker_type };
}

/** Returns a mentioned issue in the form of the API. `place` is null if the issue is not stored. */
export function presentReference(
  { id, key }: { id: string; key: string },
  place: IssuePlace | null,
): IssueReference {
  return { id, key, project_id: place?.project_id ?? null, tracker: place && trackerOf(place) };
}

/** Returns an issue in the form in which lists show it. */
export function presentIssueSummary(issue: IssueHeadline): IssueSummary {
  return {
    id: issue.id,
    key: issue.key,
    title: issue.title,
    status: issue.status,
    state: issue.state,
    issue_type: issue.issue_type,
    author: issue.author,
    project_id: issue.project_id,
    project: { id: issue.project_id, name: issue.project_name, identifier: issue.project_identifier },
    tracker_id: issue.tracker_id,
    tracker: trackerOf(issue),
    url: issue.url,
    comments_count: issue.comments_count,
    created_at: issue.created_at.toISOString(),
    updated_at: issue.updated_at.toISOString(),
  };
}

/** Returns an issue with its text, in the form of the API. */
export function presentIssue(issue: IssueView): Issue {
  return {
    ...presentIssueSummary(issue),
    external_id: issue.external_id,
    description: issue.description,
    priority: issue.priority,
    labels: issue.labels,
    assignees: issue.assignees,
    organization: { id: issue.organization_id, name: issue.organization_name },
    parent_key: issue.parent_key,
    content_hash: issue.content_hash,
    synced_at: issue.synced_at?.toISOString() ?? null,
    meta_data: { url: issue.url },
  };
}

export function presentComment(comment: CommentRow): Comment {
  return {
    id: comment.id,
    author: comment.author,
    body: comment.body,
    created_at: comment.created_at.toISOString(),
    updated_at: comment.updated_at.toISOString(),
  };
}
