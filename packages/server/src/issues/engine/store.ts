import { type Selectable, sql } from 'kysely';
import type { IssueTable } from '../../schema/issue-tables.ts';
import type { Db } from '../../schema/tables.ts';
import { encodeVector } from './vector.ts';

/**
 * Returns the revision of the account's issues. Returns undefined if the account never had issues.
 */
export async function readRevision(db: Db, accountId: string): Promise<number | undefined> {
  const state = await db
    .selectFrom('analysis_state')
    .select('revision')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return state?.revision;
}

/**
 * Returns the issues that were added or changed after a revision, in the order of their revisions.
 */
export function issuesSince(db: Db, accountId: string, revision: number) {
  return db
    .selectFrom('issue')
    .select(['id', 'issue_type'])
    .where('account_id', '=', accountId)
    .where('revision', '>', revision)
    .orderBy('revision')
    .execute();
}

/** Returns the number of issues of an account, without change requests. */
export async function countComparable(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('issue')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .where('issue_type', '<>', 'change_request')
    .executeTakeFirstOrThrow();
  return count;
}

export async function issueIdsOf(db: Db, accountId: string): Promise<Set<string>> {
  const rows = await db.selectFrom('issue').select('id').where('account_id', '=', accountId).execute();
  return new Set(rows.map((row) => row.id));
}

/**
 * Returns the ids of issues whose stored pairs are outdated, because their text has changed since.
 */
export async function staleIssues(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('issue')
    .select('id')
    .where('account_id', '=', accountId)
    .where('issue_type', '<>', 'change_request')
    .whereRef('analyzed_hash', 'is distinct from', 'content_hash')
    .execute();
  return rows.map((row) => row.id);
}

/** Returns the titles of the account's issues, oldest first, to search them for series. */
export function titlesForSeries(db: Db, accountId: string) {
  return db
    .selectFrom('issue')
    .select(['id', 'tracker_id', 'key', 'title', 'author', 'parent_key'])
    .where('account_id', '=', accountId)
    .where('issue_type', '<>', 'change_request')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Returns the ids, URLs and descriptions of these issues. */
export function textsForSeries(db: Db, accountId: string, issueIds: readonly string[]) {
  return db
    .selectFrom('issue')
    .select(['id', 'url', 'description'])
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${issueIds}::uuid[])`)
    .execute();
}

/** Loads issues for the index. Each includes its vector, if one with this fingerprint is stored. */
export function loadIssues(db: Db, accountId: string, fingerprint: string, issueIds: readonly string[]) {
  return db
    .selectFrom('issue')
    .leftJoin('issue_vector', (join) =>
      join
        .onRef('issue_vector.account_id', '=', 'issue.account_id')
        .onRef('issue_vector.issue_id', '=', 'issue.id')
        .on('issue_vector.fingerprint', '=', fingerprint),
    )
    .select([
      'issue.id',
      'issue.project_id',
      'issue.title',
      'issue.description',
      'issue.author',
      'issue.created_at',
      'issue.closed_at',
      'issue.content_hash',
      'issue.state',
      'issue_vector.text_hash',
      'issue_vector.vector',
    ])
    .where('issue.account_id', '=', accountId)
    .where('issue.id', 'in', [...issueIds])
    .execute();
}

export type IssueText = Pick<Selectable<IssueTable>, 'id' | 'title' | 'description'>;

export async function textsOf(db: Db, accountId: string, issueIds: readonly string[]): Promise<IssueText[]> {
  if (issueIds.length === 0) return [];
  return db
    .selectFrom('issue')
    .select(['id', 'title', 'description'])
    .where('account_id', '=', accountId)
    .where('id', 'in', [...issueIds])
    .execute();
}

/** Stores vectors, each with the hash of its text. Skips issues that were deleted meanwhile. */
export async function storeVectors(
  db: Db,
  accountId: string,
  fingerprint: string,
  vectors: readonly { issueId: string; textHash: Buffer; vector: Float32Array }[],
): Promise<void> {
  const issueIds = vectors.map(({ issueId }) => issueId);
  await db.transaction().execute(async (transaction) => {
    // Locks the issues in the order of their ids, as all code does, because a concurrent
    // transaction may delete some.
    await transaction
      .selectFrom('issue')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', 'in', issueIds)
      .orderBy('id')
      .forKeyShare()
      .execute();
    await sql`
      insert into issue_vector (account_id, issue_id, fingerprint, text_hash, vector)
      select ${accountId}, given.issue_id, ${fingerprint}, given.text_hash, given.vector
      from unnest(
        ${issueIds}::uuid[],
        ${vectors.map(({ textHash }) => textHash)}::bytea[],
        ${vectors.map(({ vector }) => encodeVector(vector))}::bytea[]
      ) as given (issue_id, text_hash, vector)
      join issue on issue.account_id = ${accountId} and issue.id = given.issue_id
      on conflict (account_id, issue_id) do update
        set fingerprint = excluded.fingerprint, text_hash = excluded.text_hash, vector = excluded.vector
    `.execute(transaction);
  });
}

export async function storeSnapshot(
  db: Db,
  accountId: string,
  snapshot: { version: number; bytes: Uint8Array; fingerprint: string | null },
): Promise<void> {
  await db
    .updateTable('analysis_state')
    .set({
      snapshot_version: snapshot.version,
      snapshot: Buffer.from(snapshot.bytes),
      fingerprint: snapshot.fingerprint,
    })
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * Returns the account's stored snapshot. Returns undefined if it has this version, or if none is
 * stored.
 */
export function snapshotOtherThan(db: Db, accountId: string, version: number) {
  return db
    .selectFrom('analysis_state')
    .select(['fingerprint', 'snapshot'])
    .where('account_id', '=', accountId)
    .where('snapshot_version', '<>', version)
    .executeTakeFirst();
}
