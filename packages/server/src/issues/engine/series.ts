import { findSeries, type Series, seriesCandidates, umbrellaIn } from '@winnow/analysis/series';
import type { Db } from '../../schema/tables.ts';
import { isOfTracker } from './dependencies.ts';
import { textsForSeries, titlesForSeries } from './store.ts';

/** Number of issues whose descriptions are read at a time. */
const READ_BATCH = 500;

/**
 * Finds the series of an account: issues whose titles share a frame and differ in one word. Reads
 * descriptions only for such issues.
 *
 * The umbrella of an issue is its parent. If it has none, the umbrella is the first issue of the
 * same tracker that its text mentions.
 */
export async function seriesOfAccount(db: Db, accountId: string): Promise<Series[]> {
  const issues = await titlesForSeries(db, accountId);
  const known = new Set(issues.map(({ tracker_id, key }) => `${tracker_id} ${key}`));
  const candidates = seriesCandidates(issues);
  const umbrellas = new Map<string, string | null>();
  for (let start = 0; start < candidates.length; start += READ_BATCH) {
    const batch = new Map(candidates.slice(start, start + READ_BATCH).map((issue) => [issue.id, issue]));
    for (const { id, url, description } of await textsForSeries(db, accountId, [...batch.keys()])) {
      const { key = '', tracker_id } = batch.get(id) ?? {};
      const isKnown = (named: string, host: string | null) =>
        known.has(`${tracker_id} ${named}`) && isOfTracker({ url }, host);
      umbrellas.set(id, umbrellaIn({ key, url, body: description }, isKnown));
    }
  }
  return findSeries(
    candidates.map(({ id, title, author, parent_key }) => {
      return { id, title, author, umbrella: parent_key ?? umbrellas.get(id) ?? null };
    }),
  );
}
