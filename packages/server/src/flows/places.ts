import type { FlowDefinition } from '@winnow/contract/flow';
import { modelNames } from '../ai/service.ts';
import { findOrganization, findProject } from '../issues/service.ts';
import type { Db } from '../schema/tables.ts';
import { findTracker } from '../trackers/service.ts';

export type Places = Awaited<ReturnType<typeof placesOf>>;

/** What of the account a flow may be bound to; undefined what is not there. */
export async function placesOf(db: Db, accountId: string, definition: FlowDefinition) {
  const {
    trigger_event_source: trackerId,
    trigger_organization_id: organizationId,
    trigger_project_id: projectId,
    ai_model_id: modelId,
  } = definition;
  const [tracker, organization, project, models] = await Promise.all([
    trackerId === null ? undefined : findTracker(db, accountId, trackerId),
    organizationId === null ? undefined : findOrganization(db, accountId, organizationId),
    projectId === null ? undefined : findProject(db, accountId, projectId),
    modelNames(db, accountId, modelId === null ? [] : [modelId]),
  ]);
  return { tracker, organization, project, hasModel: modelId !== null && models.has(modelId) };
}
