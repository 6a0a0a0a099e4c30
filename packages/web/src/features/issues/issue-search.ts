import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Issue, StatusFilter } from '@winnow/contract/issue';
import { type Highlight, type MapRegion, regionText, searchResults } from '@winnow/contract/search';
import { type KeyFilters, queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

export const ISSUES_PER_PAGE = 10;

/** Criteria of an issue search. */
export type IssueSearch = {
  query: string;
  status: StatusFilter;
  /**
   * Projects that limit the search, by the first segments (8 hex digits) of their ids. Empty for no
   * limit.
   */
  projects: readonly string[];
  /** Map region that limits the search; null for no limit. */
  region: MapRegion | null;
  /** Id of the cluster that limits the search; null for no limit. */
  cluster: string | null;
  /** Page number, starting at 1. */
  page: number;
};

export type IssuePage = {
  issues: Issue[];
  /** Highlighted matches of the search text, by issue id. */
  found: Partial<Record<string, Highlight[]>>;
  total: number;
  capped: boolean;
  notice: string | null;
  /**
   * Number of issues in the map region, regardless of the search text. Null if the search is not
   * limited to a region.
   */
  inRegion: number | null;
};

/** Returns a query for one page of an issue search. */
export function issuePageOptions({ query, status, projects, region, cluster, page }: IssueSearch) {
  const filters: KeyFilters = {
    query: query === '' ? undefined : query,
    sort: query === '' ? 'newest' : undefined,
    status,
    project_id: projects,
    region: region === null ? undefined : regionText(region),
    cluster_id: cluster ?? undefined,
    item_types: 'issue',
    limit: ISSUES_PER_PAGE,
    skip: (page - 1) * ISSUES_PER_PAGE,
  };
  return queryOptions({
    queryKey: queryKeys.issues.search(filters),
    queryFn: async ({ signal }): Promise<IssuePage> => {
      const found = await api('GET', '/search', { query: filters, schema: searchResults, signal });
      const issues = found.results.flatMap((result) => (result.item_type === 'issue' ? [result.item] : []));
      return {
        issues,
        found: Object.fromEntries(found.results.map(({ item, highlights }) => [item.id, highlights])),
        total: found.total,
        capped: found.total_is_capped,
        notice: found.notice,
        inRegion: found.region_total,
      };
    },
  });
}

/**
 * Searches issues of any status and returns the best matches. `projects` limits the search. Sends
 * no request while the search text is empty.
 */
export function useIssueChoices(query: string, projects: readonly string[] = []) {
  return useQuery({
    ...issuePageOptions({ query, status: 'all', projects, region: null, cluster: null, page: 1 }),
    select: ({ issues }) => issues,
    enabled: query !== '',
  });
}
