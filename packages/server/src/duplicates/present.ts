import type { Evidence, Pair, PairDetail } from '@winnow/contract/duplicate';
import { presentIssue, presentIssueSummary } from '../issues/present.ts';
import type { IssueView } from '../issues/service.ts';
import type { PairView } from './service.ts';

/** A pair as a row of the list. */
export function presentPair({ row, first, second }: PairView): Pair {
  return {
    id: row.id,
    issue1: presentIssueSummary(first),
    issue2: presentIssueSummary(second),
    similarity: row.similarity,
    resolution: row.resolution,
    dismissed: row.dismissed,
    undone: row.undone,
    created_at: row.created_at.toISOString(),
  };
}

/** A pair with both texts and the evidence. */
export function presentPairDetail(pair: PairView<IssueView>, evidence: Evidence): PairDetail {
  return {
    ...presentPair(pair),
    issue1: presentIssue(pair.first),
    issue2: presentIssue(pair.second),
    evidence,
    change_id: pair.row.change_id,
  };
}
