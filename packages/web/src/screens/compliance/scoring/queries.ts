import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ComplianceRun,
  complianceRun,
  complianceRunPreview,
  complianceRuns,
} from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { api } from '../../../api/session/session.ts';

/** Polling interval while a run is in progress, in case the live channel is disconnected. */
const RUNS_POLL_MS = 4_000;

/** Issues to score and the prompt to use. */
export type ScoringRequest = { prompt_name: string; project_ids: readonly string[]; status: StatusFilter };

/** Loads the newest scoring run of each project. Null waits for the prompt. */
export function useRuns(promptId: string | null) {
  return useQuery({
    queryKey: queryKeys.compliance.runs(promptId ?? ''),
    queryFn: ({ signal }) =>
      api('GET', '/issue_compliance_runs', {
        query: { prompt_name: promptId ?? undefined },
        schema: complianceRuns,
        signal,
      }),
    enabled: promptId !== null,
    refetchInterval: ({ state }) => (state.data?.runs.some(isRunning) === true ? RUNS_POLL_MS : false),
  });
}

export function isRunning({ state }: ComplianceRun): boolean {
  return state === 'running';
}

/** Returns the number of issues and model calls that scoring these projects takes. */
export function previewScoring(scored: ScoringRequest) {
  return api('POST', '/issue_compliance_runs/preview', { body: scored, schema: complianceRunPreview });
}

/** Starts scoring projects. */
export function useStartScoring() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (request: ScoringRequest & { most_calls: number }) =>
      api('POST', '/issue_compliance_runs', { body: request, schema: complianceRuns }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.compliance.all }),
  });
}

/** Stops runs. Existing scores are retained. */
export function useStopScoring() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (runs: readonly ComplianceRun[]) =>
      Promise.all(
        runs.map(({ id }) => api('POST', `/issue_compliance_runs/${id}/stop`, { schema: complianceRun })),
      ),
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.compliance.all }),
  });
}
