import { type ExecutionStatus, executionStatus } from '@winnow/contract/flow';
import { id } from '@winnow/contract/primitives';
import { readMember, readPage, serialize } from '../../../ui/address/search-values.ts';

/** Number of executions per page. */
export const PAGE_SIZE = 20;

/** State of the executions screen, stored in the URL. */
export type ExecutionsSearch = {
  /** Page number, starting at 1. */
  page: number;
  /** Id of the flow whose executions are listed. Null lists those of all flows. */
  flow: string | null;
  status: ExecutionStatus | null;
};

const DEFAULTS: ExecutionsSearch = { page: 1, flow: null, status: null };

/** Parses the URL. Missing or invalid values silently fall back to the defaults. */
export function parseSearch(parameters: URLSearchParams): ExecutionsSearch {
  return {
    page: readPage(parameters.get('page')),
    flow: readMember(id.nullable(), parameters.get('flow'), null),
    status: readMember(executionStatus.nullable(), parameters.get('status'), null),
  };
}

/** True if the URL contains an invalid flow or status. The list then ignores this filter. */
export function hasInvalidFilter(parameters: URLSearchParams): boolean {
  const { flow, status } = parseSearch(parameters);
  return (parameters.has('flow') && flow === null) || (parameters.has('status') && status === null);
}

/**
 * Serializes a search to URL parameters, omitting defaults. Keeps the parameters of `current` that
 * do not belong to the search.
 */
export function serializeSearch(search: ExecutionsSearch, current?: URLSearchParams): URLSearchParams {
  return serialize(DEFAULTS, search, current);
}

/** Path of the executions screen. */
export const EXECUTIONS = '/console/flows/executions';

/** Returns the path of an execution. */
export function executionAddress(executionId: string): string {
  return `${EXECUTIONS}/${executionId}`;
}

/** Returns the path of the executions screen, limited to one flow. */
export function executionsOf(flow: string): string {
  return `${EXECUTIONS}?${serializeSearch({ ...DEFAULTS, flow })}`;
}
