import type { SearchItemType } from '@winnow/contract/search';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';
import { quoted, termsOf } from './document.ts';
import { type FoundItem, type SearchFilter, WANTED } from './store.ts';

/** Which items are looked for in the index of words, in the notation of `tsquery`. */
export interface WordsCondition {
  anywhere: string;
  /** The same, of their titles. */
  inTitle: string;
  /** The same, of titles and openings (`lead`). */
  inLead: string;
}

/** Words that count when what was found is put in order, any of them (`tsquery` on `lead`), and what each weighs. */
export interface RankedWords {
  anyOf: string;
  weight: number;
}

/** When more items match, not all of them are put in order. */
const MOST_RANKED = 2_000;
/** Of words that many items have, the newest items are looked through. */
const NEWEST_LOOKED_AT = 3_000;
/** More projects than these are not looked up in the index of words. */
const MOST_PROJECT_TERMS = 20;
/** What a word counts in the opening and in the title; in PostgreSQL's order of weights, from D to A. */
const RANK_WEIGHTS = '{0.3, 0, 0, 1}';

/**
 * Items that meet a condition, best first: those that have the ranked words in their title or their opening, then the
 * newest. At most one more than is counted. Where a condition holds for very many items they are not all weighed: those with
 * the words in the title come first, then the newest, then any others; a word that many items have tells little of any.
 */
export async function findByWords(
  db: Db,
  accountId: string,
  condition: WordsCondition,
  ranked: readonly RankedWords[],
  filter: SearchFilter,
): Promise<FoundItem[]> {
  return db.transaction().execute(async (transaction) => {
    // The planner takes looking into long lists of words for cheap, and would read the whole table.
    await sql`set local enable_seqscan = off`.execute(transaction);
    const anywhere = await weigh(transaction, ofIndex(accountId, condition.anywhere, filter), ranked);
    if (!anywhere.isCut) return anywhere.found;
    const titled = await weigh(transaction, ofIndex(accountId, condition.inTitle, filter), ranked);
    const first = titled.isCut ? [] : titled.found;
    if (first.length === WANTED) return first;
    const newest = await findNewestWith(transaction, accountId, condition.inLead, filter);
    const found = new Map([...first, ...newest, ...anywhere.found].map((item) => [item.id, item]));
    return [...found.values()].slice(0, WANTED);
  });
}

/** The items whose terms meet a condition, as many as are weighed and one more. */
function ofIndex(accountId: string, condition: string, filter: SearchFilter): RawBuilder<unknown> {
  const places = filter.projectIds ?? [];
  const { project } = termsOf(accountId);
  const within =
    places.length > 0 && places.length <= MOST_PROJECT_TERMS
      ? `(${places.map((id) => quoted(project(id))).join(' | ')}) & (${condition})`
      : condition;
  // The inner query leaves the planner no other index to use.
  return sql`
    select id, item_type, created_at, lead from (
      select * from search_document where words @@ ${within}::tsquery offset 0
    ) as matching
    where ${conditions(accountId, filter)} limit ${MOST_RANKED + 1}
  `;
}

/** Puts candidates in order, the newest first when there are too many. */
async function weigh(
  db: Db,
  candidates: RawBuilder<unknown>,
  ranked: readonly RankedWords[],
): Promise<{ found: FoundItem[]; isCut: boolean }> {
  const parts = ranked.map(
    ({ anyOf, weight }) =>
      sql`${weight}::float8 * ts_rank(${RANK_WEIGHTS}::float4[], lead, ${anyOf}::tsquery)`,
  );
  const rank = parts.length === 0 ? sql`0::float8` : sql.join(parts, sql` + `);
  const { rows } = await sql<{ id: string; item_type: SearchItemType; candidates: number }>`
    with candidate as materialized (${candidates}), counted as (select count(*) as candidates from candidate)
    select id, item_type, candidates from candidate, counted
    order by case when candidates > ${MOST_RANKED} then 0 else ${rank} end desc, created_at desc, id
    limit ${WANTED}
  `.execute(db);
  return {
    found: rows.map(({ id, item_type }) => ({ id, itemType: item_type })),
    isCut: (rows[0]?.candidates ?? 0) > MOST_RANKED,
  };
}

/** Those of the newest items whose title or opening meets a condition. */
async function findNewestWith(
  db: Db,
  accountId: string,
  condition: string,
  filter: SearchFilter,
): Promise<FoundItem[]> {
  const { rows } = await sql<{ id: string; item_type: SearchItemType }>`
    select id, item_type from (
      select id, item_type, lead from search_document
      where ${conditions(accountId, filter)}
      order by created_at desc, id limit ${NEWEST_LOOKED_AT}
    ) as newest
    where lead @@ ${condition}::tsquery limit ${WANTED}
  `.execute(db);
  return rows.map(({ id, item_type }) => ({ id, itemType: item_type }));
}

function conditions(accountId: string, filter: SearchFilter): RawBuilder<unknown> {
  const all = [sql`account_id = ${accountId}`];
  if (filter.itemTypes.length < 3) all.push(sql`item_type = any (${filter.itemTypes}::text[])`);
  if (filter.status !== 'all') all.push(sql`state = ${filter.status}`);
  if (filter.projectIds !== null) all.push(sql`project_id = any (${filter.projectIds}::uuid[])`);
  return sql.join(all, sql` and `);
}

/** Those of the items that meet a condition of the index of words. */
export async function keepMatching(
  db: Db,
  accountId: string,
  ids: readonly string[],
  condition: string,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from search_document
    where account_id = ${accountId} and id = any (${ids}::uuid[]) and words @@ ${condition}::tsquery
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}
