import type { Citation, CriterionResult } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import type { Passage } from '../../../features/issues/text/marks.ts';

type Judged = readonly Pick<CriterionResult, 'id' | 'evidence'>[];

/**
 * Returns the first criterion in `ids` that has evidence in the text. Null if none of them has
 * evidence.
 */
export function activeCriterion(criteria: Judged, ids: readonly (string | null)[]): string | null {
  const hasEvidence = (id: string | null) =>
    criteria.some((criterion) => criterion.id === id && criterion.evidence.length > 0);
  return ids.find(hasEvidence) ?? null;
}

/**
 * Returns the passages of a text that are evidence of the active criterion. If `activeId` is null,
 * returns the evidence of all criteria. Omits quotes that do not match the text, since an outdated
 * score quotes an earlier text.
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
