import type { ChangeKind, ChangeStatus, StepAction } from '@winnow/contract/change';
import { type Selectable, sql } from 'kysely';
import { type IssuePlace, placesOf } from '../issues/index.ts';
import type { ChangeIssueTable, ChangeStepTable, ChangeTable } from '../schema/change-tables.ts';
import type { Db } from '../schema/tables.ts';
import { otherIssueOf } from './plan.ts';

export type ChangeRow = Selectable<ChangeTable>;
export type StepRow = Selectable<ChangeStepTable>;
type ChangeIssueRow = Selectable<ChangeIssueTable>;
/** Tracker and project of an issue; null if the issue left the scope of its tracker. */
interface Placed {
  place: IssuePlace | null;
}

/** A change with its ordered steps, its issues, and the id of the change that undid it. */
export interface ChangeRecord {
  change: ChangeRow;
  steps: (StepRow & Placed & { otherPlace: IssuePlace | null })[];
  issues: (ChangeIssueRow & Placed)[];
  undoneBy: string | null;
}

/** Number of changes that an export reads per query. */
const EXPORT_BATCH_SIZE = 100;

type NewChange = Omit<
  ChangeRow,
  'created_at' | 'decided_at' | 'retried_by' | 'applied_at' | 'payload' | 'base_hashes'
> & {
  payload: Record<string, unknown>;
  base_hashes: Record<string, string>;
};
type NewStep = Pick<
  StepRow,
  | 'id'
  | 'position'
  | 'step_group'
  | 'action'
  | 'target_issue_id'
  | 'target_key'
  | 'before'
  | 'after'
  | 'result'
>;

/** Stores a change with its steps and issues. */
export async function insertChange(
  db: Db,
  change: NewChange,
  issues: readonly { id: string; key: string }[],
  steps: readonly NewStep[],
): Promise<void> {
  await db
    .insertInto('change')
    .values({
      ...change,
      decided_at: change.decided_by === null ? null : sql`now()`,
      payload: JSON.stringify(change.payload),
      base_hashes: JSON.stringify(change.base_hashes),
    })
    .execute();
  const owner = { account_id: change.account_id, change_id: change.id };
  if (issues.length > 0) {
    await db
      .insertInto('change_issue')
      .values(issues.map((issue, position) => ({ ...owner, issue_id: issue.id, key: issue.key, position })))
      .execute();
  }
  await db
    .insertInto('change_step')
    .values(
      steps.map((step) => ({
        ...step,
        ...owner,
        before: JSON.stringify(step.before),
        after: JSON.stringify(step.after),
        result: JSON.stringify(step.result),
        status: 'pending' as const,
      })),
    )
    .execute();
}

export async function findChange(
  db: Db,
  accountId: string,
  changeId: string,
): Promise<ChangeRecord | undefined> {
  const change = await db
    .selectFrom('change')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', changeId)
    .executeTakeFirst();
  if (!change) return undefined;
  const [record] = await completeChanges(db, accountId, [change]);
  return record;
}

/** A change that was requested with an idempotency key. */
export interface RequestedChange {
  changeId: string;
  /** Hash of the request; null if the planning feature does not store one. */
  requestHash: string | null;
}

/** Finds the change that this actor requested with an idempotency key; null if there is none. */
export async function findRequested(
  db: Db,
  accountId: string,
  actorId: string,
  request: string,
): Promise<RequestedChange | null> {
  const { rows } = await sql<RequestedChange>`
    select id as "changeId", payload ->> 'request_hash' as "requestHash" from change
    where account_id = ${accountId} and actor_id = ${actorId} and payload ->> 'idempotency_key' = ${request}
      and payload ? 'idempotency_key'
  `.execute(db);
  return rows[0] ?? null;
}

/**
 * Lists the changes that this actor requested with idempotency keys of a given prefix, oldest
 * first.
 */
export async function listRequested(
  db: Db,
  accountId: string,
  actorId: string,
  beginning: string,
): Promise<ChangeRecord[]> {
  const changes = await db
    .selectFrom('change')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('actor_id', '=', actorId)
    .where(sql<boolean>`payload ? 'idempotency_key'`)
    .where(sql<boolean>`starts_with(payload ->> 'idempotency_key', ${beginning})`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return completeChanges(db, accountId, changes);
}

/** Returns the time at which each change was applied, and who decided it. */
export async function decisionsOf(
  db: Db,
  accountId: string,
  changeIds: readonly string[],
): Promise<Pick<ChangeRow, 'id' | 'applied_at' | 'decided_by'>[]> {
  if (changeIds.length === 0) return [];
  return db
    .selectFrom('change')
    .select(['id', 'applied_at', 'decided_by'])
    .where('account_id', '=', accountId)
    .where('id', 'in', [...changeIds])
    .execute();
}

export interface ChangeFilter {
  status?: ChangeStatus | undefined;
  kind?: ChangeKind | undefined;
  issueId?: string | undefined;
}

function filteredChanges(db: Db, accountId: string, { status, kind, issueId }: ChangeFilter) {
  let changes = db.selectFrom('change').where('account_id', '=', accountId);
  if (status !== undefined) changes = changes.where('status', '=', status);
  if (kind !== undefined) changes = changes.where('kind', '=', kind);
  if (issueId !== undefined) {
    changes = changes.where('id', 'in', (select) =>
      select
        .selectFrom('change_issue')
        .select('change_id')
        .where('account_id', '=', accountId)
        .where('issue_id', '=', issueId),
    );
  }
  return changes;
}

/** Lists an account's changes, newest first. */
export async function listChanges(
  db: Db,
  accountId: string,
  filter: ChangeFilter,
  page: { limit: number; skip: number },
): Promise<{ records: ChangeRecord[]; total: number }> {
  const changes = filteredChanges(db, accountId, filter);
  const [rows, count] = await Promise.all([
    changes
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(page.limit)
      .offset(page.skip)
      .execute(),
    changes.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { records: await completeChanges(db, accountId, rows), total: count.total };
}

/** Streams an account's changes, oldest first. May include changes that are saved while it runs. */
export async function* streamChanges(
  db: Db,
  accountId: string,
  filter: ChangeFilter,
): AsyncGenerator<ChangeRecord> {
  let last: ChangeRow | undefined;
  do {
    const rows = await filteredChanges(db, accountId, filter)
      .selectAll()
      .$if(last !== undefined, (query) =>
        // JavaScript dates have no microseconds. The query therefore reads the creation time of the
        // last change from the database.
        query.where(sql<boolean>`
          (created_at, id) > (select created_at, id from change
                              where account_id = ${accountId} and id = ${last?.id})
        `),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(EXPORT_BATCH_SIZE)
      .execute();
    last = rows.at(-1);
    yield* await completeChanges(db, accountId, rows);
  } while (last !== undefined);
}

/**
 * Returns the ids of all issues that these changes mention or write to, and of all projects in
 * which they create issues.
 */
export async function idsWrittenTo(
  db: Db,
  accountId: string,
  changeIds: readonly string[],
): Promise<string[]> {
  if (changeIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select issue_id as id from change_issue
    where account_id = ${accountId} and change_id = any (${changeIds}::uuid[])
    union
    select coalesce((result ->> 'project_id')::uuid, target_issue_id) from change_step
    where account_id = ${accountId} and change_id = any (${changeIds}::uuid[])
  `.execute(db);
  return rows.map(({ id }) => id);
}

async function completeChanges(db: Db, accountId: string, changes: ChangeRow[]): Promise<ChangeRecord[]> {
  if (changes.length === 0) return [];
  const ids = changes.map((change) => change.id);
  const [steps, issues, undoing] = await Promise.all([
    db
      .selectFrom('change_step')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('change_id', 'in', ids)
      .orderBy('position')
      .execute(),
    db
      .selectFrom('change_issue')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('change_id', 'in', ids)
      .orderBy('position')
      .execute(),
    db
      .selectFrom('change')
      .select(['id', 'undoes'])
      .where('account_id', '=', accountId)
      .where('undoes', 'in', ids)
      .where('status', 'not in', ['failed', 'rejected'])
      .execute(),
  ]);
  const places = await placesOf(db, accountId, [
    ...issues.map(({ issue_id }) => issue_id),
    ...steps.flatMap(({ target_issue_id, result }) => [
      target_issue_id,
      result.project_id ?? target_issue_id,
      otherIssueOf(result) ?? target_issue_id,
    ]),
  ]);
  const placeOf = (...ids: (string | undefined)[]) =>
    ids.map((id) => places.get(id ?? '')).find((place) => place !== undefined) ?? null;
  const placedSteps = steps.map((step) => ({
    ...step,
    place: placeOf(step.target_issue_id, step.result.project_id),
    otherPlace: placeOf(otherIssueOf(step.result)),
  }));
  const placedIssues = issues.map((issue) => ({ ...issue, place: placeOf(issue.issue_id) }));
  return changes.map((change) => ({
    change,
    steps: placedSteps.filter((step) => step.change_id === change.id),
    issues: placedIssues.filter((issue) => issue.change_id === change.id),
    undoneBy: undoing.find((other) => other.undoes === change.id)?.id ?? null,
  }));
}

/**
 * Locks the account's changes, so that only one transaction at a time saves changes of the account.
 * The lock ends with this transaction.
 */
export async function lockChangeWrites(db: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`changes:${accountId}`}, 0))`.execute(db);
}

/** Lists the changes of the account that are being applied. */
export async function listApplying(db: Db, accountId: string): Promise<ChangeRecord[]> {
  const changes = await db
    .selectFrom('change')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', '=', 'applying')
    .execute();
  return completeChanges(db, accountId, changes);
}

/** Actions that only add to an issue. Other writes to the issue do not depend on them. */
const ADDITIVE_ACTIONS: readonly StepAction[] = [
  'comment',
  'delete_comment',
  'link_blocking',
  'unlink_blocking',
];

/**
 * Finds a change in progress that writes to one of these issues; null if there is none. Ignores
 * {@link ADDITIVE_ACTIONS}.
 */
export async function findApplyingTo(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<{ changeId: string; issueId: string } | null> {
  if (issueIds.length === 0) return null;
  const row = await db
    .selectFrom('change')
    .innerJoin('change_step as step', (join) =>
      join.onRef('step.account_id', '=', 'change.account_id').onRef('step.change_id', '=', 'change.id'),
    )
    .select(['change.id as changeId', 'step.target_issue_id as issueId'])
    .where('change.account_id', '=', accountId)
    .where('change.status', '=', 'applying')
    .where('step.target_issue_id', 'in', [...issueIds])
    .where('step.action', 'not in', [...ADDITIVE_ACTIONS])
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Lists the changes of all accounts that are being applied. */
export function listAllApplying(db: Db): Promise<Pick<ChangeRow, 'account_id' | 'id'>[]> {
  return db.selectFrom('change').select(['account_id', 'id']).where('status', '=', 'applying').execute();
}

/**
 * Returns the id of the original of an issue that Winnow closed as a duplicate. Null if Winnow did
 * not close the issue, or if the newest close names an original with another key.
 */
export async function originalOf(
  db: Db,
  accountId: string,
  issueId: string,
  key: string,
): Promise<string | null> {
  const step = await db
    .selectFrom('change_step')
    .select(['after', 'result'])
    .where('account_id', '=', accountId)
    .where('target_issue_id', '=', issueId)
    .where('action', '=', 'close_as_duplicate')
    .where('status', '=', 'applied')
    .orderBy('applied_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return step?.after.duplicate_of === key ? (step.result.original_id ?? null) : null;
}

/**
 * True if a change that concerns this tracker is being applied. Call {@link lockChangeWrites}
 * first.
 */
export async function isApplyingTo(db: Db, accountId: string, trackerId: string): Promise<boolean> {
  return (
    (await concernsIssueOf(db, accountId, trackerId)) || (await createsIssueIn(db, accountId, trackerId))
  );
}

async function createsIssueIn(db: Db, accountId: string, trackerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from change
    join change_step step on step.account_id = change.account_id and step.change_id = change.id
    join project on project.account_id = step.account_id and project.id = (step.result ->> 'project_id')::uuid
    where change.account_id = ${accountId} and change.status = 'applying'
      and step.action = 'create' and project.tracker_id = ${trackerId}
    limit 1
  `.execute(db);
  return rows.length > 0;
}

async function concernsIssueOf(db: Db, accountId: string, trackerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('change')
    .innerJoin('change_issue', (join) =>
      join
        .onRef('change_issue.account_id', '=', 'change.account_id')
        .onRef('change_issue.change_id', '=', 'change.id'),
    )
    .innerJoin('issue', (join) =>
      join
        .onRef('issue.account_id', '=', 'change_issue.account_id')
        .onRef('issue.id', '=', 'change_issue.issue_id'),
    )
    .select('change.id')
    .where('change.account_id', '=', accountId)
    .where('change.status', '=', 'applying')
    .where('issue.tracker_id', '=', trackerId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the id of the change that undid this change or is undoing it; otherwise null. Failed and
 * rejected undos do not count.
 */
export async function undoOf(db: Db, accountId: string, changeId: string): Promise<string | null> {
  const row = await db
    .selectFrom('change')
    .select('id')
    .where('account_id', '=', accountId)
    .where('undoes', '=', changeId)
    .where('status', 'not in', ['failed', 'rejected'])
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Reads a change and locks it until the transaction ends. */
export async function lockChange(
  db: Db,
  accountId: string,
  changeId: string,
): Promise<ChangeRow | undefined> {
  return db
    .selectFrom('change')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', changeId)
    .forUpdate()
    .executeTakeFirst();
}

/** Stores the decision about a proposal. */
export async function decideChange(
  db: Db,
  accountId: string,
  changeId: string,
  status: 'applying' | 'rejected',
  decidedBy: Pick<ChangeRow, 'decided_by' | 'decided_by_type'>,
): Promise<void> {
  await db
    .updateTable('change')
    .set({ status, ...decidedBy, decided_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('id', '=', changeId)
    .execute();
}

/** Lists the account's proposals of a kind that each concern all of these issues. */
export async function listProposals(
  db: Db,
  accountId: string,
  kind: ChangeKind,
  issueIds: readonly string[],
): Promise<Pick<ChangeRow, 'id' | 'payload'>[]> {
  const { rows } = await sql<Pick<ChangeRow, 'id' | 'payload'>>`
    select id, payload from change
    where account_id = ${accountId} and status = 'proposed' and kind = ${kind}
      and (select count(*) from change_issue
           where account_id = change.account_id and change_id = change.id
             and issue_id = any (${issueIds}::uuid[])) = ${issueIds.length}
  `.execute(db);
  return rows;
}

/** True if a change of this kind with these payload values was undone. */
export async function wasUndone(
  db: Db,
  accountId: string,
  kind: ChangeKind,
  payload: Record<string, string>,
): Promise<boolean> {
  const row = await db
    .selectFrom('change')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('status', '=', 'undone')
    .where(sql<boolean>`payload @> ${JSON.stringify(payload)}::jsonb`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** True if a change of this kind wrote to at least two of these issues and its undo has begun. */
export async function wasUndoneTogether(
  db: Db,
  accountId: string,
  kind: ChangeKind,
  issueIds: readonly string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('change')
    .innerJoin('change_step as step', (join) =>
      join.onRef('step.account_id', '=', 'change.account_id').onRef('step.change_id', '=', 'change.id'),
    )
    .select('change.id')
    .where('change.account_id', '=', accountId)
    .where('change.kind', '=', kind)
    .where((where) =>
      where.or([
        where('change.status', '=', 'undone'),
        where.exists(
          where
            .selectFrom('change as undo')
            .select('undo.id')
            .whereRef('undo.account_id', '=', 'change.account_id')
            .whereRef('undo.undoes', '=', 'change.id')
            .where('undo.status', 'in', ['applying', 'applied', 'partly_applied', 'failed']),
        ),
      ]),
    )
    .where('step.status', 'in', ['applied', 'undone'])
    .where('step.target_issue_id', '=', sql<string>`any (${issueIds}::uuid[])`)
    .groupBy('change.id')
    .having(sql<boolean>`count(distinct step.target_issue_id) > 1`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setChangeStatus(
  db: Db,
  accountId: string,
  changeId: string,
  values: { status: ChangeStatus; applied_at?: Date; retried_by?: string },
): Promise<void> {
  await db
    .updateTable('change')
    .set(values)
    .where('account_id', '=', accountId)
    .where('id', '=', changeId)
    .execute();
}

export async function setStep(
  db: Db,
  accountId: string,
  stepId: string,
  values: {
    status: StepRow['status'];
    error?: string | null;
    result?: StepRow['result'];
    applied_at?: Date;
  },
): Promise<void> {
  const { result, ...columns } = values;
  await db
    .updateTable('change_step')
    .set({ ...columns, ...(result === undefined ? {} : { result: JSON.stringify(result) }) })
    .where('account_id', '=', accountId)
    .where('id', '=', stepId)
    .execute();
}

/** Stores the created issue as the target of its step and its change. */
export async function setStepTarget(
  db: Db,
  accountId: string,
  step: Pick<StepRow, 'id' | 'change_id'>,
  issue: { id: string; key: string; contentHash: string },
): Promise<void> {
  await sql`
    update change set base_hashes = base_hashes || jsonb_build_object(${issue.id}::text, ${issue.contentHash}::text)
    where account_id = ${accountId} and id = ${step.change_id}
  `.execute(db);
  await db
    .updateTable('change_step')
    .set({ target_issue_id: issue.id, target_key: issue.key })
    .where('account_id', '=', accountId)
    .where('id', '=', step.id)
    .execute();
  await db
    .insertInto('change_issue')
    .values({
      account_id: accountId,
      change_id: step.change_id,
      issue_id: issue.id,
      key: issue.key,
      position: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Sets the status of the steps of a change that are in one of the statuses `from`. */
export async function moveSteps(
  db: Db,
  accountId: string,
  changeId: string,
  from: readonly StepRow['status'][],
  to: StepRow['status'],
  exceptGroups: readonly number[] = [],
): Promise<void> {
  await db
    .updateTable('change_step')
    .set({ status: to, error: null })
    .where('account_id', '=', accountId)
    .where('change_id', '=', changeId)
    .where('status', 'in', [...from])
    .where(sql<boolean>`step_group <> all (${exceptGroups}::int[])`)
    .execute();
}

/** Skips the pending steps of these groups. Stores `reason` as their error. */
export async function skipGroups(
  db: Db,
  accountId: string,
  changeId: string,
  groups: readonly number[],
  reason: string | null,
): Promise<void> {
  await db
    .updateTable('change_step')
    .set({ status: 'skipped', error: reason })
    .where('account_id', '=', accountId)
    .where('change_id', '=', changeId)
    .where('step_group', 'in', [...groups])
    .where('status', '=', 'pending')
    .execute();
}

/**
 * Prepares failed and skipped steps for a retry. A failed step may have taken effect, unless the
 * tracker refused it. Such a step gets the status `applying`, so that the tracker is first checked
 * for its effect.
 */
export async function prepareStepsForRetry(db: Db, accountId: string, changeId: string): Promise<void> {
  await sql`
    update change_step
    set status = case when status = 'failed' and not result ? 'refused' then 'applying' else 'pending' end,
        error = null, result = result - 'refused'
    where account_id = ${accountId} and change_id = ${changeId} and status in ('failed', 'skipped')
  `.execute(db);
}

/** True if the workspace requires a second person for closes and bulk changes. */
export async function hasFourEyes(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('four_eyes')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.four_eyes ?? false;
}
