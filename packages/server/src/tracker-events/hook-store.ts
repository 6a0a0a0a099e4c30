import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ProjectRef } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import type { ProjectWebhookTable } from '../schema/tracker-tables.ts';

export type HookRow = Selectable<ProjectWebhookTable>;
/** Columns that are set when a webhook is created. */
export type CreatedHook = Omit<HookRow, 'missed_since' | 'is_silent'>;

/** Returns all stored webhooks of a tracker, including those of projects out of scope. */
export async function hooksOf(db: Db, accountId: string, trackerId: string): Promise<HookRow[]> {
  return db
    .selectFrom('project_webhook')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .orderBy('project_identifier')
    .execute();
}

export async function saveHook(db: Db, hook: CreatedHook): Promise<void> {
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
  { account_id, tracker_id, project_external_id }: CreatedHook,
): Promise<void> {
  await db
    .deleteFrom('project_webhook')
    .where('account_id', '=', account_id)
    .where('tracker_id', '=', tracker_id)
    .where('project_external_id', '=', project_external_id)
    .execute();
}

/**
 * Conditions under which a webhook counts as working: it has this URL, and its last check or
 * delivery is recent enough.
 */
export interface WorkingHook {
  /** Required URL of the webhook. Null if trackers cannot reach this server. */
  url: string | null;
  heardSince: Date;
}

/**
 * Returns an SQL condition: working webhooks report the events of `project`. The query must join
 * `tracker`.
 */
function isCovered({ url, heardSince }: WorkingHook): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (
      select from project_webhook hook
      where hook.account_id = project.account_id and hook.tracker_id = project.tracker_id
        and hook.project_external_id = project.external_id
        and hook.state = 'registered' and not hook.is_silent
        and hook.checked_at > ${heardSince} and hook.url = ${url} and hook.tracker_url = tracker.url
    )
    or exists (
      select from tracker_event event
      where event.account_id = project.account_id and event.project_id = project.id
        and event.source = 'webhook' and event.received_at > ${heardSince}
    )
  )`;
}

/**
 * Records that a project's webhook missed an event, and makes its next check due. The webhook
 * becomes silent if it missed an earlier event before `silentSince` and has delivered nothing
 * since. Returns false if no webhook is registered, or it is already silent.
 */
export async function noteMissed(
  db: Db,
  { accountId, trackerId, projectId }: ProjectRef,
  { at, silentSince }: { at: Date; silentSince: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('project_webhook')
    .set({
      checked_at: null,
      missed_since: sql<Date>`coalesce(missed_since, ${at})`,
      is_silent: sql<boolean>`coalesce(missed_since <= ${silentSince}, false)`,
    })
    .from('project')
    .whereRef('project.account_id', '=', 'project_webhook.account_id')
    .whereRef('project.tracker_id', '=', 'project_webhook.tracker_id')
    .whereRef('project.external_id', '=', 'project_webhook.project_external_id')
    .where('project.id', '=', projectId)
    .where('project_webhook.account_id', '=', accountId)
    .where('project_webhook.tracker_id', '=', trackerId)
    .where('project_webhook.state', '=', 'registered')
    .where('project_webhook.is_silent', '=', false)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Clears the missed events of these projects' webhooks, after a webhook of each project has
 * delivered something.
 */
export async function noteDelivered(
  db: Db,
  accountId: string,
  trackerId: string,
  projectExternalIds: readonly string[],
): Promise<void> {
  await db
    .updateTable('project_webhook')
    .set({ missed_since: null, is_silent: false })
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .where('project_external_id', '=', sql<string>`any (${projectExternalIds}::text[])`)
    .where('missed_since', 'is not', null)
    .execute();
}

/** Deletes the previous secret if every project in scope has a webhook with the current secret. */
export async function forgetPreviousSecret(db: Db, accountId: string, trackerId: string): Promise<void> {
  await sql`
    update tracker set sealed_former_webhook_secret = null
    where account_id = ${accountId} and id = ${trackerId} and sealed_former_webhook_secret is not null
      and not exists (
        select from project
        left join project_webhook hook
          on hook.account_id = project.account_id and hook.tracker_id = project.tracker_id
          and hook.project_external_id = project.external_id and hook.state = 'registered'
        where project.account_id = tracker.account_id and project.tracker_id = tracker.id
          and hook.secret_version is distinct from tracker.webhook_secret_version
      )
  `.execute(db);
}

/**
 * Computes and stores whether a tracker's webhooks are active. If that has changed, returns the
 * sync state of the tracker. Otherwise returns undefined.
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
            and hook.project_external_id = project.external_id and (hook.state = 'failed' or hook.is_silent)
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

/** True if working webhooks report the events of all projects in scope. */
export async function isActive(db: Db, accountId: string, trackerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('tracker')
    .select('webhook_state')
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .executeTakeFirst();
  return row?.webhook_state === 'active';
}
