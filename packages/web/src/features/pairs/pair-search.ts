import {
  type PairScope,
  pairScope,
  type ResolutionFilter,
  resolutionFilter,
  SIMILARITY,
} from '@winnow/contract/duplicate';
import { type StatusFilter, statusFilter } from '@winnow/contract/issue';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { readMember, readPage, readText, serialize } from '../../ui/address/search-values.ts';
import { toggleProject } from '../issues/filters/project-tree.ts';
import { readProjects } from '../issues/project-segment.ts';

/** Pairs on one page. */
export const PAGE_SIZE = 10;
/** The longest search the server takes. */
export const QUERY_LENGTH = 200;

/** What the screen shows, all of it in the address. */
export type SimilaritySearch = {
  /** From 1. */
  page: number;
  status: StatusFilter;
  resolution: ResolutionFilter;
  /** Minimum similarity of the listed pairs, from 0 to 1. */
  threshold: number;
  /** First segments (8 hex digits) of project ids; empty means every project. */
  projects: readonly string[];
  scope: PairScope;
  query: string;
  /** Id of the pair that is open in the panel. */
  selectedPair: string | null;
  /** Lists the dismissed pairs instead of the others. */
  dismissed: boolean;
};

export const SEARCH_DEFAULTS: SimilaritySearch = {
  page: 1,
  status: 'opened',
  resolution: 'all',
  threshold: SIMILARITY.stored,
  projects: [],
  scope: 'project',
  query: '',
  selectedPair: null,
  dismissed: false,
};

/** The pairs that the charts and the sidebar count: open, unresolved, similar, in one project or across two. */
export const TO_DECIDE: SimilaritySearch = {
  ...SEARCH_DEFAULTS,
  resolution: 'unresolved',
  threshold: SIMILARITY.similar,
  scope: 'account',
};

const threshold = z
  .string()
  .regex(/^(0(\.\d+)?|1)$/)
  .transform(Number);

/** Reads the address. What is missing or makes no sense is silently the default. */
export function parseSearch(parameters: URLSearchParams): SimilaritySearch {
  return {
    page: readPage(parameters.get('page')),
    status: readMember(statusFilter, parameters.get('status'), SEARCH_DEFAULTS.status),
    resolution: readMember(resolutionFilter, parameters.get('resolution'), SEARCH_DEFAULTS.resolution),
    threshold: readMember(threshold, parameters.get('threshold'), SEARCH_DEFAULTS.threshold),
    projects: readProjects(parameters.get('projects')),
    scope: readMember(pairScope, parameters.get('scope'), SEARCH_DEFAULTS.scope),
    query: readText(parameters.get('query'), QUERY_LENGTH),
    selectedPair: readMember(id.nullable(), parameters.get('selectedPair'), null),
    dismissed: parameters.get('dismissed') === 'true',
  };
}

/** The address of a search: defaults are left out, foreign parameters of `current` stay. */
export function serializeSearch(search: SimilaritySearch, current?: URLSearchParams): URLSearchParams {
  return serialize(SEARCH_DEFAULTS, search, current);
}

/** What decides which pairs are listed. A change of any of it starts over at page 1 with the panel closed. */
export type SearchFilters = Omit<SimilaritySearch, 'page' | 'selectedPair'>;

/** The search after some of its filters changed. */
export function withFilters(search: SimilaritySearch, filters: Partial<SearchFilters>): SimilaritySearch {
  return { ...search, ...filters, page: SEARCH_DEFAULTS.page, selectedPair: null };
}

/**
 * The filters after a click on a project of the chart. Choosing one lists exactly the pairs that the chart counts;
 * taking the last one out again removes the filters that came with it.
 */
export function projectOfChart(search: SimilaritySearch, segment: string): Partial<SearchFilters> {
  const projects = toggleProject(search.projects, segment);
  if (projects.includes(segment)) {
    const { resolution, threshold, query, dismissed } = TO_DECIDE;
    return { projects, resolution, threshold, query, dismissed };
  }
  const { resolution, threshold } = SEARCH_DEFAULTS;
  return projects.length === 0 ? { projects, resolution, threshold } : { projects };
}

/** The search with the filters that have tags back at their defaults: all but the scope. */
export function withoutFilters(search: SimilaritySearch): SimilaritySearch {
  return { ...SEARCH_DEFAULTS, scope: search.scope };
}
