import { createHash } from 'node:crypto';
import type { ProviderIssue } from '../trackers/index.ts';
import { contentHashOf } from './content-hash.ts';

/** Fields of a stored issue that the state hash covers. */
export interface HashedIssue {
  content_hash: string;
  status: string;
  priority: string | null;
  assignees: readonly string[];
}

/**
 * Returns the SHA-256 (hexadecimal) of an issue's content, status, priority and assignees. Comments
 * and dates do not affect it.
 */
export function stateHashOf({ content_hash, status, priority, assignees }: HashedIssue): string {
  const parts = [content_hash, status, priority, [...assignees].sort()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns the state hash of an issue that was read from its tracker. */
export function stateHashInTracker(issue: ProviderIssue): string {
  const { status, priority, assignees } = issue;
  return stateHashOf({ content_hash: contentHashOf(issue), status, priority, assignees });
}
