import type { FlowDefinition } from '@winnow/contract/flow';
import { mayAs } from '@winnow/contract/role';
import { type Selectable, sql } from 'kysely';
import type { FlowTable, StoredDefinition } from '../schema/flow-tables.ts';
import type { Db } from '../schema/tables.ts';

export type FlowRow = Selectable<FlowTable>;

/** Locks the account's flows and presets against concurrent changes until the transaction ends. */
export async function lockFlows(db: Db, accountId: string): Promise<void> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

/**
 * Selects the flows of an account, joined with the tracker, organization, project and model that
 * they refer to. Objects that do not exist are null.
 */
export function placedFlows(db: Db, accountId: string) {
  return db
    .selectFrom('flow')
    .leftJoin('tracker', (join) =>
      join.onRef('tracker.account_id', '=', 'flow.account_id').onRef('tracker.id', '=', 'flow.tracker_id'),
    )
    .leftJoin('organization', (join) =>
      join
        .onRef('organization.account_id', '=', 'flow.account_id')
        .onRef('organization.id', '=', 'flow.organization_id'),
    )
    .leftJoin('project', (join) =>
      join.onRef('project.account_id', '=', 'flow.account_id').onRef('project.id', '=', 'flow.project_id'),
    )
    .leftJoin('ai_model', (join) =>
      join.onRef('ai_model.account_id', '=', 'flow.account_id').onRef('ai_model.id', '=', 'flow.ai_model_id'),
    )
    .selectAll('flow')
    .select(['tracker.is_active as tracker_is_active', 'tracker.name as tracker_name'])
    .select(['organization.id as found_organization', 'project.id as found_project'])
    .select('ai_model.is_offered as model_is_offered')
    .where('flow.account_id', '=', accountId);
}

export type PlacedFlow = Awaited<ReturnType<ReturnType<typeof placedFlows>['execute']>>[number];

/**
 * Selects flows with their newest execution. Also selects whether webhooks report pushes to the
 * flow.
 */
function flowViews(db: Db, accountId: string) {
  return placedFlows(db, accountId)
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('flow_execution')
          .select(['id', 'status', 'start_time', 'end_time'])
          .whereRef('flow_execution.account_id', '=', 'flow.account_id')
          .whereRef('flow_execution.flow_id', '=', 'flow.id')
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('tracker as telling')
          .select('telling.id')
          .whereRef('telling.account_id', '=', 'flow.account_id')
          .where('telling.webhook_state', '=', 'active')
          .where(
            'telling.id',
            '=',
            sql<string>`coalesce(flow.tracker_id, organization.tracker_id, project.tracker_id, telling.id)`,
          ),
      ).as('hears_pushes'),
    )
    .select(['last.id as last_id', 'last.status as last_status'])
    .select(['last.start_time as last_start_time', 'last.end_time as last_end_time']);
}

/** A flow with the objects that it refers to and its newest execution. */
export type FlowView = Awaited<ReturnType<typeof listFlows>>[number];

/** Returns the flows of an account, by name. */
export function listFlows(db: Db, accountId: string) {
  return flowViews(db, accountId).orderBy(sql`lower(flow.name)`).orderBy('flow.id').execute();
}

export function findView(db: Db, accountId: string, flowId: string): Promise<FlowView | undefined> {
  return flowViews(db, accountId).where('flow.id', '=', flowId).executeTakeFirst();
}

export function findFlow(db: Db, accountId: string, flowId: string): Promise<FlowRow | undefined> {
  return db
    .selectFrom('flow')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', flowId)
    .executeTakeFirst();
}

export async function countFlows(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('flow')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertFlow(
  db: Db,
  accountId: string,
  flowId: string,
  { definition, ownerId, now }: { definition: FlowDefinition; ownerId: string; now: Date },
): Promise<void> {
  const ids = { account_id: accountId, id: flowId, owner_id: ownerId };
  await db
    .insertInto('flow')
    .values({ ...ids, ...columnsOf(definition), created_at: now, updated_at: now })
    .execute();
}

/**
 * Replaces a flow and clears its missed start. The user who saves it becomes its owner, so that a
 * flow never acts for a member who has not seen its definition. Returns false if the flow does not
 * exist.
 */
export async function updateFlow(
  db: Db,
  accountId: string,
  flowId: string,
  { definition, userId, now }: { definition: FlowDefinition; userId: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('flow')
    .set({ ...columnsOf(definition), owner_id: userId, updated_at: now, missed_at: null, missed_on: null })
    .where('account_id', '=', accountId)
    .where('id', '=', flowId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Lists the definitions of all flows of an account, limited to the fields stored as JSON (see
 * {@link storedDefinitionOf}).
 */
export function listDefinitions(db: Db, accountId: string): Promise<Pick<FlowRow, 'id' | 'definition'>[]> {
  return db
    .selectFrom('flow')
    .select(['id', 'definition'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

/** Replaces the fields of a flow that are stored as JSON (see {@link storedDefinitionOf}). */
export async function saveDefinition(
  db: Db,
  accountId: string,
  flowId: string,
  definition: StoredDefinition,
): Promise<void> {
  await db
    .updateTable('flow')
    .set({ definition: JSON.stringify(definition) })
    .where('account_id', '=', accountId)
    .where('id', '=', flowId)
    .execute();
}

/** Lists the enabled flows of an account by name, all or those of one member. */
export function enabledDefinitions(
  db: Db,
  accountId: string,
  ownerId?: string,
): Promise<Pick<FlowRow, 'id' | 'name' | 'ai_model_id' | 'definition'>[]> {
  return db
    .selectFrom('flow')
    .select(['id', 'name', 'ai_model_id', 'definition'])
    .where('account_id', '=', accountId)
    .where('is_enabled', '=', true)
    .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId ?? ''))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
}

export async function disableFlows(db: Db, accountId: string, flowIds: readonly string[]): Promise<void> {
  await sql`
    update flow set is_enabled = false where account_id = ${accountId} and id = any(${flowIds}::uuid[])
  `.execute(db);
}

/** Deletes a flow and its executions. Returns false if the flow does not exist. */
export async function deleteFlow(db: Db, accountId: string, flowId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('flow')
    .where('account_id', '=', accountId)
    .where('id', '=', flowId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the full definition of a stored flow. */
export function definitionOf(row: FlowRow): FlowDefinition {
  return {
    ...row.definition,
    name: row.name,
    is_enabled: row.is_enabled,
    trigger_event_source: row.tracker_id,
    trigger_organization_id: row.organization_id,
    trigger_project_id: row.project_id,
    trigger_event_type: row.event_type,
    ai_model_id: row.ai_model_id,
  };
}

/**
 * Returns the fields of a definition that are stored together as JSON. The other fields have
 * columns.
 */
export function storedDefinitionOf(definition: StoredDefinition): StoredDefinition {
  return {
    description: definition.description,
    icon: definition.icon,
    trigger_cluster_size: definition.trigger_cluster_size,
    trigger_filters: definition.trigger_filters,
    builtin_actions: definition.builtin_actions,
    prompt_template: definition.prompt_template,
    allowed_mcp_servers: definition.allowed_mcp_servers,
    tool_policies: definition.tool_policies,
    write_mode: definition.write_mode,
    max_iterations: definition.max_iterations,
    max_budget: definition.max_budget,
    max_tokens: definition.max_tokens,
  };
}

function columnsOf(definition: FlowDefinition) {
  return {
    name: definition.name,
    is_enabled: definition.is_enabled,
    tracker_id: definition.trigger_event_source,
    organization_id: definition.trigger_organization_id,
    project_id: definition.trigger_project_id,
    event_type: definition.trigger_event_type,
    ai_model_id: definition.ai_model_id,
    definition: JSON.stringify(storedDefinitionOf(definition)),
  };
}

/**
 * Returns the member for whom a flow acts, and whether the member's role allows writing. Null if
 * the owner is not a member.
 */
export async function findOwner(
  db: Db,
  accountId: string,
  flowId: string,
): Promise<{ id: string | null; mayWrite: boolean }> {
  const row = await db
    .selectFrom('flow')
    .innerJoin('member', (join) =>
      join.onRef('member.account_id', '=', 'flow.account_id').onRef('member.user_id', '=', 'flow.owner_id'),
    )
    .select(['member.user_id', 'member.role'])
    .where('flow.account_id', '=', accountId)
    .where('flow.id', '=', flowId)
    .executeTakeFirst();
  return { id: row?.user_id ?? null, mayWrite: row !== undefined && mayAs(row.role, 'write') };
}
