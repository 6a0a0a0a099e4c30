import { type ChangeKind, type ChangeStatus, changeKind, changeStatus } from '@winnow/contract/change';
import { id } from '@winnow/contract/primitives';
import { readMember, readPage, readText, serialize } from '../../ui/address/search-values.ts';

/** Number of changes per page. */
export const PAGE_SIZE = 20;
/** Maximum characters of an issue key. */
export const KEY_LENGTH = 300;

/** State of the changes screen, stored in the URL. */
export type ChangesSearch = {
  /** Page number, starting at 1. */
  page: number;
  /** Status of the listed changes. Null lists changes of every status. */
  status: ChangeStatus | null;
  kind: ChangeKind | null;
  /** Key or id of the issue whose changes are listed; empty lists all changes. */
  issue: string;
  /** Id of the change open in the panel. */
  selected: string | null;
};

const DEFAULTS: ChangesSearch = { page: 1, status: null, kind: null, issue: '', selected: null };

/** Parses the URL. Missing or invalid values silently fall back to the defaults. */
export function parseSearch(parameters: URLSearchParams): ChangesSearch {
  return {
    page: readPage(parameters.get('page')),
    status: readMember(changeStatus.nullable(), parameters.get('status'), null),
    kind: readMember(changeKind.nullable(), parameters.get('kind'), null),
    issue: readText(parameters.get('issue'), KEY_LENGTH),
    selected: readMember(id.nullable(), parameters.get('selected'), null),
  };
}

/**
 * Serializes a search to URL parameters, omitting defaults. Keeps the parameters of `current` that
 * do not belong to the search.
 */
export function serializeSearch(search: ChangesSearch, current?: URLSearchParams): URLSearchParams {
  return serialize(DEFAULTS, search, current);
}

/** Filters that determine which changes are listed. */
export type ChangesFilters = Pick<ChangesSearch, 'status' | 'kind' | 'issue'>;

/** Applies filter changes, returning to page 1 with the panel closed. */
export function withFilters(search: ChangesSearch, filters: Partial<ChangesFilters>): ChangesSearch {
  return { ...search, ...filters, page: DEFAULTS.page, selected: null };
}

/** True if at least one filter is active. */
export function isFiltered({ status, kind, issue }: ChangesSearch): boolean {
  return status !== null || kind !== null || issue !== '';
}

/**
 * Returns the path of the changes screen, limited to the changes of one issue. The issue is
 * identified by key or id.
 */
export function changesOfIssue(issue: string): string {
  return `/console/changes?${serializeSearch({ ...DEFAULTS, issue })}`;
}

/** Returns the path of the changes screen, limited to changes with one status. */
export function changesOfStatus(status: ChangeStatus): string {
  return `/console/changes?${serializeSearch({ ...DEFAULTS, status })}`;
}

/** Returns the path of the changes screen with one change open in the panel. */
export function changeAddress(changeId: string): string {
  return `/console/changes?${serializeSearch({ ...DEFAULTS, selected: changeId })}`;
}
