import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Issue, StatusFilter } from '@winnow/contract/issue';
import { type Highlight, type MapRegion, regionText, searchResults } from '@winnow/contract/search';
import { type KeyFilters, queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** Issues on one page of a search. */
export const ISSUES_PER_PAGE = 10;

/** Which issues a search lists. */
export type IssueSearch = {
  query: string;
  status: StatusFilter;
  /** First segments (8 hex digits) of project ids; empty means every project. */
  projects: readonly string[];
  /** The part of the map that the issues are in; null for all. */
  region: MapRegion | null;
  /** From 1. */
  page: number;
};

/** A page of issues. */
export type IssuePage = {
  issues: Issue[];
  /** Where issues have what was searched for, by their ids. */
  found: Partial<Record<string, Highlight[]>>;
  total: number;
  capped: boolean;
  notice: string | null;
  /** Issues in the region, whatever is searched for; null without a region. */
  inRegion: number | null;
};

/** One page of the issues that a search lists. */
export function issuePageOptions({ query, status, projects, region, page }: IssueSearch) {
  const filters: KeyFilters = {
    query: query === '' ? undefined : query,
    sort: query === '' ? 'newest' : undefined,
    status,
    project_id: projects,
    region: region === null ? undefined : regionText(region),
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

/** Issues that a search finds first, whatever their status, in these projects or in all; none while nothing is searched. */
export function useIssueChoices(query: string, projects: readonly string[] = []) {
  return useQuery({
    ...issuePageOptions({ query, status: 'all', projects, region: null, page: 1 }),
    select: ({ issues }) => issues,
    enabled: query !== '',
  });
}
