import type { NamedTracker } from '@winnow/contract/issue';
import { TRACKER_TYPES } from '@winnow/contract/tracker';
import { AppError } from '../platform/errors.ts';
import type { MentionedIssue } from './mention.ts';
import type { IssueView, ProjectNames } from './store.ts';

/**
 * Selects a tracker if several have an issue with the same key. `preferred` uses that tracker
 * first, then the other trackers. `only` uses only that tracker.
 */
export type KeyScope =
  | { type: 'any' }
  | { type: 'preferred'; trackerId: string }
  | { type: 'only'; trackerId: string };

export const ANY_TRACKER: KeyScope = { type: 'any' };

/** Returns the issues that the scope allows. */
export function within<T extends { tracker_id: string }>(
  scope: KeyScope,
  candidates: readonly T[],
): readonly T[] {
  if (scope.type === 'any') return candidates;
  const own = candidates.filter(({ tracker_id: trackerId }) => trackerId === scope.trackerId);
  return scope.type === 'only' || own.length > 0 ? own : candidates;
}

/** Returns the fields of an issue that are needed to mention it in a text. */
export function toMentionedIssue(
  issue: Pick<IssueView, 'key' | 'url' | 'tracker_id' | 'tracker_name' | 'tracker_type'>,
): MentionedIssue {
  return { key: issue.key, url: issue.url, trackerId: issue.tracker_id, trackerLabel: trackerLabel(issue) };
}

/** Returns a label with the name and type of a tracker, such as `Mirror (GitLab)`. */
export function labelOf({ name, type }: NamedTracker): string {
  return `${name} (${TRACKER_TYPES[type].label})`;
}

/**
 * Returns the label of the tracker that an issue or project belongs to, such as `Mirror (GitLab)`.
 */
export function trackerLabel(placed: Pick<ProjectNames, 'tracker_name' | 'tracker_type'>): string {
  return labelOf({ name: placed.tracker_name, type: placed.tracker_type });
}

/**
 * Returns the error for a key that several trackers have. Its `fields` contain one entry per
 * candidate, with the issue's id as `path`.
 */
export function ambiguousKey(key: string, candidates: readonly IssueView[]): AppError {
  return new AppError({
    code: 'ambiguous_key',
    category: 'invalid',
    detail: `More than one tracker has ${key}. Use the issue’s id, or specify \`tracker\`.`,
    fields: candidates.map((issue) => ({
      path: issue.id,
      message: `${trackerLabel(issue)}: ${issue.title}`,
    })),
  });
}
