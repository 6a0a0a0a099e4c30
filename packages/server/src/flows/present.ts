import type { Flow, FlowDefinition, FlowPreset } from '@winnow/contract/flow';
import type { PresetRow } from './preset-store.ts';
import { missedOf, problemOf } from './problems.ts';
import { definitionOf, type FlowView, restOf } from './store.ts';

/** A flow as its owner sees it. */
export function presentFlow(view: FlowView, serverNames: readonly string[]): Flow {
  const definition = definitionOf(view);
  return {
    ...presentDefinition(definition),
    id: view.id,
    account_id: view.account_id,
    created_at: view.created_at.toISOString(),
    updated_at: view.updated_at.toISOString(),
    problem:
      problemOf(definition, {
        tracker:
          view.tracker_name === null || view.tracker_is_active === null
            ? null
            : { name: view.tracker_name, is_active: view.tracker_is_active },
        hasOrganization: view.found_organization !== null,
        hasProject: view.found_project !== null,
        hasModel: view.found_model !== null,
        servers: serverNames,
      }) ?? missedOf(view),
    last_execution:
      view.last_id === null || view.last_status === null
        ? null
        : {
            id: view.last_id,
            status: view.last_status,
            start_time: view.last_start_time?.toISOString() ?? null,
            end_time: view.last_end_time?.toISOString() ?? null,
          },
  };
}

export function presentPreset({ account_id, id, definition }: PresetRow): FlowPreset {
  return {
    id,
    account_id,
    name: definition.name,
    trigger_event_type: definition.trigger_event_type,
    ...restOf(definition),
  };
}

function presentDefinition(definition: FlowDefinition): FlowDefinition {
  return {
    name: definition.name,
    is_enabled: definition.is_enabled,
    trigger_event_source: definition.trigger_event_source,
    trigger_organization_id: definition.trigger_organization_id,
    trigger_project_id: definition.trigger_project_id,
    trigger_event_type: definition.trigger_event_type,
    ai_model_id: definition.ai_model_id,
    ...restOf(definition),
  };
}
