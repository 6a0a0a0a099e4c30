import type { Citation, CriterionResult } from '@winnow/contract/compliance';
import type { Passage } from '../../issues/text/marks.ts';

/**
 * Where one of an issue's texts has what the scores rest on: of the criterion that is looked at only its own words, numbered
 * as it is; of all of them while none is (null).
 */
export function evidencePassages(
  criteria: readonly Pick<CriterionResult, 'id' | 'evidence'>[],
  field: Citation['field'],
  activeId: string | null,
): Passage[] {
  return criteria.flatMap(({ id, evidence }, index) =>
    activeId !== null && id !== activeId
      ? []
      : evidence
          .filter((citation) => citation.field === field)
          .map(({ start, end }) => ({ start, end, number: index + 1 })),
  );
}
