import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import {
  type CompliancePrompt,
  type ComplianceResult,
  complianceHistory,
  compliancePrompts,
  complianceResults,
  complianceStats,
  complianceSuggestion,
  complianceTrialResult,
  DEFAULT_PROMPT,
} from '@winnow/contract/compliance';
import { type Issue, issue, type StatusFilter } from '@winnow/contract/issue';
import { queryKeys } from '../../api/query/query-keys.ts';
import { pause, TYPING_PAUSE_MS } from '../../api/query/typing-pause.ts';
import { api } from '../../api/session/session.ts';
import { issuePageOptions } from '../../features/issues/issue-search.ts';
import type { IssueTexts } from '../../features/issues/text-fields/edited-texts.ts';
import type { ComplianceSearch } from './search-params.ts';

/**
 * The live channel tells when scores are there; this often they are asked for anyway, in case the
 * line is down.
 */
const CHECK_AGAIN_MS = 3_000;

/** The page of issues that is shown; the page before stays until the next one is there. */
export function useIssuePage(search: ComplianceSearch) {
  return useQuery({ ...issuePageOptions(search), placeholderData: keepPreviousData });
}

/** An issue with its text. */
export function issueOptions(issueId: string) {
  return queryOptions({
    queryKey: [...queryKeys.issues.byKey(issueId), 'texts'],
    queryFn: ({ signal }) => api('GET', `/issues/${issueId}`, { schema: issue, signal }),
  });
}

/** The same; `listed`, as a list has it, is shown until it is there. */
export function useIssue(issueId: string, listed: Issue | undefined) {
  return useQuery({ ...issueOptions(issueId), ...(listed === undefined ? {} : { placeholderData: listed }) });
}

/** What issues can be judged by. */
export function usePrompts() {
  return useQuery({
    queryKey: queryKeys.compliancePrompts.all,
    queryFn: ({ signal }) => api('GET', '/issue_compliance_prompts', { schema: compliancePrompts, signal }),
  });
}

/** The prompt of this id, or the default one when it is not known. Undefined while nothing is. */
export function promptOf(
  prompts: readonly CompliancePrompt[] | undefined,
  promptId: string,
): CompliancePrompt | undefined {
  return prompts?.find(({ id }) => id === promptId) ?? prompts?.find(({ id }) => id === DEFAULT_PROMPT);
}

function isUnderWay({ state, stale, instead_of }: ComplianceResult): boolean {
  return state === 'checking' || stale || instead_of?.reason === 'asking';
}

/**
 * How issues stand by a prompt, in one call; asked again while some are being judged. Null waits
 * for the prompt.
 */
export function useScores(promptId: string | null, issueIds: readonly string[]) {
  return useQuery({
    queryKey: queryKeys.compliance.results(promptId ?? '', issueIds),
    queryFn: async ({ signal, client }) => {
      const scored = await api('POST', '/issue_compliance/batch', {
        body: { issue_ids: issueIds, prompt_name: promptId },
        schema: complianceResults,
        signal,
      });
      // Asking has issues judged, which the numbers per project count. A first answer that is still
      // to come counted before.
      const counted = { queryKey: queryKeys.compliance.allStats };
      void client.cancelQueries(counted).then(() => client.invalidateQueries(counted));
      return scored;
    },
    enabled: promptId !== null && issueIds.length > 0,
    refetchInterval: ({ state }) => (state.data?.results.some(isUnderWay) === true ? CHECK_AGAIN_MS : false),
  });
}

/**
 * The scores that an issue had. `evaluatedAt` is when it was judged last: then there is a new one.
 */
export function useHistory(promptId: string, issueId: string, evaluatedAt: string | null) {
  return useQuery({
    queryKey: [...queryKeys.compliance.history(promptId, issueId), evaluatedAt],
    queryFn: ({ signal }) =>
      api('GET', `/issue_compliance/${issueId}/history`, {
        query: { prompt_name: promptId },
        schema: complianceHistory,
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: evaluatedAt !== null,
  });
}

/** How the issues of each project stand, as far as they were judged. Null waits for the prompt. */
export function useStatistics(promptId: string | null, status: StatusFilter) {
  const filters = { prompt_name: promptId ?? undefined, status };
  return useQuery({
    queryKey: queryKeys.compliance.stats(filters),
    queryFn: ({ signal }) =>
      api('GET', '/issue_compliance_stats', { query: filters, schema: complianceStats, signal }),
    enabled: promptId !== null,
    placeholderData: keepPreviousData,
  });
}

/** Better texts for an issue. Asked once while they are edited; another time, once more. */
export function useImprovement(promptId: string, issueId: string) {
  return useQuery({
    queryKey: queryKeys.suggestions.improvement(promptId, issueId),
    queryFn: ({ signal }) =>
      api('GET', `/issue_compliance_suggestion/${issueId}`, {
        query: { prompt_name: promptId },
        schema: complianceSuggestion,
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

/**
 * What an issue would score with these texts; null while there are none. With `typing` it waits for
 * a pause. The score before stays, as `isPlaceholderData`, until the new one is there.
 */
export function useTrial(promptId: string, issueId: string, texts: IssueTexts | null, typing: boolean) {
  const asked = { prompt_name: promptId, ...texts };
  return useQuery({
    queryKey: queryKeys.suggestions.trial(issueId, asked),
    queryFn: async ({ signal }) => {
      if (typing) await pause(TYPING_PAUSE_MS, signal);
      return api('POST', `/issue_compliance_trial/${issueId}`, {
        body: asked,
        schema: complianceTrialResult,
        signal,
      });
    },
    enabled: texts !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
}
