import type { ErrorCode } from './error-codes.ts';

/** An error code that has several statuses, with the one of this operation. */
export interface ErrorWithStatus {
  code: ErrorCode;
  status: number;
}

/** Parts of a route's API description that cannot be derived from its schemas and access rules. */
export interface Operation {
  /** The `operationId`, a verb and a noun. Generated clients use it as the function name. */
  id: string;
  /** Short title of the operation. */
  summary: string;
  /** Effect of the call, when to use it, its result, and the data that it changes. */
  description: string;
  /**
   * Error codes specific to this operation. Codes that follow from access, parameters, body and
   * limits are added automatically.
   */
  errors?: readonly (ErrorCode | ErrorWithStatus)[];
  /** Media types of a successful response that is not JSON. */
  produces?: readonly string[];
  /** True if the body is read as raw bytes for signature verification. */
  takesBytes?: true;
}

/** Operations, keyed by method and path, such as `GET /api/v1/issues/:issue`. */
export type Operations = Readonly<Record<string, Operation>>;

/** Error codes of operations that call a tracker or another outside service. */
export const OUTSIDE_ERRORS = ['upstream_failed', 'upstream_rate_limited', 'secret_unreadable'] as const;

/**
 * Error codes of operations that write to a tracker. Such operations read the affected issues again
 * before they write.
 */
export const WRITE_ERRORS = [
  'not_found',
  'changed_since',
  'issue_gone',
  'being_changed',
  'cannot_be_written',
  ...OUTSIDE_ERRORS,
] as const;
