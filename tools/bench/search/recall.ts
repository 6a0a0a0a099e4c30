import { type SearchResults, searchResults, searchType } from '@winnow/contract/search';
import { sql } from 'kysely';
import { fillAccount, type SearchBench } from '../../data/search-account.ts';
import type { Api } from '../../product/api.ts';
import type { Emit } from '../run.ts';

/** Maximum number of result pages that are searched for older reports. */
const PAGES = 5;
const PAGE = 100;
const DEPTHS = [1, 10];

/**
 * Measures how well the duplicates of a labelled report are found by searching for its title.
 * For reports with an older duplicate, emits the share whose duplicate is among the first older
 * results. The report itself and later reports are skipped.
 * Compares the three types of search with a plain PostgreSQL search: English full text, any word of
 * the title, ranked with `ts_rank`.
 */
export async function measureSearchRecall(emit: Emit, bench: SearchBench, api: Api): Promise<void> {
  const { reports, clusters } = bench.reports;
  const { accountId, idOf } = await fillAccount(bench, api, reports.length, 1);
  const places = new Map(reports.map(({ id }, place) => [idOf.get(id) ?? '', place]));
  const placeOf = new Map(reports.map(({ id }, place) => [id, place]));
  const queries = clusters.flatMap((ids) => {
    const members = ids.map((id) => placeOf.get(id) ?? 0).sort((a, b) => a - b);
    return members.slice(1).map((place, at) => ({ place, truth: new Set(members.slice(0, at + 1)) }));
  });
  const methods: Record<string, (title: string) => Promise<string[]>> = {
    ts_rank: (title) => byPostgres(bench, accountId, title),
  };
  for (const type of searchType.options) methods[type] = (title) => bySearch(api, type, title);
  for (const [method, find] of Object.entries(methods)) {
    const ranks: number[] = [];
    for (const { place, truth } of queries) {
      const found = await find(reports[place]?.title ?? '');
      const older = found.flatMap((id) => {
        const at = places.get(id) ?? place;
        return at < place ? [at] : [];
      });
      const rank = older.findIndex((at) => truth.has(at));
      ranks.push(rank < 0 ? Number.POSITIVE_INFINITY : rank + 1);
    }
    for (const depth of DEPTHS) {
      const value = ranks.filter((rank) => rank <= depth).length / ranks.length;
      emit({ name: `${method}.recall_at_${depth}`, value, unit: 'ratio', detail: { queries: ranks.length } });
    }
    const value = ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;
    emit({ name: `${method}.mean_reciprocal_rank`, value, unit: 'ratio', detail: { queries: ranks.length } });
  }
}

async function bySearch(api: Api, search_type: string, query: string): Promise<string[]> {
  const found: string[] = [];
  for (let page = 0; page < PAGES; page += 1) {
    const asked = { query, search_type, limit: String(PAGE), skip: String(page * PAGE) };
    const { results }: SearchResults = await api.get(`/search?${new URLSearchParams(asked)}`, searchResults);
    found.push(...results.map(({ item }) => item.id));
    if (results.length < PAGE) break;
  }
  return found;
}

async function byPostgres({ db }: SearchBench, accountId: string, title: string): Promise<string[]> {
  const document = sql`setweight(to_tsvector('english', title), 'A') || to_tsvector('english', description)`;
  const { rows } = await sql<{ id: string }>`
    select issue.id from issue,
      to_tsquery('english', (
        select string_agg(quote_literal(lexeme), ' | ') from unnest(to_tsvector('english', ${title}))
      )) as query
    where account_id = ${accountId} and (${document}) @@ query
    order by ts_rank(${document}, query, 1) desc, id limit ${PAGES * PAGE}
  `.execute(db);
  return rows.map(({ id }) => id);
}
