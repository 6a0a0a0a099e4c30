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

/** Polling interval while issues are being judged, in case the live channel is disconnected. */
const SCORES_POLL_MS = 3_000;

/** Loads a page of issues. The previous page stays until the new one is loaded. */
export function useIssuePage(search: ComplianceSearch) {
  return useQuery({ ...issuePageOptions(search), placeholderData: keepPreviousData });
}

/** Returns a query for an issue with its texts. */
export function issueOptions(issueId: string) {
  return queryOptions({
    queryKey: [...queryKeys.issues.byKey(issueId), 'texts'],
    queryFn: ({ signal }) => api('GET', `/issues/${issueId}`, { schema: issue, signal }),
  });
}

/** Loads an issue with its texts. Shows `listed`, the issue from the list, until then. */
export function useIssue(issueId: string, listed: Issue | undefined) {
  return useQuery({ ...issueOptions(issueId), ...(listed === undefined ? {} : { placeholderData: listed }) });
}

/** Loads the prompts. */
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
 * Loads the scores of issues in one call, and polls while some are being judged. A null prompt
 * disables the query.
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
      // This request may have started judging, which changes the statistics of projects. A pending
      // request for them is canceled, since its numbers would be outdated.
      const statsFilter = { queryKey: queryKeys.compliance.allStats };
      void client.cancelQueries(statsFilter).then(() => client.invalidateQueries(statsFilter));
      return scored;
    },
    enabled: promptId !== null && issueIds.length > 0,
    refetchInterval: ({ state }) => (state.data?.results.some(isPending) === true ? SCORES_POLL_MS : false),
  });
}

/**
 * Loads the previous scores of an issue. `evaluatedAt`, the time of the last score, is part of the
 * query key, so that a new score reloads them.
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

/** Loads the score statistics per project. Null waits for the prompt. */
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

/** Loads suggested texts for an issue. Never refetched during editing and not cached afterwards. */
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
 * Loads the score that an issue would have with these texts; null texts disable the query. With
 * `typing`, waits for a pause first. The previous score stays, marked by `isPlaceholderData`, until
 * the new one is loaded.
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
