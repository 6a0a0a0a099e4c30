import type { ErrorCode } from './error-codes.ts';

/** What the description of the API says about a route, beside what follows from its schemas and its access. */
export interface Operation {
  /** The `operationId`: a verb and a noun. Generated clients name their functions by it. */
  id: string;
  /** A few words, as a heading. */
  summary: string;
  /** What the call does, when to use it, what it returns and what it changes. */
  description: string;
  /**
   * Codes of errors that this operation has of its own. Those that follow from its access, parameters, body and limits are
   * added to them.
   */
  errors?: readonly ErrorCode[];
  /** Media types of a successful response that is not JSON. */
  produces?: readonly string[];
  /** True if the body is taken as bytes, since its sender signed them. */
  takesBytes?: true;
}

/** By method and path, such as `GET /api/v1/issues/:issue`. */
export type Operations = Readonly<Record<string, Operation>>;

/** Errors of operations that read from a tracker or from another outside service. */
export const OUTSIDE_ERRORS = ['upstream_failed', 'upstream_rate_limited', 'secret_unreadable'] as const;

/** Errors of operations that write to a tracker: before they begin, the issues are read again. */
export const WRITE_ERRORS = [
  'not_found',
  'changed_since',
  'issue_gone',
  'being_changed',
  'cannot_be_written',
  ...OUTSIDE_ERRORS,
] as const;
