import type { Citation, CriterionResult } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import type { Passage } from '../../../features/issues/text/marks.ts';

type Judged = readonly Pick<CriterionResult, 'id' | 'evidence'>[];

/**
 * Of the criteria that are looked at, the nearest first, the one whose words are marked; null when
 * none rests on any.
 */
export function shownCriterion(criteria: Judged, ids: readonly (string | null)[]): string | null {
  const rests = (id: string | null) => criteria.some((one) => one.id === id && one.evidence.length > 0);
  return ids.find(rests) ?? null;
}

/**
 * Where one of an issue's texts has what the scores rest on: of the criterion that is looked at
 * only its own words, numbered as it is; of all of them while none is (null). Words that the text
 * does not have there are left out: a score that is being made anew is still of the text before.
 */
export function evidencePassages(
  criteria: Judged,
  issue: Pick<Issue, Citation['field']>,
  field: Citation['field'],
  activeId: string | null,
): Passage[] {
  return criteria.flatMap(({ id, evidence }, index) =>
    activeId !== null && id !== activeId
      ? []
      : evidence
          .filter((cited) => cited.field === field)
          .filter(({ start, end, quote }) => issue[field].slice(start, end) === quote)
          .map(({ start, end }) => ({ start, end, number: index + 1 })),
  );
}
