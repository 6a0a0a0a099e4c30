import { DEFAULT_PROMPT, promptId } from '@winnow/contract/compliance';
import { type StatusFilter, statusFilter } from '@winnow/contract/issue';
import { id } from '@winnow/contract/primitives';
import { LONGEST_QUERY, type MapRegion, mapRegion, regionText } from '@winnow/contract/search';
import { z } from 'zod';
import { readProjects } from '../../features/issues/project-segment.ts';
import { readMember, readPage, readText, serialize } from '../../ui/address/search-values.ts';

/** A list alone, or a map over it. */
const viewName = z.enum(['list', 'map']);
export type ViewName = z.infer<typeof viewName>;
/** What the colors of the map tell. */
const mapColor = z.enum(['theme', 'score']);
export type MapColor = z.infer<typeof mapColor>;

/** What the screen shows, all of it in the address. */
export type ComplianceSearch = {
  /** From 1. */
  page: number;
  status: StatusFilter;
  /** What the issues are judged by. */
  prompt: string;
  query: string;
  /** First segments (8 hex digits) of project ids; empty means every project. */
  projects: readonly string[];
  view: ViewName;
  color: MapColor;
  /** The part of the map whose issues are listed, in either view; null for all. */
  region: MapRegion | null;
  /** Id of the issue that is open in the panel. */
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
  selectedIssue: null,
};

/** Reads the address. What is missing or makes no sense is silently the default. */
export function parseSearch(parameters: URLSearchParams): ComplianceSearch {
  return {
    page: readPage(parameters.get('page')),
    status: readMember(statusFilter, parameters.get('status'), SEARCH_DEFAULTS.status),
    prompt: readMember(promptId, parameters.get('prompt'), SEARCH_DEFAULTS.prompt),
    query: readText(parameters.get('query'), LONGEST_QUERY),
    projects: readProjects(parameters.get('projects')),
    view: readMember(viewName, parameters.get('view'), SEARCH_DEFAULTS.view),
    color: readMember(mapColor, parameters.get('color'), SEARCH_DEFAULTS.color),
    region: readMember(mapRegion.nullable(), parameters.get('region'), null),
    selectedIssue: readMember(id.nullable(), parameters.get('selectedIssue'), null),
  };
}

/** The address of a search: defaults are left out, foreign parameters of `current` stay. */
export function serializeSearch(search: ComplianceSearch, current?: URLSearchParams): URLSearchParams {
  const region = search.region === null ? null : regionText(search.region);
  return serialize({ ...SEARCH_DEFAULTS, region: null }, { ...search, region }, current);
}

/**
 * What decides which issues are listed. A change of any of it starts over at page 1 with the panel
 * closed.
 */
export type SearchFilters = Pick<ComplianceSearch, 'status' | 'query' | 'projects' | 'region'>;

/** The search after some of its filters changed. */
export function withFilters(search: ComplianceSearch, filters: Partial<SearchFilters>): ComplianceSearch {
  return { ...search, ...filters, page: SEARCH_DEFAULTS.page, selectedIssue: null };
}

/** The search with every filter at its default. What shows the same issues differently stays. */
export function withoutFilters({ prompt, view, color }: ComplianceSearch): ComplianceSearch {
  return { ...SEARCH_DEFAULTS, prompt, view, color };
}

/** Whether anything is filtered out that is not by default. */
export function isFiltered({ status, query, projects, region }: ComplianceSearch): boolean {
  return status !== SEARCH_DEFAULTS.status || query !== '' || projects.length > 0 || region !== null;
}
