import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { complianceScores } from '@winnow/contract/compliance';
import { issueMap, searchResults } from '@winnow/contract/search';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { ApiError } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';
import type { ComplianceSearch } from '../search-params.ts';

/** Polling interval while the server prepares the map. */
const PREPARING_POLL_MS = 2_000;
/**
 * Polling interval while some issues have no position on the map. Live events do not report new
 * positions.
 */
const MISSING_POLL_MS = 5_000;

type MapFilters = Pick<ComplianceSearch, 'projects' | 'status'>;

/** True if the map is not available yet because the server is preparing it. */
export function isPreparing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 503;
}

/** Loads the map of the issues that match the filters. Polls until all of them have a position. */
export function useIssueMap({ projects, status }: MapFilters) {
  const filters = { project_ids: projects, status };
  return useQuery({
    queryKey: queryKeys.issues.map(filters),
    queryFn: ({ signal }) => api('GET', '/embeddings', { query: filters, schema: issueMap, signal }),
    placeholderData: keepPreviousData,
    retry: (failures, error) => !isPreparing(error) && failures < 2,
    refetchInterval: ({ state }) => {
      if (isPreparing(state.error)) return PREPARING_POLL_MS;
      return (state.data?.missing ?? 0) > 0 ? MISSING_POLL_MS : false;
    },
  });
}

/**
 * Loads the ids of all issues that match the search text and the cluster, and whether the server
 * has limited them. Null while loading, or if neither search text nor cluster is set.
 */
export function useFoundIssues({
  query,
  projects,
  status,
  cluster,
}: MapFilters & Pick<ComplianceSearch, 'query' | 'cluster'>) {
  const isSearching = query !== '' || cluster !== null;
  const filters = {
    query,
    status,
    project_id: projects,
    cluster_id: cluster ?? undefined,
    item_types: 'issue',
    include: 'ids',
    limit: 1,
  };
  const { data } = useQuery({
    queryKey: queryKeys.issues.search(filters),
    queryFn: async ({ signal }) => {
      const found = await api('GET', '/search', { query: filters, schema: searchResults, signal });
      return { ids: new Set(found.ids), isCapped: found.total_is_capped };
    },
    enabled: isSearching,
  });
  return isSearching ? (data ?? null) : null;
}

/**
 * Loads the scores that are already known for a prompt. If the prompt is null, sends no request.
 */
export function useKnownScores(promptId: string | null, { projects, status }: MapFilters) {
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
