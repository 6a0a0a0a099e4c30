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
/** Maximum characters of a search text that the API accepts. */
export const QUERY_LENGTH = 200;

/** State of the similarity screen, stored in the URL. */
export type SimilaritySearch = {
  /** 1-based. */
  page: number;
  status: StatusFilter;
  resolution: ResolutionFilter;
  /** Minimum similarity of the listed pairs, from 0 to 1. */
  threshold: number;
  /** First segments (8 hex digits) of project ids; empty means all projects. */
  projects: readonly string[];
  scope: PairScope;
  query: string;
  /** Id of the pair open in the panel. */
  selectedPair: string | null;
  /** Lists only dismissed pairs. */
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

/**
 * Search for the pairs to decide, counted by the charts and the sidebar: open, unresolved and
 * similar, within and across projects.
 */
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

/** Parses the URL. Missing or invalid values silently fall back to the defaults. */
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

/**
 * Serializes a search to URL parameters, omitting defaults. Preserves unrelated parameters of
 * `current`.
 */
export function serializeSearch(search: SimilaritySearch, current?: URLSearchParams): URLSearchParams {
  return serialize(SEARCH_DEFAULTS, search, current);
}

/** Filters that determine which pairs are listed. */
export type SearchFilters = Omit<SimilaritySearch, 'page' | 'selectedPair'>;

/** Applies filter changes, returning to page 1 with the panel closed. */
export function withFilters(search: SimilaritySearch, filters: Partial<SearchFilters>): SimilaritySearch {
  return { ...search, ...filters, page: SEARCH_DEFAULTS.page, selectedPair: null };
}

/**
 * Returns the filters after a click on a project of the chart. Selecting a project lists exactly
 * the pairs that the chart counts. Deselecting the last one also removes the filters that were
 * added with it.
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

/** Resets all filters that have tags; keeps the scope. */
export function withoutFilters(search: SimilaritySearch): SimilaritySearch {
  return { ...SEARCH_DEFAULTS, scope: search.scope };
}
