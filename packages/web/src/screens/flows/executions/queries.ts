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
import { isGone } from '../missing-flow.tsx';
import { type ExecutionsSearch, PAGE_SIZE } from './search-params.ts';

/** The live channel tells how it goes; this often it is asked for anyway, in case the line is down. */
export const FOLLOW_MS = 4_000;

/** Whether nothing more will come of it. */
export function hasEnded({ status }: Pick<FlowExecution, 'status'>): boolean {
  return EXECUTION_STATUSES[status].ended;
}

export type ExecutionPage = { executions: FlowExecution[]; total: number };

/** The page of executions that is shown; the page before stays until the next one is there. */
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

/** One execution, followed until it has ended. */
export function useExecution(executionId: string) {
  return useQuery({
    queryKey: queryKeys.flows.execution(executionId),
    queryFn: ({ signal }) =>
      api('GET', `/flows/executions/${executionId}`, { schema: flowExecution, signal }),
    enabled: id.safeParse(executionId).success,
    refetchInterval: ({ state: { data, error } }) =>
      (data !== undefined && hasEnded(data)) || isGone(executionId, error) ? false : FOLLOW_MS,
  });
}

/** Has an execution end, or runs its flow again on what started it; the answer is the execution to look at. */
export function useSteerExecution(executionId: string) {
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
