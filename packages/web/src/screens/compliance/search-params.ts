import { DEFAULT_PROMPT, promptId } from '@winnow/contract/compliance';
import { type StatusFilter, statusFilter } from '@winnow/contract/issue';
import { id } from '@winnow/contract/primitives';
import { MAX_QUERY_CHARS, type MapRegion, mapRegion, regionText } from '@winnow/contract/search';
import { z } from 'zod';
import { readProjects } from '../../features/issues/project-segment.ts';
import { readMember, readPage, readText, serialize } from '../../ui/address/search-values.ts';

/** View of the issues: a list, or a map above the list. */
const viewName = z.enum(['list', 'map']);
export type ViewName = z.infer<typeof viewName>;
/** Meaning of the colors on the map: the theme or the score of an issue. */
const mapColor = z.enum(['theme', 'score']);
export type MapColor = z.infer<typeof mapColor>;

/** State of the compliance screen, stored in the URL. */
export type ComplianceSearch = {
  /** Page number, starting at 1. */
  page: number;
  status: StatusFilter;
  /** Id of the prompt that scores the issues. If the id is unknown, the default prompt is used. */
  prompt: string;
  query: string;
  /**
   * Projects that limit the list, by the first segments (8 hex digits) of their ids. Empty for no
   * limit.
   */
  projects: readonly string[];
  view: ViewName;
  color: MapColor;
  /** Map region that limits the list, in both views; null for no limit. */
  region: MapRegion | null;
  /** Id of the cluster that limits the list; null for no limit. */
  cluster: string | null;
  /** Id of the issue open in the panel. */
  selectedIssue: string | null;
};

export const SEARCH_DEFAULTS: ComplianceSearch = {
  page: 1,
  status: 'opened',
  prompt: DEFAULT_PROMPT,
  query: '',
  projects: [],
  view: 'list',
  color: 'theme',
  region: null,
  cluster: null,
  selectedIssue: null,
};

/** Parses the URL. Missing and invalid values are replaced by the defaults. */
export function parseSearch(parameters: URLSearchParams): ComplianceSearch {
  return {
    page: readPage(parameters.get('page')),
    status: readMember(statusFilter, parameters.get('status'), SEARCH_DEFAULTS.status),
    prompt: readMember(promptId, parameters.get('prompt'), SEARCH_DEFAULTS.prompt),
    query: readText(parameters.get('query'), MAX_QUERY_CHARS),
    projects: readProjects(parameters.get('projects')),
    view: readMember(viewName, parameters.get('view'), SEARCH_DEFAULTS.view),
    color: readMember(mapColor, parameters.get('color'), SEARCH_DEFAULTS.color),
    region: readMember(mapRegion.nullable(), parameters.get('region'), null),
    cluster: readMember(id.nullable(), parameters.get('cluster'), null),
    selectedIssue: readMember(id.nullable(), parameters.get('selectedIssue'), null),
  };
}

/**
 * Serializes a search to URL parameters, omitting defaults. Keeps the parameters of `current` that
 * do not belong to the search.
 */
export function serializeSearch(search: ComplianceSearch, current?: URLSearchParams): URLSearchParams {
  const region = search.region === null ? null : regionText(search.region);
  return serialize({ ...SEARCH_DEFAULTS, region: null }, { ...search, region }, current);
}

/**
 * Filters that determine which issues are listed. Changing one returns to page 1 and closes the
 * panel.
 */
export type SearchFilters = Pick<ComplianceSearch, 'status' | 'query' | 'projects' | 'region' | 'cluster'>;

/** Returns the search with some filters changed, on page 1 and with the panel closed. */
export function withFilters(search: ComplianceSearch, filters: Partial<SearchFilters>): ComplianceSearch {
  return { ...search, ...filters, page: SEARCH_DEFAULTS.page, selectedIssue: null };
}

/** Returns the search without filters. Keeps the prompt, the view and the map color. */
export function withoutFilters({ prompt, view, color }: ComplianceSearch): ComplianceSearch {
  return { ...SEARCH_DEFAULTS, prompt, view, color };
}

/** True if at least one filter is active. */
export function isFiltered({ status, query, projects, region, cluster }: ComplianceSearch): boolean {
  return (
    status !== SEARCH_DEFAULTS.status ||
    query !== '' ||
    projects.length > 0 ||
    region !== null ||
    cluster !== null
  );
}
