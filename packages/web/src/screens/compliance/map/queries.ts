import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { complianceScores } from '@winnow/contract/compliance';
import { issueMap, searchResults } from '@winnow/contract/search';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { ApiError } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';
import type { ComplianceSearch } from '../search-params.ts';

/** The index that the map is made of is being loaded… */
const ASK_AGAIN_MS = 2_000;
/**
 * …or issues have no vector yet; the live channel tells when they change, not when they are read.
 */
const LOOK_AGAIN_MS = 5_000;

type Shown = Pick<ComplianceSearch, 'projects' | 'status'>;

/** Whether there is no map only because the server is still getting ready for it. */
export function isPreparing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 503;
}

/** The map of the issues that are shown; followed until every issue is on it. */
export function useIssueMap({ projects, status }: Shown) {
  const filters = { project_ids: projects, status };
  return useQuery({
    queryKey: queryKeys.issues.map(filters),
    queryFn: ({ signal }) => api('GET', '/embeddings', { query: filters, schema: issueMap, signal }),
    placeholderData: keepPreviousData,
    retry: (failures, error) => !isPreparing(error) && failures < 2,
    refetchInterval: ({ state }) => {
      if (isPreparing(state.error)) return ASK_AGAIN_MS;
      return (state.data?.missing ?? 0) > 0 ? LOOK_AGAIN_MS : false;
    },
  });
}

/**
 * The ids of what the search finds anywhere on the map, and whether there is more than it tells;
 * null when nothing is searched for, or while it is not known.
 */
export function useFoundIssues({ query, projects, status }: Shown & Pick<ComplianceSearch, 'query'>) {
  const filters = { query, status, project_id: projects, item_types: 'issue', include: 'ids', limit: 1 };
  const { data } = useQuery({
    queryKey: queryKeys.issues.search(filters),
    queryFn: async ({ signal }) => {
      const found = await api('GET', '/search', { query: filters, schema: searchResults, signal });
      return { ids: new Set(found.ids), isCapped: found.total_is_capped };
    },
    enabled: query !== '',
  });
  return query === '' ? null : (data ?? null);
}

/** The scores that issues have by a prompt, as far as they were judged. Null does not ask. */
export function useKnownScores(promptId: string | null, { projects, status }: Shown) {
  const filters = { prompt_name: promptId ?? undefined, project_ids: projects, status };
  return useQuery({
    queryKey: queryKeys.compliance.known(filters),
    queryFn: async ({ signal }) => {
      const known = await api('GET', '/issue_compliance_scores', {
        query: filters,
        schema: complianceScores,
        signal,
      });
      return new Map(known.issue_ids.map((issueId, index) => [issueId, known.factors[index] ?? 0]));
    },
    enabled: promptId !== null,
    placeholderData: keepPreviousData,
  });
}
