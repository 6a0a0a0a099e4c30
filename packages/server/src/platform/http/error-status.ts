import type { AppError, ErrorCategory } from '../errors.ts';

const STATUS_BY_CATEGORY = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  upgrade_required: 426,
  rate_limited: 429,
  aborted: 499,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
} as const satisfies Record<ErrorCategory, number>;

/** Returns the HTTP status of a response with this error. */
export function statusOf({ category }: Pick<AppError, 'category'>): number {
  return STATUS_BY_CATEGORY[category];
}
