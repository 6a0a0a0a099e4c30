import { type SeriesIssue, umbrellaIn } from '@winnow/analysis/series';

/** Project name for issues of a labelled set, which have only numbers. */
const PROJECT = 'labelled/set';

/**
 * Converts issues to the input of the search for series. The umbrella issue is the first issue of
 * the set that a text mentions.
 */
export function seriesIssues(
  issues: readonly { id: string; title: string; body: string; author?: string | null }[],
): SeriesIssue[] {
  const keys = new Set(issues.map(({ id }) => keyOf(id)));
  const isKnown = (key: string): boolean => keys.has(key);
  return issues.map(({ id, title, body, author = null }) => {
    return { id, title, author, umbrella: umbrellaIn({ key: keyOf(id), url: null, body }, isKnown) };
  });
}

function keyOf(id: string): string {
  return /^\d+$/.test(id) ? `${PROJECT}#${id}` : id;
}
