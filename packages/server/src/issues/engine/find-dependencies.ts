import { impliedDependencies, statedDependencies } from '@winnow/analysis/dependencies';
import type { DependencyInTexts, IssueToScan } from './messages.ts';

/**
 * Dependencies among issues that their texts state or imply, by id. A key is read as that of an issue of the same tracker.
 * Of several texts that say the same, the most certain one is told; two that say opposite things are both told.
 */
export function findDependencies(
  issues: readonly IssueToScan[],
  idf: (term: string) => number,
): DependencyInTexts[] {
  const trackers = new Map<string, IssueToScan[]>();
  for (const issue of issues)
    trackers.set(issue.trackerId, [...(trackers.get(issue.trackerId) ?? []), issue]);
  const stated = [...trackers.values()].flatMap((ofTracker) => {
    const ids = new Map(ofTracker.map(({ key, id }) => [key, id]));
    return ofTracker.flatMap((issue) =>
      statedDependencies(issue, issue.comments, (key) => ids.has(key)).map((found) => told(found, ids)),
    );
  });
  // Reasons name issues by their keys, so of two trackers with the same keys each is looked through by itself.
  const keys = new Set(issues.map(({ key }) => key));
  const groups = keys.size === issues.length ? [[...issues]] : [...trackers.values()];
  const implied = groups.flatMap((group) => {
    const ids = new Map(group.map(({ key, id }) => [key, id]));
    return impliedDependencies(group, { idf }).map((found) => told(found, ids));
  });
  return mostCertain(stated, implied);
}

/** What was found by keys, by ids. */
function told(
  { source, dependent, reason, confidence }: DependencyInTexts,
  ids: ReadonlyMap<string, string>,
): DependencyInTexts {
  return { source: ids.get(source) ?? '', dependent: ids.get(dependent) ?? '', reason, confidence };
}

/** Each once, with the most certain of what shows it. What two texts only imply gives way to the opposite that one states. */
function mostCertain(
  stated: readonly DependencyInTexts[],
  implied: readonly DependencyInTexts[],
): DependencyInTexts[] {
  const best = new Map<string, DependencyInTexts>();
  const opposite = ({ source, dependent }: DependencyInTexts) => best.has(`${dependent} ${source}`);
  const take = (found: DependencyInTexts) => {
    if (found.source === '' || found.dependent === '' || found.source === found.dependent) return;
    const pair = `${found.source} ${found.dependent}`;
    const known = best.get(pair);
    if (known === undefined || known.confidence < found.confidence) best.set(pair, found);
  };
  stated.forEach(take);
  for (const found of implied) if (!opposite(found)) take(found);
  return [...best.values()];
}
