import { DEFAULT_PROMPT, promptId } from '@winnow/contract/compliance';
import { type StatusFilter, statusFilter } from '@winnow/contract/issue';
import { id } from '@winnow/contract/primitives';
import { MAX_QUERY_CHARS, type MapRegion, mapRegion, regionText } from '@winnow/contract/search';
import { z } from 'zod';
import { readProjects } from '../../features/issues/project-segment.ts';
import { readMember, readPage, readText, serialize } from '../../ui/address/search-values.ts';

/** List alone, or list with the map above it. */
const viewName = z.enum(['list', 'map']);
export type ViewName = z.infer<typeof viewName>;
/** Meaning of the colors on the map. */
const mapColor = z.enum(['theme', 'score']);
export type MapColor = z.infer<typeof mapColor>;

/** State of the screen, all of it stored in the URL. */
export type ComplianceSearch = {
  /** Page number from 1. */
  page: number;
  status: StatusFilter;
  /** Id of the prompt that scores the issues. An unknown id selects the default prompt. */
  prompt: string;
  query: string;
  /** First segments (8 hex digits) of project ids; empty means every project. */
  projects: readonly string[];
  view: ViewName;
  color: MapColor;
  /** Region of the map whose issues are listed, in either view; null for all. */
  region: MapRegion | null;
  /** Id of the cluster whose issues are listed; null for all. */
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

/** Parses the URL. Missing and invalid values fall back to the defaults. */
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

/** Serializes a search, omitting defaults. Unrelated parameters in `current` are retained. */
export function serializeSearch(search: ComplianceSearch, current?: URLSearchParams): URLSearchParams {
  const region = search.region === null ? null : regionText(search.region);
  return serialize({ ...SEARCH_DEFAULTS, region: null }, { ...search, region }, current);
}

/**
 * Filters that determine the listed issues. Changing any of them resets to page 1 and closes the
 * panel.
 */
export type SearchFilters = Pick<ComplianceSearch, 'status' | 'query' | 'projects' | 'region' | 'cluster'>;

/** Returns the search with some filters changed. */
export function withFilters(search: ComplianceSearch, filters: Partial<SearchFilters>): ComplianceSearch {
  return { ...search, ...filters, page: SEARCH_DEFAULTS.page, selectedIssue: null };
}

/** Returns the search with every filter at its default. Keeps the prompt, view and color. */
export function withoutFilters({ prompt, view, color }: ComplianceSearch): ComplianceSearch {
  return { ...SEARCH_DEFAULTS, prompt, view, color };
}

/** True if any filter differs from its default. */
export function isFiltered({ status, query, projects, region, cluster }: ComplianceSearch): boolean {
  return (
    status !== SEARCH_DEFAULTS.status ||
    query !== '' ||
    projects.length > 0 ||
    region !== null ||
    cluster !== null
  );
}
