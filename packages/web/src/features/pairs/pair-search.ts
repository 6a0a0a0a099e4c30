import {
  MAX_PAIR_QUERY_CHARS,
  type PairScope,
  pairScope,
  type ResolutionFilter,
  resolutionFilter,
} from '@winnow/contract/duplicate';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { readMember, readPage, readText, serialize } from '../../ui/address/search-values.ts';
import { toggleProject } from '../issues/filters/project-tree.ts';
import { readProjects } from '../issues/project-segment.ts';

/** Number of pairs per page. */
export const PAGE_SIZE = 10;

/** Labels of the status filters. They select pairs by whether each issue is open or closed. */
export const PAIR_STATUSES = {
  to_decide: 'Worth a decision',
  both_open: 'Both open',
  repeats_closed: 'An open issue repeats a closed one',
  closed: 'At least one closed',
  all: 'All',
} as const;
export type PairStatus = keyof typeof PAIR_STATUSES;
const pairStatus = z.enum(Object.keys(PAIR_STATUSES) as PairStatus[]);

/** State of the similarity screen, stored in the URL. */
export type SimilaritySearch = {
  /** Page number, starting at 1. */
  page: number;
  status: PairStatus;
  resolution: ResolutionFilter;
  /**
   * Minimum probability of the listed pairs, from 0 to 1. Null applies the threshold of the
   * account.
   */
  probability: number | null;
  /**
   * Projects that limit the list, by the first segments (8 hex digits) of their ids. Empty for no
   * limit.
   */
  projects: readonly string[];
  scope: PairScope;
  query: string;
  /** Id of the pair open in the panel. */
  selectedPair: string | null;
  /** True to list only dismissed pairs. */
  dismissed: boolean;
};

/**
 * Default search, which lists the queue: undecided pairs within and across projects. The charts and
 * the sidebar count the same pairs.
 */
export const SEARCH_DEFAULTS: SimilaritySearch = {
  page: 1,
  status: 'to_decide',
  resolution: 'unresolved',
  probability: null,
  projects: [],
  scope: 'account',
  query: '',
  selectedPair: null,
  dismissed: false,
};

/** Search that lists all stored pairs. */
export const ALL_PAIRS: SimilaritySearch = {
  ...SEARCH_DEFAULTS,
  status: 'all',
  resolution: 'all',
  probability: 0,
};

const probability = z
  .string()
  .regex(/^(0(\.\d+)?|1)$/)
  .transform(Number)
  .nullable();

/** Parses the URL. Missing or invalid values silently fall back to the defaults. */
export function parseSearch(parameters: URLSearchParams): SimilaritySearch {
  return {
    page: readPage(parameters.get('page')),
    status: readMember(pairStatus, parameters.get('status'), SEARCH_DEFAULTS.status),
    resolution: readMember(resolutionFilter, parameters.get('resolution'), SEARCH_DEFAULTS.resolution),
    probability: readMember(probability, parameters.get('probability'), SEARCH_DEFAULTS.probability),
    projects: readProjects(parameters.get('projects')),
    scope: readMember(pairScope, parameters.get('scope'), SEARCH_DEFAULTS.scope),
    query: readText(parameters.get('query'), MAX_PAIR_QUERY_CHARS),
    selectedPair: readMember(id.nullable(), parameters.get('selectedPair'), null),
    dismissed: parameters.get('dismissed') === 'true',
  };
}

/**
 * Serializes a search to URL parameters, omitting defaults. Keeps the parameters of `current` that
 * do not belong to the search.
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
 * Returns the filters after a click on a project of the chart. After selecting a project, the list
 * contains exactly the pairs that the chart counts.
 */
export function projectOfChart(search: SimilaritySearch, segment: string): Partial<SearchFilters> {
  const projects = toggleProject(search.projects, segment);
  if (!projects.includes(segment)) return { projects };
  const { resolution, probability, query, dismissed } = SEARCH_DEFAULTS;
  return { projects, resolution, probability, query, dismissed };
}

/** Resets all filters that are displayed as tags. The scope, which has no tag, does not change. */
export function withoutFilters(search: SimilaritySearch): SimilaritySearch {
  return { ...SEARCH_DEFAULTS, scope: search.scope };
}
