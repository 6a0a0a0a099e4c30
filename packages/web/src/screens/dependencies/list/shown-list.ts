import type { UseQueryResult } from '@tanstack/react-query';
import type { DependencyGraph } from '@winnow/contract/dependency';
import type { StatusFilter } from '@winnow/contract/issue';
import type { ListedIssue } from '../dependency-state.ts';
import { PAGE_SIZE } from '../search-params.ts';

/** A page of the issue list. */
export type ListedPage = { issues: readonly ListedIssue[]; total: number; capped: boolean };

/** The displayed page of the list, with its loading state. */
export type ShownList = {
  /** The displayed page; undefined while loading. */
  page: ListedPage | undefined;
  error: unknown;
  /** True if the displayed page is the previous one, because the current page is still loading. */
  stale: boolean;
  retrying: boolean;
  retry: () => void;
};

/** Returns the error and the retry state of the query that loads a list. */
export function listState({ error, isFetching, refetch }: UseQueryResult): Omit<ShownList, 'page' | 'stale'> {
  return { error, retrying: isFetching, retry: () => void refetch() };
}

/** Returns the issues that have dependencies, newest first. */
export function dependentIssues(
  issues: DependencyGraph['issues'],
  projectId: string,
  status: StatusFilter,
): DependencyGraph['issues'] {
  return issues
    .filter(({ project_id, state }) => project_id === projectId && (status === 'all' || state === status))
    .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
}

/** Returns one page of a list of issues that is completely loaded. */
export function pageOf(issues: readonly ListedIssue[], page: number): ListedPage {
  return {
    issues: issues.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    total: issues.length,
    capped: false,
  };
}
