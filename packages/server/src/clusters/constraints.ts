import { type Constraint, cannotLinks, type Link, MIN_AVERAGE_LINK } from '@winnow/analysis/clusters';
import { isIdentical } from '@winnow/contract/duplicate';
import type { ClusteredIssue, IssueGraph, PairLink } from './graph-store.ts';

/** Converts pairs to the links that the clustering needs. */
export function linksOf({ pairs }: Pick<IssueGraph, 'pairs'>): Link[] {
  return pairs.map(({ a, b, probability }) => ({ a, b, probability }));
}

/**
 * Returns the constraints from decisions, trackers, comments and equal texts. Each puts two issues
 * into one cluster or keeps them apart.
 */
export function statedConstraints(graph: IssueGraph): Constraint[] {
  const { pairs, judgments, overrides, duplicates, statements } = graph;
  return [
    ...overrides.map(({ a, b, type, by }): Constraint => {
      const reason = `${by} ${type === 'must' ? 'put them into one cluster' : 'separated them'}.`;
      return { a, b, type, source: 'decision', reason };
    }),
    ...pairs.flatMap(ofPair),
    ...judgments.map(({ a, b, judgment, by }): Constraint => {
      const type = judgment === 'same' ? 'must' : 'cannot';
      return { a, b, type, source: 'decision', reason: `${by} judged the pair as ${judgment}.` };
    }),
    ...duplicates.map(({ a, b, key, original }): Constraint => {
      const reason = `The tracker calls ${key} a duplicate of ${original}.`;
      return { a, b, type: 'must', source: 'tracker', reason };
    }),
    ...statements.map(({ a, b, key, by, quote }): Constraint => {
      const reason = `A comment of ${by} on ${key} says “${quote}”`;
      return { a, b, type: 'must', source: 'statement', reason };
    }),
  ];
}

/**
 * Returns the constraints that keep similar issues apart because of their texts: different error
 * codes, titles that name different things, or membership in one series.
 */
export function textConstraints(
  { pairs }: Pick<IssueGraph, 'pairs'>,
  issues: ReadonlyMap<string, ClusteredIssue>,
): Constraint[] {
  const seriesOf = new Map<string, string>();
  for (const { a, b, frame } of pairs) if (frame !== null) seriesOf.set(a, frame).set(b, frame);
  const read = Array.from(issues.values(), ({ id, title, description }) => {
    return [id, { id, title, body: description, series: seriesOf.get(id) ?? null }] as const;
  });
  return cannotLinks(pairs, new Map(read), { threshold: MIN_AVERAGE_LINK });
}

function ofPair({ a, b, similarity, resolution, dismissed, undone, frame }: PairLink): Constraint[] {
  const by = (type: Constraint['type'], source: Constraint['source'], reason: string): Constraint[] => [
    { a, b, type, source, reason },
  ];
  if (resolution === 'closed') return by('must', 'decision', 'One was closed as a duplicate.');
  if (resolution === 'merged') return by('must', 'decision', 'They were merged.');
  if (resolution === 'unrelated') return by('cannot', 'decision', 'They were marked as unrelated.');
  if (resolution === 'deconflicted') return by('cannot', 'decision', 'They were deconflicted.');
  if (undone) return by('cannot', 'decision', 'A decision about them was undone.');
  // Dismissing a series dismisses all its pairs, so the flag is no decision about a single pair.
  // {@link textConstraints} keeps the issues of a series apart.
  if (dismissed && frame === null) return by('cannot', 'decision', 'Their pair was dismissed.');
  return isIdentical(similarity) ? by('must', 'rule', 'Their texts are equal.') : [];
}
