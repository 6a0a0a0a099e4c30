import type { Comment, Issue, IssueSummary } from '@winnow/contract/issue';
import type { CommentRow, IssueHeadline, IssueView } from './store.ts';

/** An issue as a row of a list shows it. */
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
    url: issue.url,
    comments_count: issue.comments_count,
    created_at: issue.created_at.toISOString(),
    updated_at: issue.updated_at.toISOString(),
  };
}

/** An issue with its text. */
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
