import { likelihoodReasons, type ReasonIssue } from '@winnow/analysis/likelihood-reasons';
import type { ResolutionPayload, ResolutionResult } from '@winnow/contract/change';
import { isIdentical, type Pair, type PairDetail } from '@winnow/contract/duplicate';
import type { ChangeRecord } from '../changes/index.ts';
import { type IssueView, presentIssue, presentIssueSummary } from '../issues/index.ts';
import { resolutionMemory } from './plan-resolution.ts';
import type { PairDetails, PairView } from './service.ts';

/** Converts a pair to its API form in lists. */
export function presentPair({ row, first, second, series, judgment }: PairView): Pair {
  return {
    id: row.id,
    issue1: presentIssueSummary(first),
    issue2: presentIssueSummary(second),
    similarity: row.similarity,
    probability: row.probability,
    standing: row.standing,
    series: series && {
      id: series.id,
      frame: series.frame,
      issues: series.issues,
      umbrella_key: series.umbrella_key,
      dismissed: series.dismissed,
    },
    judgment,
    resolution: row.resolution,
    dismissed: row.dismissed,
    undone: row.undone,
    created_at: row.created_at.toISOString(),
  };
}

/** Converts a pair to its API form, with the texts of both issues and the evidence. */
export function presentPairDetail(details: PairDetails): PairDetail {
  const { pair, evidence } = details;
  return {
    ...presentPair(pair),
    issue1: presentIssue(pair.first),
    issue2: presentIssue(pair.second),
    evidence,
    likelihood: presentLikelihood(details),
    change_id: pair.row.change_id,
  };
}

function presentLikelihood({
  pair: { row, first, second },
  sharedTitleWords,
  calibration,
}: PairDetails): PairDetail['likelihood'] {
  return likelihoodReasons({
    older: reasonIssue(first),
    newer: reasonIssue(second),
    similarity: row.similarity,
    logOdds: row.log_odds,
    isMutualBest: row.is_mutual_best,
    sharedTitleWords,
    areEqual: isIdentical(row.similarity),
    calibration,
  });
}

function reasonIssue({ key, title, author, state, created_at, closed_at }: IssueView): ReasonIssue {
  return {
    key,
    title,
    author,
    isClosed: state === 'closed',
    createdAt: created_at.getTime(),
    closedAt: closed_at?.getTime() ?? null,
  };
}

/** Converts the outcome of a resolution to its API form. */
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
