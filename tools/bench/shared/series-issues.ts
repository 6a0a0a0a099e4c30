import { type SeriesIssue, umbrellaIn } from '@winnow/analysis/series';

/** Project of issues that a labelled set names by number alone. */
const PROJECT = 'labelled/set';

/**
 * Returns issues as the search for series reads them. The umbrella is the first issue of the set
 * that a text names.
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
