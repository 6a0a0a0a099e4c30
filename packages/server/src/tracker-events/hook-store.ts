import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, ProjectWebhookTable } from '../schema/tables.ts';

export type HookRow = Selectable<ProjectWebhookTable>;

/** What is known of a tracker's webhooks, by project, those of projects that left the scope included. */
export async function hooksOf(db: Db, accountId: string, trackerId: string): Promise<HookRow[]> {
  return db
    .selectFrom('project_webhook')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .orderBy('project_identifier')
    .execute();
}

export async function saveHook(db: Db, hook: HookRow): Promise<void> {
  await db
    .insertInto('project_webhook')
    .values(hook)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'tracker_id', 'project_external_id']).doUpdateSet(hook),
    )
    .execute();
}

export async function deleteHook(
  db: Db,
  { account_id, tracker_id, project_external_id }: HookRow,
): Promise<void> {
  await db
    .deleteFrom('project_webhook')
    .where('account_id', '=', account_id)
    .where('tracker_id', '=', tracker_id)
    .where('project_external_id', '=', project_external_id)
    .execute();
}

/** Where webhooks of a tracker have to lead, and since when one must have been looked at, or heard of, to count as there. */
export interface WorkingHook {
  /** Null where we have no address that a tracker could call. */
  url: string | null;
  heardSince: Date;
}

/** Whether webhooks tell of a `project` of a `tracker`, in SQL. */
function isCovered({ url, heardSince }: WorkingHook): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (
      select from project_webhook hook
      where hook.account_id = project.account_id and hook.tracker_id = project.tracker_id
        and hook.project_external_id = project.external_id
        and hook.state = 'registered' and hook.checked_at > ${heardSince} and hook.url = ${url} and hook.tracker_url = tracker.url
    )
    or exists (
      select from tracker_event event
      where event.account_id = project.account_id and event.project_id = project.id
        and event.source = 'webhook' and event.received_at > ${heardSince}
    )
  )`;
}

/** Forgets that a project's webhook was seen to be there; false where none was made. */
export async function forgetCheck(
  db: Db,
  accountId: string,
  trackerId: string,
  projectId: string,
): Promise<boolean> {
  const result = await db
    .updateTable('project_webhook')
    .set({ checked_at: null })
    .from('project')
    .whereRef('project.account_id', '=', 'project_webhook.account_id')
    .whereRef('project.tracker_id', '=', 'project_webhook.tracker_id')
    .whereRef('project.external_id', '=', 'project_webhook.project_external_id')
    .where('project.id', '=', projectId)
    .where('project_webhook.account_id', '=', accountId)
    .where('project_webhook.tracker_id', '=', trackerId)
    .where('project_webhook.state', '=', 'registered')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Works a tracker's webhook state out and stores it. Answers where its sync stands when the state is another one than
 * before, else nothing.
 */
export async function settleState(db: Db, accountId: string, trackerId: string, working: WorkingHook) {
  const { rows } = await sql<{
    sync_state: 'idle' | 'queued' | 'running' | 'failed';
    sync_done: number | null;
    sync_total: number | null;
  }>`
    with covering as (
      select tracker.account_id, tracker.id,
        count(*) as projects,
        count(*) filter (where ${isCovered(working)}) as covered,
        count(*) filter (where not ${isCovered(working)} and exists (
          select from project_webhook hook
          where hook.account_id = project.account_id and hook.tracker_id = project.tracker_id
            and hook.project_external_id = project.external_id and hook.state = 'failed'
        )) as failed
      from project
      join tracker on tracker.account_id = project.account_id and tracker.id = project.tracker_id
      where project.account_id = ${accountId} and project.tracker_id = ${trackerId}
      group by tracker.account_id, tracker.id
    ), now_is as (
      select case when covering.failed > 0 then 'failed'
                  when covering.covered > 0 and covering.covered = covering.projects then 'active'
                  else 'polling' end as state
      from (select) as one left join covering on true
    )
    update tracker set webhook_state = now_is.state
    from now_is
    where tracker.account_id = ${accountId} and tracker.id = ${trackerId}
      and tracker.webhook_state <> now_is.state
    returning sync_state, sync_done, sync_total
  `.execute(db);
  return rows[0];
}

/** Whether webhooks tell of all that a tracker has in scope. */
export async function isActive(db: Db, accountId: string, trackerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('tracker')
    .select('webhook_state')
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .executeTakeFirst();
  return row?.webhook_state === 'active';
}
