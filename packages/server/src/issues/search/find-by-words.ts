import type { SearchItemType } from '@winnow/contract/search';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';
import { quoted, termsOf } from './document.ts';
import { type FoundItem, type SearchFilter, WANTED } from './store.ts';

/** Which items are looked for in the index of words, in the notation of `tsquery`. */
export interface WordsCondition {
  /** What the index answers alone: it has no places, so the words of a phrase stand anywhere. */
  anywhere: string;
  /** The same, of their titles. */
  inTitle: string;
  /** Everything, of titles and openings (`lead`). */
  inLead: string;
  /** The phrases, for which every item has to be read; null without any. */
  phrases: string | null;
}

/** Words that count when what was found is put in order, any of them (`tsquery` on `lead`), and what each weighs. */
export interface RankedWords {
  anyOf: string;
  weight: number;
}

/** Items that meet a condition, best first; whether these are all of them. */
export interface FoundByWords {
  items: FoundItem[];
  isAll: boolean;
}

/** When the index knows of more items, not all of them are put in order. */
const MOST_RANKED = 2_000;
/** Nor are more than these then read for a phrase, which takes longer. */
const MOST_READ = 1_000;
/** Of words that many items have, the newest items are looked through. */
const NEWEST_LOOKED_AT = 1_000;
/** More projects than these are not looked up in the index of words. */
const MOST_PROJECT_TERMS = 20;
/** What a word counts in the opening and in the title; in PostgreSQL's order of weights, from D to A. */
const RANK_WEIGHTS = '{0.3, 0, 0, 1}';

/**
 * Items that meet a condition, best first: those that have the ranked words in their title or their opening, then the
 * newest. At most one more than is counted. Where very many items have the words they are not all looked at: those with
 * the words in the title come first, then the newest, then any others; a word that many items have tells little of any.
 */
export async function findByWords(
  db: Db,
  accountId: string,
  condition: WordsCondition,
  ranked: readonly RankedWords[],
  filter: SearchFilter,
): Promise<FoundByWords> {
  return db.transaction().execute(async (transaction) => {
    // The planner takes looking into long lists of words for cheap, and would read the whole table.
    await sql`set local enable_seqscan = off`.execute(transaction);
    const { phrases } = condition;
    const anywhere = await weigh(transaction, {
      items: ofIndex(accountId, condition.anywhere, filter),
      check: phrases === null ? null : sql`words @@ ${phrases}::tsquery`,
      ranked,
    });
    if (!anywhere.isCut) return { items: anywhere.found, isAll: anywhere.found.length < WANTED };
    const titled = await weigh(transaction, {
      items: ofIndex(accountId, condition.inTitle, filter),
      check: phrases === null ? null : sql`lead @@ ${condition.inLead}::tsquery`,
      ranked,
    });
    const first = titled.isCut ? [] : titled.found;
    if (first.length === WANTED) return { items: first, isAll: false };
    const newest = await findNewestWith(transaction, accountId, condition.inLead, filter);
    const all = [...first, ...newest, ...titled.found, ...anywhere.found];
    const items = [...new Map(all.map((item) => [item.id, item])).values()].slice(0, WANTED);
    return { items, isAll: false };
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
    select id, item_type, created_at, lead, words from (
      select * from search_document where words @@ ${within}::tsquery offset 0
    ) as matching
    where ${conditions(accountId, filter)} limit ${MOST_RANKED + 1}
  `;
}

/** Puts those of the items that pass a check in order, the newest first when there are too many items. */
async function weigh(
  db: Db,
  looked: { items: RawBuilder<unknown>; check: RawBuilder<unknown> | null; ranked: readonly RankedWords[] },
): Promise<{ found: FoundItem[]; isCut: boolean }> {
  const { items, check, ranked } = looked;
  const parts = ranked.map(
    ({ anyOf, weight }) =>
      sql`${weight}::float8 * ts_rank(${RANK_WEIGHTS}::float4[], lead, ${anyOf}::tsquery)`,
  );
  const rank = parts.length === 0 ? sql`0::float8` : sql.join(parts, sql` + `);
  const most = sql`select case when items > ${MOST_RANKED} then ${MOST_READ}::int end from counted`;
  const checked =
    check === null
      ? sql`select * from item`
      : sql`select * from (select * from item limit (${most})) as some_of_them where ${check}`;
  const { rows } = await sql<{ id: string | null; item_type: SearchItemType; items: number }>`
    with item as materialized (${items}), counted as (select count(*) as items from item),
      checked as materialized (${checked})
    select id, item_type, items from counted left join checked on true
    order by case when items > ${MOST_RANKED} then 0 else ${rank} end desc, created_at desc, id
    limit ${WANTED}
  `.execute(db);
  return {
    found: rows.flatMap(({ id, item_type }) => (id === null ? [] : [{ id, itemType: item_type }])),
    isCut: (rows[0]?.items ?? 0) > MOST_RANKED,
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
  if (filter.issueIds !== null) all.push(sql`id = any (${filter.issueIds}::uuid[])`);
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
