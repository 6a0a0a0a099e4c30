import { visible } from '../ai/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';

/** Error text for faults that only the operator can fix. */
export const INTERNAL_ERROR_TEXT = 'Internal error. Try again; if it happens again, contact the operator.';

/**
 * Returns the text of an error for an agent. It tells whether and how the agent can correct the
 * call. Logs internal errors.
 */
export function errorTextOf(error: unknown, what: string, log: Log): string {
  if (!(error instanceof AppError) || !error.isCallerError) {
    log.warn({ error, what }, 'An agent request failed.');
  }
  if (!(error instanceof AppError)) return INTERNAL_ERROR_TEXT;
  if (error.category === 'not_found') return 'Not found, or not accessible with this key.';
  const fields = (error.fields ?? []).map(({ path, message }) => `${path}: ${message}`);
  const [only] = fields;
  const isSaid = only === undefined || (fields.length === 1 && error.detail.includes(only));
  return visible(isSaid ? error.detail : [error.detail, ...fields].join('\n'));
}
