import type { IssueState } from '@winnow/contract/issue';
import type { SearchItemType } from '@winnow/contract/search';
import { sql } from 'kysely';
import { prepared } from '../../platform/database.ts';
import type { Db } from '../../schema/tables.ts';
import { searchDocument } from './document.ts';

/**
 * Maximum items that are indexed in one transaction. A sync waits until the transaction commits.
 */
const BATCH_ITEMS = 200;
/** Maximum size in bytes of the texts in a batch. A larger item is indexed alone. */
const BATCH_BYTES = 400_000;

interface StaleItem {
  id: string;
  issue_id: string;
  comment_id: string | null;
  project_id: string;
  item_type: SearchItemType;
  state: IssueState;
  created_at: Date;
  title: string;
  body: string;
}

/** Returns the ids of accounts that have items with an outdated index. */
export async function accountsToIndex(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('search_stale').select('account_id').distinct().execute();
  return rows.map((row) => row.account_id);
}

/** Returns the number of items of an account whose index is outdated. Counts at most to `most`. */
export async function countStale(db: Db, accountId: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ${prepared} count(*)::int as count
    from (select from search_stale where account_id = ${accountId} limit ${most}) as stale
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Indexes a batch of changed items. Returns the number of items, 0 if none remain. An advisory lock
 * allows only one indexer per account, over all processes. It is safe to abort at any time.
 */
export async function indexStale(db: Db, accountId: string): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('search ' || ${accountId}, 0))`.execute(
      transaction,
    );
    const ids = await nextBatch(transaction, accountId);
    if (ids.length === 0) return 0;
    await lockItems(transaction, accountId, ids);
    // Deletes the marks before reading the texts. If a text changes afterwards, its item is marked
    // again.
    await sql`delete from search_stale where account_id = ${accountId} and id = any (${ids}::uuid[])`.execute(
      transaction,
    );
    const items = await readItems(transaction, accountId, ids);
    await storeDocuments(transaction, accountId, items);
    return ids.length;
  });
}

/**
 * Returns the ids of the items for the next batch. Returns at least one id, unless no items remain.
 */
async function nextBatch(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with stale as (
      select id from search_stale where account_id = ${accountId} order by id limit ${BATCH_ITEMS}
    ), sized as (
      select stale.id,
             coalesce(octet_length(issue.title) + octet_length(issue.description), octet_length(comment.body), 0)
               as bytes
      from stale
      left join issue on issue.account_id = ${accountId} and issue.id = stale.id
      left join comment on comment.account_id = ${accountId} and comment.id = stale.id
    ), summed as (
      select id, sum(bytes) over (order by id) - bytes as before, sum(bytes) over (order by id) as total from sized
    )
    select id from summed where before = 0 or total <= ${BATCH_BYTES} order by id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Locks issues and comments in the order of their ids, so that they cannot be deleted. All code
 * locks them in this order.
 */
async function lockItems(db: Db, accountId: string, ids: readonly string[]): Promise<void> {
  await sql`
    select from issue
    where account_id = ${accountId} and id in (
      select id from unnest(${ids}::uuid[]) as stale (id)
      union select issue_id from comment where account_id = ${accountId} and id = any (${ids}::uuid[])
    )
    order by id for key share
  `.execute(db);
  await sql`
    select from comment where account_id = ${accountId} and id = any (${ids}::uuid[]) order by id for key share
  `.execute(db);
}

async function readItems(db: Db, accountId: string, ids: readonly string[]): Promise<StaleItem[]> {
  const { rows } = await sql<StaleItem>`
    select id, id as issue_id, null::uuid as comment_id, project_id,
           case when issue_type = 'change_request' then issue_type else 'issue' end as item_type,
           state, created_at, title, description as body
    from issue where account_id = ${accountId} and id = any (${ids}::uuid[])
    union all
    select comment.id, issue.id, comment.id, issue.project_id, 'comment', issue.state, comment.created_at, '', comment.body
    from comment join issue on issue.account_id = comment.account_id and issue.id = comment.issue_id
    where comment.account_id = ${accountId} and comment.id = any (${ids}::uuid[])
  `.execute(db);
  return rows;
}

async function storeDocuments(db: Db, accountId: string, items: readonly StaleItem[]): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ title, body, ...item }) => ({
    account_id: accountId,
    ...item,
    ...searchDocument({ accountId, projectId: item.project_id, title, body }),
  }));
  await sql`
    insert into search_document
    select * from json_populate_recordset(null::search_document, ${JSON.stringify(rows)})
    on conflict (account_id, id) do update
      set item_type = excluded.item_type, state = excluded.state, lead = excluded.lead, words = excluded.words
  `.execute(db);
  // A search by state includes a comment if its issue has that state.
  await sql`
    update search_document set state = issue.state
    from issue
    where search_document.account_id = ${accountId} and search_document.item_type = 'comment'
      and search_document.issue_id = any (${items.map((item) => item.issue_id)}::uuid[])
      and issue.account_id = ${accountId} and issue.id = search_document.issue_id
      and issue.state <> search_document.state
  `.execute(db);
}
