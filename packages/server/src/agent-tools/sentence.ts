import { visible } from '../ai/fence.ts';
import { AppError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';

/** What is told of what nobody but the operator can mend. */
export const OUR_FAULT = 'Something went wrong on our side. Try again; if it stays so, tell the operator.';

/** What went wrong with `what`, for an agent: what it can correct, or that it cannot. What is our fault is logged. */
export function sentenceOf(error: unknown, what: string, log: Log): string {
  if (!(error instanceof AppError) || error.status >= 500) {
    log.warn({ error, what }, 'An agent could not be answered.');
  }
  if (!(error instanceof AppError)) return OUR_FAULT;
  if (error.status === 404) return 'Not found: there is no such thing, or it is not yours.';
  const fields = (error.fields ?? []).map(({ path, message }) => `${path}: ${message}`);
  const [only] = fields;
  const isSaid = only === undefined || (fields.length === 1 && error.detail.includes(only));
  return visible(isSaid ? error.detail : [error.detail, ...fields].join('\n'));
}
