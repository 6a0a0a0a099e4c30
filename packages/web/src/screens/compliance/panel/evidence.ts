import type { Citation, CriterionResult } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import type { Passage } from '../../../features/issues/text/marks.ts';

type Judged = readonly Pick<CriterionResult, 'id' | 'evidence'>[];

/** Returns the first criterion in `ids` that cites evidence; null if none does. */
export function activeCriterion(criteria: Judged, ids: readonly (string | null)[]): string | null {
  const hasEvidence = (id: string | null) =>
    criteria.some((criterion) => criterion.id === id && criterion.evidence.length > 0);
  return ids.find(hasEvidence) ?? null;
}

/**
 * Returns the passages of an issue's text that are cited as evidence: by the active criterion, or
 * by all criteria if `activeId` is null. Omits quotes that differ from the text at their position,
 * since a stale score cites the previous text.
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
