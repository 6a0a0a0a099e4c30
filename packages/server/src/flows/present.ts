import type { Flow, FlowDefinition, FlowPreset } from '@winnow/contract/flow';
import { type AccountFacts, problemOfStored } from './flow-references.ts';
import type { PresetRow } from './preset-store.ts';
import { definitionOf, type FlowView, storedDefinitionOf } from './store.ts';

/** Converts a flow to its API form. */
export function presentFlow(view: FlowView, accountFacts: AccountFacts): Flow {
  return {
    ...presentDefinition(definitionOf(view)),
    id: view.id,
    account_id: view.account_id,
    created_at: view.created_at.toISOString(),
    updated_at: view.updated_at.toISOString(),
    problem: problemOfStored(view, accountFacts) ?? missingWebhookProblem(view) ?? missedStartProblem(view),
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
    ...storedDefinitionOf(definition),
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
    ...storedDefinitionOf(definition),
  };
}

/** Returns a sentence if the flow listens to pushes but no webhook reports them; otherwise null. */
function missingWebhookProblem({ event_type: type, hears_pushes: hearsPushes }: FlowView): string | null {
  if (hearsPushes || (type !== 'push' && type !== 'commit_to_main')) return null;
  return 'Pushes are only reported by webhooks, which are not active for this flow. See the settings of the tracker.';
}

/**
 * Returns a sentence that states when and why the flow last failed to start for an event. Null if
 * it did not miss an event.
 */
function missedStartProblem({ missed_at: at, missed_on: on }: FlowView): string | null {
  if (at === null) return null;
  const minute = at.toISOString().slice(0, 16).replace('T', ' ');
  return `The flow did not start on ${on} (${minute} UTC) because evaluating the filter expressions took too long. Use the preview to find the slow ones, and simplify them.`;
}
