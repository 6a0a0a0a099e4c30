import { createHash } from 'node:crypto';
import type { ProviderIssue } from '../trackers/index.ts';
import { contentHashOf } from './content-hash.ts';

/** Fields of a stored issue that users work with. */
export interface StandingIssue {
  content_hash: string;
  status: string;
  priority: string | null;
  assignees: readonly string[];
}

/**
 * Returns the SHA-256 in hex of everything users work with. It is unchanged while only comments and
 * dates differ.
 */
export function standingOf({ content_hash, status, priority, assignees }: StandingIssue): string {
  const parts = [content_hash, status, priority, [...assignees].sort()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns {@link standingOf} an issue as returned by its tracker. */
export function standingInTracker(issue: ProviderIssue): string {
  const { status, priority, assignees } = issue;
  return standingOf({ content_hash: contentHashOf(issue), status, priority, assignees });
}
