import type { NamedTracker } from '@winnow/contract/issue';
import { TRACKER_TYPES } from '@winnow/contract/tracker';
import { AppError } from '../platform/errors.ts';
import type { MentionedIssue } from './mention.ts';
import type { IssueView, ProjectNames } from './store.ts';

/**
 * Selects the tracker if several have the same key. `preferred` searches one tracker first and then
 * the others; `only` searches just one.
 */
export type KeyScope =
  | { type: 'any' }
  | { type: 'preferred'; trackerId: string }
  | { type: 'only'; trackerId: string };

export const ANY_TRACKER: KeyScope = { type: 'any' };

/** Returns the candidates that the scope allows. */
export function within<T extends { tracker_id: string }>(
  scope: KeyScope,
  candidates: readonly T[],
): readonly T[] {
  if (scope.type === 'any') return candidates;
  const own = candidates.filter(({ tracker_id: trackerId }) => trackerId === scope.trackerId);
  return scope.type === 'only' || own.length > 0 ? own : candidates;
}

/** Returns the fields that a text needs to mention the issue. */
export function toMentionedIssue(
  issue: Pick<IssueView, 'key' | 'url' | 'tracker_id' | 'tracker_name' | 'tracker_type'>,
): MentionedIssue {
  return { key: issue.key, url: issue.url, trackerId: issue.tracker_id, trackerLabel: trackerLabel(issue) };
}

/** Labels a tracker with its type, as in `Mirror (GitLab)`. */
export function labelOf({ name, type }: NamedTracker): string {
  return `${name} (${TRACKER_TYPES[type].label})`;
}

/** Labels the tracker of an issue or project, as in `Mirror (GitLab)`. */
export function trackerLabel(placed: Pick<ProjectNames, 'tracker_name' | 'tracker_type'>): string {
  return labelOf({ name: placed.tracker_name, type: placed.tracker_type });
}

/**
 * Returns the error for a key that several trackers have. `fields` lists the candidates, with their
 * ids as `path`.
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
