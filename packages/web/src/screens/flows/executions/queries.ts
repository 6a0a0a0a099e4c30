import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  EXECUTION_STATUSES,
  type FlowExecution,
  flowExecution,
  flowExecutionList,
} from '@winnow/contract/flow';
import { id } from '@winnow/contract/primitives';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { api } from '../../../api/session/session.ts';
import { readAnswer } from '../../../api/session/transport.ts';
import { isMissing } from '../missing-flow.tsx';
import { type ExecutionsSearch, PAGE_SIZE } from './search-params.ts';

/** Interval at which a running execution is refetched, in case live events are interrupted. */
export const FOLLOW_MS = 4_000;

/** True if an execution has ended, for any reason. */
export function hasEnded({ status }: Pick<FlowExecution, 'status'>): boolean {
  return EXECUTION_STATUSES[status].ended;
}

export type ExecutionPage = { executions: FlowExecution[]; total: number };

/** Loads a page of executions. Returns the previous page until the new page is loaded. */
export function useExecutions({ page, flow, status }: ExecutionsSearch) {
  const query = {
    limit: PAGE_SIZE,
    skip: (page - 1) * PAGE_SIZE,
    flow_id: flow ?? undefined,
    status: status ?? undefined,
  };
  return useQuery<ExecutionPage>({
    queryKey: queryKeys.flows.executions(query),
    queryFn: ({ signal }) =>
      api('GET', '/flows/executions', {
        query,
        signal,
        read: async (response) => ({
          executions: await readAnswer(response, flowExecutionList),
          total: Number(response.headers.get('x-total-count')),
        }),
      }),
    placeholderData: keepPreviousData,
  });
}

/** Loads an execution, and polls until it has ended. */
export function useExecution(executionId: string) {
  return useQuery({
    queryKey: queryKeys.flows.execution(executionId),
    queryFn: ({ signal }) =>
      api('GET', `/flows/executions/${executionId}`, { schema: flowExecution, signal }),
    enabled: id.safeParse(executionId).success,
    refetchInterval: ({ state: { data, error } }) =>
      (data !== undefined && hasEnded(data)) || isMissing(executionId, error) ? false : FOLLOW_MS,
  });
}

/**
 * Stops an execution, or runs its flow again with the same trigger. Returns the stopped or the new
 * execution.
 */
export function useStopOrRetryExecution(executionId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (way: 'stop' | 'retry') =>
      api('POST', `/flows/executions/${executionId}/${way}`, { schema: flowExecution }),
    onSuccess: (execution) => {
      cache.setQueryData(queryKeys.flows.execution(execution.id), execution);
      void cache.invalidateQueries({ queryKey: queryKeys.flows.all });
    },
  });
}
