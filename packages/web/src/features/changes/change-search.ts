import { type ChangeKind, type ChangeStatus, changeKind, changeStatus } from '@winnow/contract/change';
import { id } from '@winnow/contract/primitives';
import { readMember, readPage, readText, serialize } from '../../ui/address/search-values.ts';

/** Changes on one page. */
export const PAGE_SIZE = 20;
/** The longest key that an issue can be named by. */
export const KEY_LENGTH = 300;

/** What the screen shows, all of it in the address. */
export type ChangesSearch = {
  /** From 1. */
  page: number;
  /** Null lists every status, and every kind. */
  status: ChangeStatus | null;
  kind: ChangeKind | null;
  /** The key of the issue whose changes are listed, or its id; empty for all. */
  issue: string;
  /** Id of the change that is open in the panel. */
  selected: string | null;
};

const DEFAULTS: ChangesSearch = { page: 1, status: null, kind: null, issue: '', selected: null };

/** Reads the address. What is missing or makes no sense is silently the default. */
export function parseSearch(parameters: URLSearchParams): ChangesSearch {
  return {
    page: readPage(parameters.get('page')),
    status: readMember(changeStatus.nullable(), parameters.get('status'), null),
    kind: readMember(changeKind.nullable(), parameters.get('kind'), null),
    issue: readText(parameters.get('issue'), KEY_LENGTH),
    selected: readMember(id.nullable(), parameters.get('selected'), null),
  };
}

/** The address of a search: defaults are left out, foreign parameters of `current` stay. */
export function serializeSearch(search: ChangesSearch, current?: URLSearchParams): URLSearchParams {
  return serialize(DEFAULTS, search, current);
}

/** What decides which changes are listed. */
export type ChangesFilters = Pick<ChangesSearch, 'status' | 'kind' | 'issue'>;

/** The search after some of its filters changed: it starts over at page 1 with the panel closed. */
export function withFilters(search: ChangesSearch, filters: Partial<ChangesFilters>): ChangesSearch {
  return { ...search, ...filters, page: DEFAULTS.page, selected: null };
}

/** Whether anything is filtered out. */
export function isFiltered({ status, kind, issue }: ChangesSearch): boolean {
  return status !== null || kind !== null || issue !== '';
}

/** The changes of an issue, named by its key or its id. */
export function changesOfIssue(issue: string): string {
  return `/console/changes?${serializeSearch({ ...DEFAULTS, issue })}`;
}

/** The changes of one status. */
export function changesOfStatus(status: ChangeStatus): string {
  return `/console/changes?${serializeSearch({ ...DEFAULTS, status })}`;
}

/** One change, open in the panel beside the list. */
export function changeAddress(changeId: string): string {
  return `/console/changes?${serializeSearch({ ...DEFAULTS, selected: changeId })}`;
}
