import { ASKED_PROBABILITY, SIMILARITY } from '@winnow/contract/duplicate';
import { isOpen, type ModelAnalyst } from '../ai/index.ts';
import { findIssues } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import { likelihoodOf, seriesOfPairs } from './pair-likelihood.ts';
import { isWorthAsking } from './question-value.ts';
import { listPairs, type PairRow } from './store.ts';
import { type FoundPair, type ModelVerdicts, questionOf } from './verdicts-by-model.ts';

/** Maximum number of pairs judged in one run. It is also the page size when reading the queue. */
const MAX_PAIRS_AHEAD = 50;
/** Maximum number of queued pairs that are checked for a missing verdict. */
const MAX_SEARCHED_PAIRS = 1_000;
/** Number of pairs judged in parallel. Leaves capacity for questions that a user is waiting for. */
const MAX_PARALLEL = 2;
/**
 * Consecutive failures after which a run ends. The remaining pairs are judged when a list displays
 * them.
 */
const MAX_FAILURES_IN_A_ROW = 3;

export interface JudgeAheadOptions {
  db: Db;
  verdicts: ModelVerdicts;
  /** Returns null if the account has no language model that can be asked. */
  modelAnalystOf: (accountId: string) => Promise<ModelAnalyst | null>;
}

/**
 * Asks the account's language model to judge pairs of the queue in advance, most valuable first.
 * Only pairs worth asking about are judged, each at most once. Does nothing without a model. Safe
 * to repeat.
 */
export async function judgeAhead(
  { db, verdicts, modelAnalystOf }: JudgeAheadOptions,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  const analyst = await modelAnalystOf(accountId);
  if (analyst === null) return;
  const pairs = await pairsToAsk({ db, verdicts }, accountId, analyst);
  const isStillDefault = async () => {
    return (await modelAnalystOf(accountId))?.author.aiModelId === analyst.author.aiModelId;
  };
  let failures = 0;
  for (let start = 0; start < pairs.length; start += MAX_PARALLEL) {
    signal.throwIfAborted();
    // In the meantime, a user or a password reset may have replaced the model.
    if (!(await isStillDefault())) return;
    const outcomes = await Promise.all(
      pairs
        .slice(start, start + MAX_PARALLEL)
        .map((pair) => verdicts.ask(accountId, questionOf(analyst, pair))),
    );
    for (const error of outcomes) {
      failures = error === null ? 0 : failures + 1;
      if (failures === MAX_FAILURES_IN_A_ROW || error?.concernsModel) return;
    }
  }
}

/**
 * Returns the pairs of the queue that are worth asking this model about, most valuable first. Omits
 * pairs with a current verdict or a recent failure. If `analyst` is null, ignores verdicts and
 * failures.
 */
export async function pairsToAsk(
  { db, verdicts }: Pick<JudgeAheadOptions, 'db' | 'verdicts'>,
  accountId: string,
  analyst: ModelAnalyst | null,
): Promise<FoundPair[]> {
  const filter = {
    status: 'all',
    standing: 'to_decide',
    resolution: 'unresolved',
    threshold: SIMILARITY.stored,
    probability: 'mark',
    asked: { ...ASKED_PROBABILITY, similarityBelow: SIMILARITY.identical },
    order: 'value',
    onePerSeries: true,
    scope: 'account',
    projectIds: [],
    query: undefined,
    dismissed: false,
    undone: false,
  } as const;
  const open: FoundPair[] = [];
  for (let skip = 0; skip < MAX_SEARCHED_PAIRS; skip += MAX_PAIRS_AHEAD) {
    const { rows } = await listPairs(db, accountId, filter, { limit: MAX_PAIRS_AHEAD, skip });
    const pairs = (await pairsOf(db, accountId, rows)).filter(isWorthAsking);
    const questions = analyst === null ? [] : pairs.map((pair) => questionOf(analyst, pair));
    const states = await verdicts.readStored(accountId, questions);
    open.push(...pairs.filter((_pair, at) => isOpen(states[at])));
    if (rows.length < MAX_PAIRS_AHEAD || open.length >= MAX_PAIRS_AHEAD) break;
  }
  return open.slice(0, MAX_PAIRS_AHEAD);
}

async function pairsOf(db: Db, accountId: string, rows: readonly PairRow[]): Promise<FoundPair[]> {
  const ids = new Set(rows.flatMap(({ issue_a, issue_b }) => [issue_a, issue_b]));
  const byId = new Map((await findIssues(db, accountId, [...ids])).map((issue) => [issue.id, issue]));
  const series = await seriesOfPairs(db, accountId, rows);
  return rows.flatMap((row) => {
    const [first, second] = [byId.get(row.issue_a), byId.get(row.issue_b)];
    if (!first || !second) return [];
    const likelihood = likelihoodOf(row, series);
    return [{ first, second, similarity: row.similarity, likelihood, isUndecided: true }];
  });
}
