import {
  CLUSTER_STATUSES,
  type ClusterOrder,
  type ClusterStatus,
  clusterOrder,
} from '@winnow/contract/cluster';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import type { KeyFilters } from '../../api/query/query-keys.ts';
import { readProjects } from '../../features/issues/project-segment.ts';
import { readMember, readPage, serialize } from '../../ui/address/search-values.ts';

/** Number of clusters per page. */
export const PAGE_SIZE = 20;

/** Labels of the status filters. */
export const CLUSTER_STATUS_LABELS: Record<ClusterStatus | 'all', string> = {
  to_decide: CLUSTER_STATUSES.to_decide.label,
  decided: CLUSTER_STATUSES.decided.label,
  dismissed: CLUSTER_STATUSES.dismissed.label,
  settled: CLUSTER_STATUSES.settled.label,
  all: 'All',
};
const statusFilter = z.enum(Object.keys(CLUSTER_STATUS_LABELS) as (keyof typeof CLUSTER_STATUS_LABELS)[]);

/** Labels of the sort orders. */
export const ORDER_LABELS: Record<ClusterOrder, string> = {
  value: 'Most valuable first',
  probability: 'Most probable first',
  size: 'Largest first',
  engagement: 'Most engagement first',
  newest: 'Newest issue first',
  oldest: 'Oldest issue first',
};

/** State of the clusters screen, stored in the URL. */
export type ClustersSearch = {
  /** Page number, starting at 1. */
  page: number;
  status: keyof typeof CLUSTER_STATUS_LABELS;
  order: ClusterOrder;
  /** Minimum probability of the listed clusters, from 0 to 1; null for the server's default. */
  probability: number | null;
  /**
   * Projects that limit the list, by the first segments (8 hex digits) of their ids. Empty for no
   * limit.
   */
  projects: readonly string[];
  /** Id of the cluster that is open in the panel. */
  selectedCluster: string | null;
  /** True while clusters are reviewed one after the other. */
  review: boolean;
};

export const SEARCH_DEFAULTS: ClustersSearch = {
  status: 'to_decide',
  order: 'value',
  probability: null,
  projects: [],
  page: 1,
  selectedCluster: null,
  review: false,
};

const probability = z
  .string()
  .regex(/^(0(\.\d+)?|1)$/)
  .transform(Number)
  .nullable();

/** Parses URL parameters. Missing and invalid values are replaced by the defaults. */
export function parseSearch(parameters: URLSearchParams): ClustersSearch {
  return {
    page: readPage(parameters.get('page')),
    status: readMember(statusFilter, parameters.get('status'), SEARCH_DEFAULTS.status),
    order: readMember(clusterOrder, parameters.get('order'), SEARCH_DEFAULTS.order),
    probability: readMember(probability, parameters.get('probability'), SEARCH_DEFAULTS.probability),
    projects: readProjects(parameters.get('projects')),
    selectedCluster: readMember(id.nullable(), parameters.get('selectedCluster'), null),
    review: parameters.get('review') === 'true',
  };
}

/**
 * Serializes a search to URL parameters, omitting defaults. Keeps the parameters of `current` that
 * do not belong to the search.
 */
export function serializeSearch(search: ClustersSearch, current?: URLSearchParams): URLSearchParams {
  return serialize(SEARCH_DEFAULTS, search, current);
}

/** Parameters that determine which clusters are listed. */
export type SearchFilters = Pick<ClustersSearch, 'status' | 'order' | 'probability' | 'projects'>;

/** Returns the search with some filters changed, on page 1 and with the panel closed. */
export function withFilters(search: ClustersSearch, filters: Partial<SearchFilters>): ClustersSearch {
  return { ...search, ...filters, page: SEARCH_DEFAULTS.page, selectedCluster: null };
}

/** Resets all filters that are displayed as tags. Keeps the sort order. */
export function withoutFilters(search: ClustersSearch): ClustersSearch {
  return { ...SEARCH_DEFAULTS, order: search.order };
}

/** Converts a search to API parameters for one page of clusters. */
export function listFilters(search: ClustersSearch): KeyFilters {
  return {
    limit: PAGE_SIZE,
    skip: (search.page - 1) * PAGE_SIZE,
    status: search.status,
    order_by: search.order,
    project_ids: search.projects,
    probability_threshold: search.probability ?? undefined,
  };
}
