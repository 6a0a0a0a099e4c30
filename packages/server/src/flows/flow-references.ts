import type { FlowDefinition } from '@winnow/contract/flow';
import { findModel } from '../ai/index.ts';
import { type AccountPlans, featureMissing } from '../billing/index.ts';
import { findOrganization, findProject } from '../issues/index.ts';
import { serverNames } from '../mcp-servers/index.ts';
import type { Db } from '../schema/tables.ts';
import { findTracker } from '../trackers/index.ts';
import { type ExistingReferences, type FlowReferences, problemOf } from './definition-problems.ts';
import { definitionOf, type PlacedFlow } from './store.ts';

export type Plans = Pick<AccountPlans, 'planOf'>;
/** Facts about an account that apply to all its flows. */
export type AccountFacts = Pick<ExistingReferences, 'servers' | 'customModelsRefusal'>;

export async function accountFactsOf(db: Db, accountId: string, plans: Plans): Promise<AccountFacts> {
  const plan = await plans.planOf(accountId, db);
  const feature = 'custom_ai_models_enabled';
  return {
    servers: await serverNames(db, accountId),
    customModelsRefusal: plan.features[feature] ? null : featureMissing(plan, feature).detail,
  };
}

/** Returns the objects that a flow refers to and that still exist. */
export async function referencesOf(
  db: Db,
  accountId: string,
  definition: FlowDefinition,
  plans: Plans,
): Promise<FlowReferences> {
  const {
    trigger_event_source: trackerId,
    trigger_organization_id: organizationId,
    trigger_project_id: projectId,
    ai_model_id: modelId,
  } = definition;
  // Sequential, because a transaction uses a single connection.
  const organization = organizationId && (await findOrganization(db, accountId, organizationId));
  const project = projectId && (await findProject(db, accountId, projectId));
  return {
    ...(await accountFactsOf(db, accountId, plans)),
    tracker: (trackerId && (await findTracker(db, accountId, trackerId))) || null,
    organization: organization || null,
    project: project || null,
    model: (modelId && (await findModel(db, accountId, modelId))) || null,
    hasOrganization: Boolean(organization),
    hasProject: Boolean(project),
  };
}

/**
 * Tracker or organization that a flow listens to. `name` is null if none is set, or if it was
 * removed.
 */
export interface Area {
  trackerId: string | null;
  organizationId: string | null;
  name: string | null;
}

export async function findArea(
  db: Db,
  accountId: string,
  { trigger_event_source: trackerId, trigger_organization_id: organizationId }: FlowDefinition,
): Promise<Area> {
  const place =
    organizationId === null
      ? trackerId === null
        ? null
        : await findTracker(db, accountId, trackerId)
      : await findOrganization(db, accountId, organizationId);
  return { trackerId, organizationId, name: place?.name ?? null };
}

/** Returns the reason why a stored flow cannot start; null if it can. */
export function problemOfStored(flow: PlacedFlow, accountFacts: AccountFacts): string | null {
  const { tracker_name: name, tracker_is_active: isActive, model_is_offered: isOffered } = flow;
  return problemOf(definitionOf(flow), {
    ...accountFacts,
    tracker: name === null || isActive === null ? null : { name, is_active: isActive },
    hasOrganization: flow.found_organization !== null,
    hasProject: flow.found_project !== null,
    model: isOffered === null ? null : { is_offered: isOffered },
  });
}
