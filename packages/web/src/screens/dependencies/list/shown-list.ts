import type { UseQueryResult } from '@tanstack/react-query';
import type { DependencyGraph } from '@winnow/contract/dependency';
import type { StatusFilter } from '@winnow/contract/issue';
import type { ListedIssue } from '../dependency-state.ts';
import { PAGE_SIZE } from '../search-params.ts';

/** A page of the list. */
export type ListedPage = { issues: readonly ListedIssue[]; total: number; capped: boolean };

/** Displayed list with its loading state. */
export type ShownList = {
  /** Undefined while loading. */
  page: ListedPage | undefined;
  error: unknown;
  /** True while the previous page is displayed because the next one is loading. */
  stale: boolean;
  retrying: boolean;
  retry: () => void;
};

/** Returns the error and retry state of the query behind a list. */
export function listState({ error, isFetching, refetch }: UseQueryResult): Omit<ShownList, 'page' | 'stale'> {
  return { error, retrying: isFetching, retry: () => void refetch() };
}

/** Returns the issues of a project that have dependencies, newest first. */
export function dependentIssues(
  issues: DependencyGraph['issues'],
  projectId: string,
  status: StatusFilter,
): DependencyGraph['issues'] {
  return issues
    .filter(({ project_id, state }) => project_id === projectId && (status === 'all' || state === status))
    .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
}

/** Returns one page of issues that are all loaded. */
export function pageOf(issues: readonly ListedIssue[], page: number): ListedPage {
  return {
    issues: issues.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    total: issues.length,
    capped: false,
  };
}
