import { ApiError } from './api-error.ts';

/**
 * Returns the server's error messages by form field. Ignores messages for fields that the form does
 * not have.
 */
export function fieldErrorsOf(error: unknown, fields: readonly string[]): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const found: Record<string, string> = {};
  for (const { path, message } of error.fields) {
    const field = fields.find((name) => path === name || path === `body.${name}` || path === `/${name}`);
    if (field !== undefined) found[field] ??= message;
  }
  return found;
}
