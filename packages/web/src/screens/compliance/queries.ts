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
import type { IssueTexts } from '../../features/issues/text-fields/text-edits.ts';
import type { ComplianceSearch } from './search-params.ts';

/** Polling interval while issues are being scored, in case live events are interrupted. */
const SCORES_POLL_MS = 3_000;

/** Loads a page of issues. Returns the previous page until the new page is loaded. */
export function useIssuePage(search: ComplianceSearch) {
  return useQuery({ ...issuePageOptions(search), placeholderData: keepPreviousData });
}

/** Returns a query for an issue with its title and description. */
export function issueOptions(issueId: string) {
  return queryOptions({
    queryKey: [...queryKeys.issues.byKey(issueId), 'texts'],
    queryFn: ({ signal }) => api('GET', `/issues/${issueId}`, { schema: issue, signal }),
  });
}

/**
 * Loads an issue with its title and description. Until it is loaded, returns `listed`, the issue
 * from the list.
 */
export function useIssue(issueId: string, listed: Issue | undefined) {
  return useQuery({ ...issueOptions(issueId), ...(listed === undefined ? {} : { placeholderData: listed }) });
}

/** Loads all prompts for scoring issues. */
export function usePrompts() {
  return useQuery({
    queryKey: queryKeys.compliancePrompts.all,
    queryFn: ({ signal }) => api('GET', '/issue_compliance_prompts', { schema: compliancePrompts, signal }),
  });
}

/**
 * Returns the prompt with this id, or the default prompt if the id is unknown. Undefined until the
 * prompts are loaded.
 */
export function promptOf(
  prompts: readonly CompliancePrompt[] | undefined,
  promptId: string,
): CompliancePrompt | undefined {
  return prompts?.find(({ id }) => id === promptId) ?? prompts?.find(({ id }) => id === DEFAULT_PROMPT);
}

function isPending({ state, stale, instead_of }: ComplianceResult): boolean {
  return state === 'checking' || stale || instead_of?.reason === 'asking';
}

/**
 * Loads the scores of issues in one request, and polls while some are being scored. If the prompt
 * is null, sends no request.
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
      // The server may have scored issues during this request, which changes the statistics. Cancel
      // a pending request for them, since its result would be outdated.
      const statsFilter = { queryKey: queryKeys.compliance.allStats };
      void client.cancelQueries(statsFilter).then(() => client.invalidateQueries(statsFilter));
      return scored;
    },
    enabled: promptId !== null && issueIds.length > 0,
    refetchInterval: ({ state }) => (state.data?.results.some(isPending) === true ? SCORES_POLL_MS : false),
  });
}

/**
 * Loads the score history of an issue. `evaluatedAt` is the time of the last score. Since it is
 * part of the query key, a new score reloads the history.
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

/** Loads the statistics of scores per project. Sends no request while the prompt is null. */
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

/**
 * Loads suggested texts for an issue. They are never refetched while the user edits them, and are
 * not cached afterwards.
 */
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
 * Loads the score that an issue would have with the given texts. If the texts are null, sends no
 * request. If `typing` is true, waits for a pause in typing. Returns the previous score as
 * placeholder until the new score is loaded.
 */
export function useTrial(promptId: string, issueId: string, texts: IssueTexts | null, typing: boolean) {
  const request = { prompt_name: promptId, ...texts };
  return useQuery({
    queryKey: queryKeys.suggestions.trial(issueId, request),
    queryFn: async ({ signal }) => {
      if (typing) await pause(TYPING_PAUSE_MS, signal);
      return api('POST', `/issue_compliance_trial/${issueId}`, {
        body: request,
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
