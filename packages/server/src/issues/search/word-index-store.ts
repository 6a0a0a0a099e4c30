import type { SearchItemType } from '@winnow/contract/search';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';
import { quoted, termsOf } from '../search-index/document.ts';
import { FETCH_LIMIT, type FoundItem, type SearchFilter } from './store.ts';

/** Conditions for a search in the word index, as `tsquery`. */
export interface WordsCondition {
  /**
   * Part of the condition that the index alone can check, for all texts of an item. The index
   * stores no positions, so the words of a phrase may occur anywhere.
   */
  anywhere: string;
  /** Same condition as `anywhere`, but for titles only. */
  inTitle: string;
  /** The full condition including phrases, for titles and beginnings of texts (`lead`). */
  inLead: string;
  /**
   * Condition for phrases. Checking it requires reading each item. Null if the query has no
   * phrases.
   */
  phrases: string | null;
}

/**
 * Words for ranking, each with its weight. `anyOf` is a `tsquery` on `lead` that matches if any of
 * the words occurs.
 */
export interface RankedWords {
  anyOf: string;
  weight: number;
}

/**
 * Items that meet a condition, best first. `isAll` is true if no other items meet the condition.
 */
export interface FoundByWords {
  items: FoundItem[];
  isAll: boolean;
}

/** Maximum items that are ranked. */
const MAX_RANKED_ITEMS = 2_000;
/**
 * Maximum items that are checked for a phrase if more than `MAX_RANKED_ITEMS` match. The check is
 * slow, because it reads the texts.
 */
const MAX_PHRASE_ITEMS = 1_000;
/** Number of newest items that are searched for very common words. */
const NEWEST_SCANNED_ITEMS = 1_000;
/** Maximum projects to filter by in the word index. More projects are filtered after the search. */
const MAX_PROJECT_TERMS = 20;
/**
 * Weights for ranking, in PostgreSQL's order from D to A: D is the beginning of the text, A is the
 * title.
 */
const RANK_WEIGHTS = '{0.3, 0, 0, 1}';
const RANKED_COLUMNS = sql`id, item_type, created_at, lead, words`;

interface ItemRow {
  id: string;
  item_type: SearchItemType;
}

/**
 * Finds items that meet a condition, best first, at most `FETCH_LIMIT`. Ranks them by the words in
 * title and beginning, then by date.
 *
 * If too many items match, ranks only some: matches in the title come first, then the newest items,
 * then other items. Words that match so often say little about an item.
 */
export async function findByWords(
  db: Db,
  accountId: string,
  condition: WordsCondition,
  ranked: readonly RankedWords[],
  filter: SearchFilter,
): Promise<FoundByWords> {
  return withoutTableScans(db, async (connection) => {
    const { phrases } = condition;
    const anywhere = await weigh(connection, {
      items: ofIndex(accountId, condition.anywhere, filter, RANKED_COLUMNS),
      check: phrases === null ? null : sql`words @@ ${phrases}::tsquery`,
      ranked,
    });
    if (!anywhere.isCut) return { items: anywhere.found, isAll: anywhere.found.length < FETCH_LIMIT };
    const titled = await weigh(connection, {
      items: ofIndex(accountId, condition.inTitle, filter, RANKED_COLUMNS),
      check: phrases === null ? null : sql`lead @@ ${condition.inLead}::tsquery`,
      ranked,
    });
    const first = titled.isCut ? [] : titled.found;
    if (first.length === FETCH_LIMIT) return { items: first, isAll: false };
    const newest = await findNewestWith(connection, accountId, condition.inLead, filter);
    const all = [...first, ...newest, ...titled.found, ...anywhere.found];
    const items = [...new Map(all.map((item) => [item.id, item])).values()].slice(0, FETCH_LIMIT);
    return { items, isAll: false };
  });
}

/**
 * Finds all items that meet a condition, in no particular order. Returns null if there are too
 * many, or if the condition contains phrases, which requires reading texts.
 */
export async function findAllByIndex(
  db: Db,
  accountId: string,
  condition: WordsCondition,
  filter: SearchFilter,
): Promise<FoundItem[] | null> {
  if (condition.phrases !== null) return null;
  const items = ofIndex(accountId, condition.anywhere, filter, sql<ItemRow>`id, item_type`);
  // Returns one row per item type with a list of ids, because that is much faster than one row per
  // item.
  const listed = sql<{ item_type: SearchItemType; ids: string }>`
    select item_type, string_agg(id::text, ',') as ids from (${items}) as item group by item_type
  `;
  const { rows } = await withoutTableScans(db, (connection) => listed.execute(connection));
  const found = rows.flatMap(({ item_type, ids }) =>
    ids.split(',').map((id) => ({ id, itemType: item_type })),
  );
  return found.length > MAX_RANKED_ITEMS ? null : found;
}

/**
 * Runs a query in a transaction in which PostgreSQL does not scan whole tables. The planner
 * overestimates the cost of reading long lists of the word index, and would scan the table instead.
 *
 * Resolves before the transaction has ended, which saves a round trip.
 */
function withoutTableScans<T>(db: Db, read: (connection: Db) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const connected = db.connection().execute(async (connection) => {
      // Sending both statements as one message saves another round trip.
      await sql.raw('begin; set local enable_seqscan = off').execute(connection);
      try {
        resolve(await read(connection));
      } finally {
        await sql.raw('rollback').execute(connection);
      }
    });
    connected.catch(reject);
  });
}

/** Selects items by their terms in the index, at most one more than can be ranked. */
function ofIndex<Row>(
  accountId: string,
  condition: string,
  filter: SearchFilter,
  columns: RawBuilder<Row>,
): RawBuilder<Row> {
  const places = filter.projectIds ?? [];
  const { project } = termsOf(accountId);
  const within =
    places.length > 0 && places.length <= MAX_PROJECT_TERMS
      ? `(${places.map((id) => quoted(project(id))).join(' | ')}) & (${condition})`
      : condition;
  // `offset 0` keeps the planner from using another index.
  return sql<Row>`
    select ${columns} from (
      select * from search_document where words @@ ${within}::tsquery offset 0
    ) as matching
    where ${conditions(accountId, filter)} limit ${MAX_RANKED_ITEMS + 1}
  `;
}

/** Ranks the items that pass a check. If there are too many, sorts them by date instead. */
async function weigh(
  db: Db,
  candidates: {
    items: RawBuilder<unknown>;
    check: RawBuilder<unknown> | null;
    ranked: readonly RankedWords[];
  },
): Promise<{ found: FoundItem[]; isCut: boolean }> {
  const { items, check, ranked } = candidates;
  const parts = ranked.map(
    ({ anyOf, weight }) =>
      sql`${weight}::float8 * ts_rank(${RANK_WEIGHTS}::float4[], lead, ${anyOf}::tsquery)`,
  );
  const rank = parts.length === 0 ? sql`0::float8` : sql.join(parts, sql` + `);
  const most = sql`select case when items > ${MAX_RANKED_ITEMS} then ${MAX_PHRASE_ITEMS}::int end from counted`;
  const checked =
    check === null
      ? sql`select * from item`
      : sql`select * from (select * from item limit (${most})) as some_of_them where ${check}`;
  const { rows } = await sql<{ id: string | null; item_type: SearchItemType; items: number }>`
    with item as materialized (${items}), counted as (select count(*) as items from item),
      checked as materialized (${checked})
    select id, item_type, items from counted left join checked on true
    order by case when items > ${MAX_RANKED_ITEMS} then 0 else ${rank} end desc, created_at desc, id
    limit ${FETCH_LIMIT}
  `.execute(db);
  return {
    found: rows.flatMap(({ id, item_type }) => (id === null ? [] : [{ id, itemType: item_type }])),
    isCut: (rows[0]?.items ?? 0) > MAX_RANKED_ITEMS,
  };
}

/** Finds matches in title or beginning among the newest items. */
async function findNewestWith(
  db: Db,
  accountId: string,
  condition: string,
  filter: SearchFilter,
): Promise<FoundItem[]> {
  const { rows } = await sql<ItemRow>`
    select id, item_type from (
      select id, item_type, lead from search_document
      where ${conditions(accountId, filter)}
      order by created_at desc, id limit ${NEWEST_SCANNED_ITEMS}
    ) as newest
    where lead @@ ${condition}::tsquery limit ${FETCH_LIMIT}
  `.execute(db);
  return rows.map(({ id, item_type }) => ({ id, itemType: item_type }));
}

function conditions(accountId: string, filter: SearchFilter): RawBuilder<unknown> {
  const all = [sql`account_id = ${accountId}`];
  if (filter.itemTypes.length < 3) all.push(sql`item_type = any (${filter.itemTypes}::text[])`);
  if (filter.status !== 'all') all.push(sql`state = ${filter.status}`);
  if (filter.projectIds !== null) all.push(sql`project_id = any (${filter.projectIds}::uuid[])`);
  if (filter.issueIds !== null) all.push(sql`issue_id = any (${filter.issueIds}::uuid[])`);
  return sql.join(all, sql` and `);
}

/** Returns those of the given items that meet a condition of the word index. */
export async function filterMatching(
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
