import { type StatusFilter, statusFilter } from '@winnow/contract/issue';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { readProjects } from '../../features/issues/project-segment.ts';
import { readMember, readPage, serialize } from '../../ui/address/search-values.ts';

/** Issues on one page. */
export const PAGE_SIZE = 10;

const viewName = z.enum(['list', 'graph']);
/** How the dependencies of a project are shown. */
export type ViewName = z.infer<typeof viewName>;

const shownIssues = z.enum(['all', 'dependent']);
/** Which issues are listed: all, or those that have dependencies. */
type ShownIssues = z.infer<typeof shownIssues>;

/** State of the screen, which is stored in the address. */
export type DependenciesSearch = {
  /** From 1. */
  page: number;
  /** First segment (8 hex digits) of the project's id; null for the first project. */
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

/** Parses the address. Missing and invalid values become defaults. */
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

/** The address of a search: defaults are left out, foreign parameters of `current` stay. */
export function serializeSearch(search: DependenciesSearch, current?: URLSearchParams): URLSearchParams {
  return serialize(SEARCH_DEFAULTS, search, current);
}

/** Parameters that determine the listed issues. */
export type SearchFilters = Pick<DependenciesSearch, 'project' | 'status' | 'show'>;

/** The search after some of its filters changed: it starts over at page 1 with the panel closed. */
export function withFilters(search: DependenciesSearch, filters: Partial<SearchFilters>): DependenciesSearch {
  return { ...search, ...filters, page: SEARCH_DEFAULTS.page, selectedIssue: null };
}
