import type { PairLikelihood } from '@winnow/analysis/verdict';
import type { Engine } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import { findSeriesByIds, type SeriesRow } from './series-store.ts';
import type { PairRow, StoredScore } from './store.ts';

/** Likelihood of a pair, without the thresholds, which are the same for all pairs. */
export type KnownLikelihood = Omit<PairLikelihood, 'marks'>;

/**
 * Computes the scores of pairs as the analysis does. Omits pairs with an issue that has no vector
 * yet or that is excluded from comparison.
 */
export async function scorePairs(
  engine: Pick<Engine, 'call'>,
  accountId: string,
  pairs: readonly (readonly [string, string])[],
): Promise<StoredScore[]> {
  const scores = await engine.call('scorePairs', { accountId, pairs: [...pairs] });
  return pairs.flatMap(([issueId, otherId], index) => {
    const score = scores[index];
    return score ? [{ issueId, otherId, ...score }] : [];
  });
}

/** Returns the series that these pairs belong to, by series id. */
export async function seriesOfPairs(
  db: Db,
  accountId: string,
  rows: readonly Pick<PairRow, 'series_id'>[],
): Promise<Map<string, SeriesRow>> {
  const ids = new Set(rows.flatMap(({ series_id }) => (series_id === null ? [] : [series_id])));
  return new Map((await findSeriesByIds(db, accountId, [...ids])).map((series) => [series.id, series]));
}

/** Returns the likelihood of a stored pair. */
export function likelihoodOf(
  row: Pick<PairRow, 'probability' | 'is_mutual_best' | 'series_id'>,
  series: ReadonlyMap<string, Pick<SeriesRow, 'frame'>>,
): KnownLikelihood {
  return {
    probability: row.probability,
    isMutualBest: row.is_mutual_best,
    seriesFrame: series.get(row.series_id ?? '')?.frame ?? null,
  };
}
