import { comparePair, type Resident, type Scale, type ScoreParts } from './resident.ts';
import type { Residents } from './residents.ts';
import { byEstimate, ESTIMATE_SLACK, type RowSearch } from './row-search.ts';

/** An issue found for another one or for a text. */
export interface SimilarIssue {
  id: string;
  similarity: number;
  parts: ScoreParts;
}

/**
 * The issues most similar to `query`, best first, equal ones by id: at most `limit` of those whose id `filter` lets
 * through, `query` itself and those without any likeness left out. Exact.
 */
export function mostSimilar(options: {
  query: Resident;
  residents: Residents;
  search: RowSearch;
  scale: Scale;
  limit: number;
  filter?: ((id: string) => boolean) | undefined;
}): SimilarIssue[] {
  const { query, residents, scale, limit, filter } = options;
  const estimates = options.search.everything(query, scale);
  const slots = residents.slots().filter((slot) => {
    const other = residents.at(slot);
    if (other === null || other === query) return false;
    if (other.digest === query.digest) estimates[slot] = 1;
    return filter === undefined || filter(other.id);
  });
  const found: SimilarIssue[] = [];
  for (const slot of byEstimate(slots, estimates, Number.MIN_VALUE)) {
    const last = found[limit - 1];
    if (last !== undefined && (estimates[slot] ?? 0) + ESTIMATE_SLACK < last.similarity) break;
    const other = residents.at(slot);
    if (other === null) continue;
    const scored = { id: other.id, ...comparePair(query, other, scale) };
    if (scored.similarity > 0) insert(found, scored);
  }
  return found.slice(0, limit);
}

function insert(found: SimilarIssue[], scored: SimilarIssue): void {
  let at = found.length;
  for (; at > 0; at -= 1) {
    const above = found[at - 1];
    if (above === undefined || above.similarity > scored.similarity) break;
    if (above.similarity === scored.similarity && above.id < scored.id) break;
  }
  found.splice(at, 0, scored);
}
