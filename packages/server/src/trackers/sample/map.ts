import type { ProviderComment, ProviderIssue, ProviderProject } from '../provider.ts';
import type { SampleCommentRow, SampleIssueRow } from './store.ts';

/**
 * Converts a sample issue. `externalId` is the number of the issue. The URL is empty, since only
 * the console shows the issue.
 */
export function toIssue(project: ProviderProject, row: SampleIssueRow): ProviderIssue {
  return {
    externalId: String(row.number),
    key: `${project.identifier}#${row.number}`,
    title: row.title,
    description: row.body,
    status: row.state,
    state: row.state === 'open' ? 'opened' : 'closed',
    issueType: row.issue_type,
    priority: row.priority,
    labels: row.labels,
    assignees: row.assignees,
    author: row.author,
    url: '',
    parentKey: null,
    isDuplicate: row.duplicate_of !== null,
    duplicateOf: row.duplicate_of,
    commentsCount: row.comments,
    reactions: 0,
    milestone: null,
    isLocked: false,
    isCompleted: row.state === 'closed' && row.state_reason === 'completed',
    closedAt: row.closed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toComment(row: SampleCommentRow): ProviderComment {
  return {
    externalId: row.id,
    issueExternalId: String(row.number),
    author: row.author,
    body: row.body,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
