import type { ResolutionPayload, ResolutionResult } from '@winnow/contract/change';
import type { Evidence, Pair, PairDetail } from '@winnow/contract/duplicate';
import type { ChangeRecord } from '../changes/ledger.ts';
import { presentIssue, presentIssueSummary } from '../issues/present.ts';
import type { IssueView } from '../issues/service.ts';
import { resolutionMemory } from './plan-resolution.ts';
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

/** What came of resolving a pair. */
export function presentResolution(
  { issue1_id, issue2_id }: Pick<ResolutionPayload, 'issue1_id' | 'issue2_id'>,
  { change, steps }: ChangeRecord,
): ResolutionResult {
  return {
    issue1_id,
    issue2_id,
    resolution: resolutionMemory.parse(change.payload).resolution,
    change_id: change.id,
    summary: change.title,
    status: change.status,
    steps: steps.map(({ id, action, target_key, place, status, error }) => ({
      id,
      action,
      target_key,
      target_project_id: place?.project_id ?? null,
      status,
      error,
    })),
  };
}
