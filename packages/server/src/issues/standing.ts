import { createHash } from 'node:crypto';
import type { ProviderIssue } from '../trackers/provider.ts';
import { contentHashOf } from './content-hash.ts';

/** What of a stored issue people work with. */
export interface StandingIssue {
  content_hash: string;
  status: string;
  priority: string | null;
  assignees: readonly string[];
}

/** SHA-256, in hex, of all of an issue that people work with: it is the same while nothing but comments and dates differ. */
export function standingOf({ content_hash, status, priority, assignees }: StandingIssue): string {
  const parts = [content_hash, status, priority, [...assignees].sort()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** As {@link standingOf}, of an issue as its tracker has it. */
export function standingInTracker(issue: ProviderIssue): string {
  const { status, priority, assignees } = issue;
  return standingOf({ content_hash: contentHashOf(issue), status, priority, assignees });
}
