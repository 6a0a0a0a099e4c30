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

/** Polling interval while scoring runs, in case live events are interrupted. */
const RUNS_POLL_MS = 4_000;

/** Projects to score, the prompt to use, and the status of the issues. */
export type ScoringRequest = { prompt_name: string; project_ids: readonly string[]; status: StatusFilter };

/** Loads the newest scoring run of each project. Sends no request while the prompt is null. */
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

/** Returns how many issues would be scored, and how many model calls this takes. */
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

/** Stops scoring runs. Keeps the scores computed so far. */
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
