import { type ExecutionStatus, executionStatus } from '@winnow/contract/flow';
import { id } from '@winnow/contract/primitives';
import { readMember, readPage, serialize } from '../../../ui/address/search-values.ts';

/** Executions on one page. */
export const PAGE_SIZE = 20;

/** Which executions are listed, all of it in the address. */
export type ExecutionsSearch = {
  /** From 1. */
  page: number;
  /** Null lists those of every flow, and every status. */
  flow: string | null;
  status: ExecutionStatus | null;
};

const DEFAULTS: ExecutionsSearch = { page: 1, flow: null, status: null };

/** Reads the address. What is missing or makes no sense is silently the default. */
export function parseSearch(parameters: URLSearchParams): ExecutionsSearch {
  return {
    page: readPage(parameters.get('page')),
    flow: readMember(id.nullable(), parameters.get('flow'), null),
    status: readMember(executionStatus.nullable(), parameters.get('status'), null),
  };
}

/** Whether the address names a flow or a status that cannot be, so that all are listed. */
export function isMisread(parameters: URLSearchParams): boolean {
  const { flow, status } = parseSearch(parameters);
  return (parameters.has('flow') && flow === null) || (parameters.has('status') && status === null);
}

/** The address of a search: defaults are left out, foreign parameters of `current` stay. */
export function serializeSearch(search: ExecutionsSearch, current?: URLSearchParams): URLSearchParams {
  return serialize(DEFAULTS, search, current);
}

/** All of them. */
export const EXECUTIONS = '/console/flows/executions';

/** One execution. */
export function executionAddress(executionId: string): string {
  return `${EXECUTIONS}/${executionId}`;
}

/** The executions of a flow. */
export function executionsOf(flow: string): string {
  return `${EXECUTIONS}?${serializeSearch({ ...DEFAULTS, flow })}`;
}
