import {
  probabilityOf,
  type StateOfOlder,
  stateEffect,
  stateOf,
  type Weights,
} from '@winnow/analysis/likelihood';
import { areEqualTitles, findSeries } from '@winnow/analysis/series';
import { LIKELIHOOD } from '@winnow/contract/duplicate';
import type { LabelledIssue, LabelledSet } from '../../data/labelled-set.ts';
import { seriesIssues } from '../shared/series-issues.ts';
import type { HeadCandidate } from './rankings.ts';

/** A row of the queue: a single pair, or the most probable pair of a series. */
export interface QueueRow {
  newer: string;
  older: string;
  /** Title pattern that the issues of the series share. Null for a single pair. */
  frame: string | null;
  probability: number;
}

/**
 * Returns the rows of the queue at the time of the last issue, the most probable first.
 * The product shows the same rows to an account without decisions (docs/decisions/0042). Pairs
 * whose newer issue is closed at that time are omitted. Probabilities use the state of the older
 * issue at that time.
 */
export function queueOf(set: LabelledSet, pairs: readonly HeadCandidate[], weights: Weights): QueueRow[] {
  const end = Math.max(...set.issues.map(({ createdAt }) => createdAt));
  const isClosed = ({ closedAt }: LabelledIssue): boolean => closedAt !== null && closedAt <= end;
  const issues = new Map(set.issues.map((issue) => [issue.id, issue]));
  const frames = framesOf(set);
  const rows: QueueRow[] = [];
  for (const { newer, older, score, features } of pairs) {
    const [one, other] = [issues.get(newer), issues.get(older)];
    if (one === undefined || other === undefined || isClosed(one)) continue;
    const state = stateOf({ isClosed: isClosed(other), closedAt: other.closedAt }, one.createdAt);
    const probability = probabilityOf(withState(score, { from: features, to: state, weights }));
    if (probability < LIKELIHOOD.queue) continue;
    const frame = areEqualTitles(one.title, other.title) ? null : frames(newer, older);
    rows.push({ newer, older, frame, probability });
  }
  rows.sort((a, b) => b.probability - a.probability);
  const seen = new Set<string>();
  return rows.filter(({ frame }) => frame === null || (!seen.has(frame) && seen.add(frame)));
}

/** Computes the score that results if the state of the older issue changes from `from` to `to`. */
function withState(
  score: number,
  { from, to, weights }: { from: StateOfOlder; to: StateOfOlder; weights: Weights },
): number {
  return score - stateEffect(from, weights) + stateEffect(to, weights);
}

/**
 * Creates a function that returns the title pattern of the series that both issues belong to.
 * Returns null if they do not belong to the same series.
 */
function framesOf({ issues }: LabelledSet): (newer: string, older: string) => string | null {
  const frameOf = new Map(
    findSeries(seriesIssues(issues)).flatMap(({ frame, members }) =>
      members.map((member): [string, string] => [member, frame]),
    ),
  );
  return (newer, older) => {
    const frame = frameOf.get(newer);
    return frame !== undefined && frame === frameOf.get(older) ? frame : null;
  };
}
