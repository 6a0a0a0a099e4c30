import { ApiError } from '../app/session/api-error.ts';

/** What the server said about the fields a form has, by field; what it said about others is left out. */
export function fieldErrorsOf<F extends string>(
  error: unknown,
  fields: readonly F[],
): Partial<Record<F, string>> {
  if (!(error instanceof ApiError)) return {};
  const found: Partial<Record<F, string>> = {};
  for (const { path, message } of error.fields) {
    const field = fields.find((name) => path === name || path === `body.${name}` || path === `/${name}`);
    if (field !== undefined) found[field] ??= message;
  }
  return found;
}
