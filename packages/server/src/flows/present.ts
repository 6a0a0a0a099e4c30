import type { Flow, FlowDefinition, FlowPreset } from '@winnow/contract/flow';
import { problemOfStored, type Surroundings } from './places.ts';
import type { PresetRow } from './preset-store.ts';
import { definitionOf, type FlowView, restOf } from './store.ts';

/** A flow as its owner sees it. */
export function presentFlow(view: FlowView, surroundings: Surroundings): Flow {
  return {
    ...presentDefinition(definitionOf(view)),
    id: view.id,
    account_id: view.account_id,
    created_at: view.created_at.toISOString(),
    updated_at: view.updated_at.toISOString(),
    problem: problemOfStored(view, surroundings) ?? unheardOf(view) ?? missedOf(view),
    is_preset: false,
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
    is_preset: true,
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

/** Why a flow is not started by what it listens for, though it can be run; null where nothing is known to be in the way. */
function unheardOf({ event_type: type, hears_pushes: hearsPushes }: FlowView): string | null {
  if (hearsPushes || (type !== 'push' && type !== 'commit_to_main')) return null;
  return 'Only webhooks tell of pushes, and where this flow listens they are not active. See the settings of the tracker.';
}

/** On what a flow was not started last, and why; null where it missed nothing. */
function missedOf({ missed_at: at, missed_on: on }: FlowView): string | null {
  if (at === null) return null;
  const minute = at.toISOString().slice(0, 16).replace('T', ' ');
  return `It did not start on ${on} (${minute} UTC), as it took too long to look for the expressions that flows filter by. See in the preview which take long, and make them simpler.`;
}
