import { type ErrorCode, factsOfCode } from '@winnow/contract/api/error-codes';
import type { Operation } from '@winnow/contract/api/operation';
import { permissionOf, scopeOf } from '@winnow/contract/route-access';
import type { DescribedRoute } from './routes.ts';

/** Errors that every operation can return. */
const COMMON_ERRORS = ['rate_limited', 'internal', 'unavailable', 'stopping'] as const;
/** Errors of a request body that is malformed, too large or of an unsupported content type. */
const BODY_ERRORS = ['malformed', 'too_large', 'unsupported_media_type'] as const;
/** Errors of a caller who may not do this in the workspace. */
const WORKSPACE_ERRORS = ['not_a_member', 'role_required', 'second_factor_missing'] as const;
/** Status of a used-up quota. A feature missing in the plan gets 403 instead. */
const OUT_OF_QUOTA = 429;

/**
 * Returns the error codes that an operation can return, grouped by HTTP status. Derives them from
 * the operation's access, parameters and body, and adds the codes that the operation declares.
 */
export function errorsOf(route: DescribedRoute, operation: Operation): Map<number, ErrorCode[]> {
  const { access, schema } = route;
  const found = new Map<number, Set<ErrorCode>>();
  const add = (code: ErrorCode, statuses: readonly number[] = factsOfCode(code).statuses) => {
    for (const status of statuses) found.set(status, (found.get(status) ?? new Set()).add(code));
  };
  for (const code of COMMON_ERRORS) add(code);
  if (access !== undefined) add('unauthorized');
  if (access !== undefined && access !== 'key') {
    if (scopeOf(access) === null) add('user_required');
    else {
      add('scope_required');
      add('plan_limit', [OUT_OF_QUOTA]);
    }
    if (permissionOf(access) !== null) for (const code of WORKSPACE_ERRORS) add(code);
  }
  if (schema.params !== undefined) {
    add('not_found');
    add('malformed');
  }
  if (schema.body !== undefined) for (const code of BODY_ERRORS) add(code);
  if (operation.takesBytes) add('too_large');
  if ([schema.params, schema.querystring, schema.body].some((part) => part !== undefined)) {
    add('invalid_fields');
  }
  for (const error of operation.errors ?? []) {
    if (typeof error === 'string') add(error);
    else add(error.code, [error.status]);
  }
  return new Map([...found].sort(([a], [b]) => a - b).map(([status, codes]) => [status, [...codes].sort()]));
}
