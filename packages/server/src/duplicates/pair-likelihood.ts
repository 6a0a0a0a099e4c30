import type { PairLikelihood } from '@winnow/analysis/verdict';
import type { Db } from '../schema/tables.ts';
import { findSeriesByIds, type SeriesRow } from './series-store.ts';
import type { PairRow } from './store.ts';

/** Facts about two issues apart from their texts, without the marks that all pairs share. */
export type KnownLikelihood = Omit<PairLikelihood, 'marks'>;

/** Likelihood of a pair that is not stored because its issues are not similar enough. */
const UNKNOWN: KnownLikelihood = { probability: 0, isMutualBest: false, seriesFrame: null };

/** Finds the series of stored pairs by id. */
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
  row: Pick<PairRow, 'probability' | 'is_mutual_best' | 'series_id'> | undefined,
  series: ReadonlyMap<string, Pick<SeriesRow, 'frame'>>,
): KnownLikelihood {
  if (row === undefined) return UNKNOWN;
  return {
    probability: row.probability,
    isMutualBest: row.is_mutual_best,
    seriesFrame: series.get(row.series_id ?? '')?.frame ?? null,
  };
}
