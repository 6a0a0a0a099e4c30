import type { UseQueryResult } from '@tanstack/react-query';
import type { DependencyGraph } from '@winnow/contract/dependency';
import type { StatusFilter } from '@winnow/contract/issue';
import type { ListedIssue } from '../dependency-state.ts';
import { PAGE_SIZE } from '../search-params.ts';

/** A page of the list. */
export type ListedPage = { issues: readonly ListedIssue[]; total: number; capped: boolean };

/** The list in its states. */
export type ShownList = {
  /** Undefined while it loads. */
  page: ListedPage | undefined;
  error: unknown;
  /** It is the page before, until the next one is there. */
  stale: boolean;
  retrying: boolean;
  retry: () => void;
};

/** The states of the query that a list is made of. */
export function listState({ error, isFetching, refetch }: UseQueryResult): Omit<ShownList, 'page' | 'stale'> {
  return { error, retrying: isFetching, retry: () => void refetch() };
}

/** The issues of a project that have dependencies, the newest first. */
export function dependentIssues(
  issues: DependencyGraph['issues'],
  projectId: string,
  status: StatusFilter,
): DependencyGraph['issues'] {
  return issues
    .filter(({ project_id, state }) => project_id === projectId && (status === 'all' || state === status))
    .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
}

/** One page of issues that are all here. */
export function pageOf(issues: readonly ListedIssue[], page: number): ListedPage {
  return {
    issues: issues.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    total: issues.length,
    capped: false,
  };
}
