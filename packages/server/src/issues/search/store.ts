import type { StatusFilter } from '@winnow/contract/issue';
import { MOST_COUNTED, type SearchItemType } from '@winnow/contract/search';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';
import type { CommentRow } from '../store.ts';
import { quoted, termsOf } from './document.ts';

/** What a search may find. */
export interface SearchFilter {
  itemTypes: readonly SearchItemType[];
  status: StatusFilter;
  /** In one of these projects; anywhere when null. */
  projectIds: readonly string[] | null;
}

/** An item that was found. */
export interface FoundItem {
  id: string;
  itemType: SearchItemType;
}

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

/** One more than is counted, so that it is known whether there are more. */
const WANTED = MOST_COUNTED + 1;
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

/** A page of the newest items, and how many there are, counted to one more than is told. */
export async function findNewest(
  db: Db,
  accountId: string,
  filter: SearchFilter,
  page: { limit: number; skip: number },
): Promise<{ found: FoundItem[]; total: number }> {
  const [found, counted] = await Promise.all([
    sql<{ id: string; item_type: SearchItemType }>`
      select id, item_type from (${newestOf(accountId, filter, page.skip + page.limit)}) as newest
      order by created_at desc, id limit ${page.limit} offset ${page.skip}
    `.execute(db),
    sql<{ total: number }>`
      select count(*)::int as total from (${newestOf(accountId, filter, WANTED)}) as newest
    `.execute(db),
  ]);
  return {
    found: found.rows.map(({ id, item_type }) => ({ id, itemType: item_type })),
    total: Math.min(WANTED, counted.rows[0]?.total ?? 0),
  };
}

/** The newest issues and the newest comments, so many of each, read from where they are stored. */
function newestOf(accountId: string, filter: SearchFilter, most: number): RawBuilder<unknown> {
  const { itemTypes, status, projectIds } = filter;
  const ofIssue = [sql`issue.account_id = ${accountId}`];
  if (status !== 'all') ofIssue.push(sql`issue.state = ${status}`);
  if (projectIds !== null) ofIssue.push(sql`issue.project_id = any (${projectIds}::uuid[])`);
  const place = sql.join(ofIssue, sql` and `);
  const parts: RawBuilder<unknown>[] = [];
  if (itemTypes.includes('issue') || itemTypes.includes('change_request')) {
    const type = sql`case when issue.issue_type = 'change_request' then 'change_request' else 'issue' end`;
    parts.push(sql`(
      select issue.id, ${type} as item_type, issue.created_at from issue
      where ${place} and ${type} = any (${itemTypes}::text[])
      order by issue.created_at desc, issue.id limit ${most}
    )`);
  }
  if (itemTypes.includes('comment')) {
    parts.push(sql`(
      select comment.id, 'comment' as item_type, comment.created_at
      from comment join issue on issue.account_id = comment.account_id and issue.id = comment.issue_id
      where comment.account_id = ${accountId} and ${place}
      order by comment.created_at desc, comment.id limit ${most}
    )`);
  }
  return sql.join(parts, sql` union all `);
}

/** An issue that a number may name. */
export interface NumberedIssue {
  id: string;
  key: string;
  url: string;
  item_type: 'issue' | 'change_request';
}

/** The issues whose key ends with this number, by key. */
export async function findNumbered(
  db: Db,
  accountId: string,
  number: string,
  filter: SearchFilter,
): Promise<NumberedIssue[]> {
  const { rows } = await sql<NumberedIssue>`
    select id, key, url, case when issue_type = 'change_request' then 'change_request' else 'issue' end as item_type
    from issue
    where account_id = ${accountId} and substring(key from '[0-9]+$') = ${number} and ${ofFilter(filter)}
    order by key, id limit ${WANTED}
  `.execute(db);
  return rows.filter((row) => filter.itemTypes.includes(row.item_type));
}

/** The issue, change request or comment with this id. */
export async function findById(
  db: Db,
  accountId: string,
  id: string,
  filter: SearchFilter,
): Promise<FoundItem[]> {
  const { rows } = await sql<{ id: string; item_type: SearchItemType }>`
    select id, case when issue_type = 'change_request' then 'change_request' else 'issue' end as item_type
    from issue where account_id = ${accountId} and id = ${id} and ${ofFilter(filter)}
    union all
    select comment.id, 'comment' from comment
    join issue on issue.account_id = comment.account_id and issue.id = comment.issue_id
    where comment.account_id = ${accountId} and comment.id = ${id} and ${ofFilter(filter)}
  `.execute(db);
  return rows
    .map(({ id, item_type }) => ({ id, itemType: item_type }))
    .filter(({ itemType }) => filter.itemTypes.includes(itemType));
}

function ofFilter({ status, projectIds }: SearchFilter): RawBuilder<unknown> {
  const all = [sql`true`];
  if (status !== 'all') all.push(sql`issue.state = ${status}`);
  if (projectIds !== null) all.push(sql`issue.project_id = any (${projectIds}::uuid[])`);
  return sql.join(all, sql` and `);
}

/** The comments with these ids, in no particular order; those of other accounts are not among them. */
export function findComments(db: Db, accountId: string, ids: readonly string[]): Promise<CommentRow[]> {
  return db
    .selectFrom('comment')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${ids}::uuid[])`)
    .execute();
}

/** What the map says of issues; those of other accounts are not among them. */
export function findMapLabels(db: Db, accountId: string, ids: readonly string[]) {
  return db
    .selectFrom('issue')
    .select(['id', 'project_id', 'key', 'title', 'state'])
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${ids}::uuid[])`)
    .execute();
}
