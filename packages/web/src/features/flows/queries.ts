import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type Flow,
  type FlowCreate,
  type FlowPreset,
  type FlowRun,
  type FlowUpdate,
  flow,
  flowExecution,
  flowList,
  flowPresetList,
  type PastEvent,
  pastEvents,
} from '@winnow/contract/flow';
import { id } from '@winnow/contract/primitives';
import { queryKeys } from '../../api/query/query-keys.ts';
import { unlessGone } from '../../api/session/api-error.ts';
import { api } from '../../api/session/session.ts';

/** Returns the flows of the account, each with the result of its last execution. */
export function useFlows() {
  return useQuery({
    queryKey: queryKeys.flows.list(),
    queryFn: ({ signal }) => api('GET', '/flows', { schema: flowList, signal }),
  });
}

export function useFlow(flowId: string) {
  return useQuery({
    queryKey: queryKeys.flows.detail(flowId),
    queryFn: ({ signal }) => api('GET', `/flows/${flowId}`, { schema: flow, signal }),
    enabled: id.safeParse(flowId).success,
  });
}

/** Returns the presets for new flows: built-in presets and those that the account saved. */
export function useFlowPresets() {
  return useQuery({
    queryKey: queryKeys.flowPresets.list(),
    queryFn: ({ signal }) => api('GET', '/flows/presets', { schema: flowPresetList, signal }),
  });
}

/** Request to save a flow: creates a flow, or updates an existing flow. */
export type SaveInput = { body: Partial<FlowCreate> } | { flowId: string; body: FlowUpdate };

export function useSaveFlow() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: SaveInput) =>
      'flowId' in input
        ? api('PUT', `/flows/${input.flowId}`, { body: input.body, schema: flow })
        : api('POST', '/flows', { body: input.body, schema: flow }),
    onSuccess: (saved, { body }) => {
      cache.setQueryData(queryKeys.flows.detail(saved.id), saved);
      void cache.invalidateQueries({ queryKey: queryKeys.flows.list() });
      if (body.is_preset) void cache.invalidateQueries({ queryKey: queryKeys.flowPresets.list() });
    },
  });
}

/** Deletes a flow with its executions. */
export function useDeleteFlow() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Flow) => api('DELETE', `/flows/${id}`).catch(unlessGone),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.flows.list() }),
  });
}

/** Deletes a preset of the account. */
export function useRemovePreset() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: FlowPreset) => api('DELETE', `/flows/presets/${id}`).catch(unlessGone),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.flowPresets.list() }),
  });
}

/** Runs a flow manually and caches the new execution. */
export function useRunFlow(flowId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: FlowRun) => api('POST', `/flows/${flowId}/run`, { body, schema: flowExecution }),
    onSuccess: (execution) => {
      cache.setQueryData(queryKeys.flows.execution(execution.id), execution);
      void cache.invalidateQueries({ queryKey: queryKeys.flows.all });
    },
  });
}

/** The fields of a flow that select the events it listens to. */
export type EventScope = Pick<
  Flow,
  'trigger_event_source' | 'trigger_organization_id' | 'trigger_project_id' | 'trigger_event_type'
>;

/** Returns past events that match the given event selection, newest first. */
export function usePastEvents(scope: EventScope, enabled = true) {
  const query = {
    trigger_event_source: scope.trigger_event_source ?? undefined,
    trigger_organization_id: scope.trigger_organization_id ?? undefined,
    trigger_project_id: scope.trigger_project_id ?? undefined,
    trigger_event_type: scope.trigger_event_type ?? undefined,
  };
  return useQuery<PastEvent[]>({
    queryKey: queryKeys.flows.events(query),
    queryFn: ({ signal }) => api('GET', '/flows/events', { query, schema: pastEvents, signal }),
    enabled,
  });
}
