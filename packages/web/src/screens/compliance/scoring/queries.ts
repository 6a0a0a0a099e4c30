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

/**
 * The live channel tells how far it is; this often it is asked for anyway, in case the line is
 * down.
 */
const CHECK_AGAIN_MS = 4_000;

/** Which issues are to be scored, by what. */
export type Scored = { prompt_name: string; project_ids: readonly string[]; status: StatusFilter };

/** How far the scoring of whole projects is, the newest of each. Null waits for the prompt. */
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
    refetchInterval: ({ state }) => (state.data?.runs.some(isRunning) === true ? CHECK_AGAIN_MS : false),
  });
}

export function isRunning({ state }: ComplianceRun): boolean {
  return state === 'running';
}

/** Asks what scoring projects would take. */
export function previewScoring(scored: Scored) {
  return api('POST', '/issue_compliance_runs/preview', { body: scored, schema: complianceRunPreview });
}

/** Begins to score projects. */
export function useStartScoring() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (asked: Scored & { most_calls: number }) =>
      api('POST', '/issue_compliance_runs', { body: asked, schema: complianceRuns }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.compliance.all }),
  });
}

/** Stops runs. What was scored stays. */
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
