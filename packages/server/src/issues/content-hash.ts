import { createHash } from 'node:crypto';
import type { ProviderIssue } from '../trackers/index.ts';

/**
 * Returns the SHA-256 (hexadecimal) of all fields that affect an issue's analysis: title,
 * description, state, type and labels.
 */
export function contentHashOf(
  issue: Pick<ProviderIssue, 'title' | 'description' | 'state' | 'issueType' | 'labels'>,
): string {
  const parts = [issue.title, issue.description, issue.state, issue.issueType, [...issue.labels].sort()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
