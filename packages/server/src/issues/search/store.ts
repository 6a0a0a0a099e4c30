import type { StatusFilter } from '@winnow/contract/issue';
import { MAX_COUNTED_RESULTS, type SearchItemType } from '@winnow/contract/search';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';
import type { CommentRow } from '../store.ts';

/** Restrictions on search results. */
export interface SearchFilter {
  itemTypes: readonly SearchItemType[];
  status: StatusFilter;
  /** Only items of these projects. Null: all projects. */
  projectIds: readonly string[] | null;
  /** Only these issues and their comments. Null: no restriction. */
  issueIds: readonly string[] | null;
}

/** An item that a search found. */
export interface FoundItem {
  id: string;
  itemType: SearchItemType;
}

/**
 * Maximum rows fetched. One more than the maximum count: the extra row shows that more items exist.
 */
export const FETCH_LIMIT = MAX_COUNTED_RESULTS + 1;

/** Returns a page of the newest items, and the total number of items. */
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
      select count(*)::int as total from (${newestOf(accountId, filter, null)}) as newest
    `.execute(db),
  ]);
  return {
    found: found.rows.map(({ id, item_type }) => ({ id, itemType: item_type })),
    total: counted.rows[0]?.total ?? 0,
  };
}

/** Selects the newest issues and comments from their own tables, at most `most` of each. */
function newestOf(accountId: string, filter: SearchFilter, most: number | null): RawBuilder<unknown> {
  const { itemTypes } = filter;
  const place = sql`issue.account_id = ${accountId} and ${ofFilter(filter)}`;
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

/** An issue found by its number. */
export interface NumberedIssue {
  id: string;
  key: string;
  url: string;
  item_type: 'issue' | 'change_request';
}

/** Returns the issues whose key ends with this number, sorted by key. */
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
    order by key, id limit ${FETCH_LIMIT}
  `.execute(db);
  return rows.filter((row) => filter.itemTypes.includes(row.item_type));
}

/** Returns the issue, change request or comment with this id. */
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

function ofFilter({ status, projectIds, issueIds }: SearchFilter): RawBuilder<unknown> {
  const all = [sql`true`];
  if (status !== 'all') all.push(sql`issue.state = ${status}`);
  if (projectIds !== null) all.push(sql`issue.project_id = any (${projectIds}::uuid[])`);
  if (issueIds !== null) all.push(sql`issue.id = any (${issueIds}::uuid[])`);
  return sql.join(all, sql` and `);
}

/** Returns the account's comments with these ids, in no particular order. */
export async function findComments(db: Db, accountId: string, ids: readonly string[]): Promise<CommentRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('comment')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${ids}::uuid[])`)
    .execute();
}

/** Returns the fields of the account's issues that the map shows. */
export function findMapLabels(db: Db, accountId: string, ids: readonly string[]) {
  return db
    .selectFrom('issue')
    .select(['id', 'project_id', 'key', 'title', 'state'])
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${ids}::uuid[])`)
    .execute();
}
