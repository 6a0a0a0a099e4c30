import { isIdentical, SIMILARITY } from '@winnow/contract/duplicate';
import type { ModelAnalyst } from '../ai/analyst.ts';
import { findIssues } from '../issues/service.ts';
import type { Db } from '../schema/tables.ts';
import { likelihoodOf, seriesOfPairs } from './pair-likelihood.ts';
import { listPairs, type PairRow } from './store.ts';
import { type FoundPair, type ModelVerdicts, questionOf } from './verdicts-by-model.ts';

/** The best pairs of an account that are judged before anybody asks. */
const MOST_AHEAD = 50;
/** At a time, which leaves places for what somebody waits for. */
const AT_ONCE = 2;
/** After so many failures in a row the rest is left to whoever opens the list. */
const MOST_FAILURES = 3;

export interface JudgeAheadOptions {
  db: Db;
  verdicts: ModelVerdicts;
  /** Null where the account has no language model that works for it. */
  modelAnalystOf: (accountId: string) => Promise<ModelAnalyst | null>;
}

/**
 * Has the account's language model judge the pairs that are shown first: open, undecided, and alike enough to count as
 * similar. Does nothing without such a model, and asks nothing twice. Safe to run again at any point.
 */
export async function judgeAhead(
  { db, verdicts, modelAnalystOf }: JudgeAheadOptions,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  const analyst = await modelAnalystOf(accountId);
  if (analyst === null) return;
  const pairs = await bestPairs(db, accountId);
  let failures = 0;
  for (let start = 0; start < pairs.length; start += AT_ONCE) {
    signal.throwIfAborted();
    const outcomes = await Promise.all(
      pairs.slice(start, start + AT_ONCE).map((pair) => verdicts.ask(accountId, questionOf(analyst, pair))),
    );
    for (const error of outcomes) {
      failures = error === null ? 0 : failures + 1;
      if (failures === MOST_FAILURES || error?.concernsModel) return;
    }
  }
}

/** Returns the pairs that are shown first: open, undecided, and alike enough to count as similar. */
export async function bestPairs(db: Db, accountId: string): Promise<FoundPair[]> {
  const filter = {
    status: 'opened',
    standing: undefined,
    resolution: 'unresolved',
    threshold: SIMILARITY.similar,
    probability: 0,
    order: 'probability',
    onePerSeries: false,
    scope: 'account',
    projectIds: [],
    query: undefined,
    dismissed: false,
    undone: false,
  } as const;
  const { rows } = await listPairs(db, accountId, filter, { limit: MOST_AHEAD, skip: 0 });
  return pairsOf(
    db,
    accountId,
    rows.filter(({ similarity }) => !isIdentical(similarity)),
  );
}

async function pairsOf(db: Db, accountId: string, rows: readonly PairRow[]): Promise<FoundPair[]> {
  const ids = new Set(rows.flatMap(({ issue_a, issue_b }) => [issue_a, issue_b]));
  const byId = new Map((await findIssues(db, accountId, [...ids])).map((issue) => [issue.id, issue]));
  const series = await seriesOfPairs(db, accountId, rows);
  return rows.flatMap((row) => {
    const [first, second] = [byId.get(row.issue_a), byId.get(row.issue_b)];
    if (!first || !second) return [];
    return [{ first, second, similarity: row.similarity, likelihood: likelihoodOf(row, series) }];
  });
}
