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
  /** First segments (8 hex digits) of project ids; empty means every project. */
  projects: readonly string[];
  /** Region of the map that contains the issues; null for all. */
  region: MapRegion | null;
  /** Id of the cluster that contains the issues; null for all. */
  cluster: string | null;
  /** 1-based. */
  page: number;
};

export type IssuePage = {
  issues: Issue[];
  /** Highlights of the matches, by issue id. */
  found: Partial<Record<string, Highlight[]>>;
  total: number;
  capped: boolean;
  notice: string | null;
  /** Number of issues in the region, ignoring the search text; null without a region. */
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
 * Returns the best matches of any status, optionally within the given projects. Disabled while the
 * text is empty.
 */
export function useIssueChoices(query: string, projects: readonly string[] = []) {
  return useQuery({
    ...issuePageOptions({ query, status: 'all', projects, region: null, cluster: null, page: 1 }),
    select: ({ issues }) => issues,
    enabled: query !== '',
  });
}
