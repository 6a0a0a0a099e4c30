import { type StatusFilter, statusFilter } from '@winnow/contract/issue';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { readProjects } from '../../features/issues/project-segment.ts';
import { readMember, readPage, serialize } from '../../ui/address/search-values.ts';

/** Number of issues per page. */
export const PAGE_SIZE = 10;

const viewName = z.enum(['list', 'graph']);
/** View of the dependencies: a list or a graph. */
export type ViewName = z.infer<typeof viewName>;

const shownIssues = z.enum(['all', 'dependent']);
/** Which issues are listed: all, or only those with dependencies. */
type ShownIssues = z.infer<typeof shownIssues>;

/** State of the dependencies screen, stored in the URL. */
export type DependenciesSearch = {
  /** Page number, starting at 1. */
  page: number;
  /**
   * First segment (8 hex digits) of the id of the selected project. Null selects the first project.
   */
  project: string | null;
  status: StatusFilter;
  show: ShownIssues;
  /** Id of the issue that is open in the panel. */
  selectedIssue: string | null;
  view: ViewName;
};

export const SEARCH_DEFAULTS: DependenciesSearch = {
  project: null,
  status: 'opened',
  show: 'all',
  view: 'list',
  page: 1,
  selectedIssue: null,
};

/** Parses URL parameters. Missing and invalid values are replaced by the defaults. */
export function parseSearch(parameters: URLSearchParams): DependenciesSearch {
  return {
    page: readPage(parameters.get('page')),
    project: readProjects(parameters.get('project'))[0] ?? null,
    status: readMember(statusFilter, parameters.get('status'), SEARCH_DEFAULTS.status),
    show: readMember(shownIssues, parameters.get('show'), SEARCH_DEFAULTS.show),
    selectedIssue: readMember(id.nullable(), parameters.get('selectedIssue'), null),
    view: readMember(viewName, parameters.get('view'), SEARCH_DEFAULTS.view),
  };
}

/**
 * Serializes a search to URL parameters, omitting defaults. Keeps the parameters of `current` that
 * do not belong to the search.
 */
export function serializeSearch(search: DependenciesSearch, current?: URLSearchParams): URLSearchParams {
  return serialize(SEARCH_DEFAULTS, search, current);
}

/** Parameters that determine which issues are listed. */
export type SearchFilters = Pick<DependenciesSearch, 'project' | 'status' | 'show'>;

/** Returns the search with some filters changed, on page 1 and with the panel closed. */
export function withFilters(search: DependenciesSearch, filters: Partial<SearchFilters>): DependenciesSearch {
  return { ...search, ...filters, page: SEARCH_DEFAULTS.page, selectedIssue: null };
}
