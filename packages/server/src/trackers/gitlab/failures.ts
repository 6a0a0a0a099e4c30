import { z } from 'zod';
import { firstLine } from '../../platform/text.ts';
import { TrackerError } from '../provider.ts';
import {
  clampToFuture,
  cut,
  type ExplainResponse,
  explainStatus,
  type FailedResponse,
  rateLimited,
  retryAfter,
} from '../rest/failures.ts';

/** Wait after a rate limit if GitLab reports no reset time. GitLab's limits apply per minute. */
const DEFAULT_RETRY_MS = 60_000;

const errorBody = z.object({
  message: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  error: z.union([z.string(), z.array(z.string())]).optional(),
  error_description: z.string().optional(),
  scope: z.string().optional(),
});

/** Explains why GitLab refused a call. Includes the time for a retry if GitLab reported one. */
export const explainResponse: ExplainResponse = (answer, context) => {
  const { name, subject } = context;
  const retryAt = limitEnd(answer, context.now);
  if (retryAt !== null) return rateLimited(name, retryAt);
  const body = bodyOf(answer.body);
  if (answer.status === 403 && body?.error === 'insufficient_scope') {
    const scopes = (body.scope ?? 'api').trim().split(/\s+/).join(' or ');
    return new TrackerError(
      'forbidden',
      `${name} requires a token with the scope ${scopes} to access ${subject}.`,
    );
  }
  return explainStatus(answer, context, messageOf(answer.body));
};

/**
 * Returns the first line of GitLab's error message, without control characters and truncated to 200
 * characters. Empty if the body is not GitLab's JSON, or only repeats the HTTP status.
 */
export function messageOf(text: string): string {
  const body = bodyOf(text);
  if (body === null) return '';
  const { message, error, error_description } = body;
  if (typeof message === 'string') return withoutStatus(message);
  if (message !== undefined) return firstDetail(message);
  const said = error_description ?? (Array.isArray(error) ? error[0] : error) ?? '';
  return withoutStatus(said);
}

function bodyOf(text: string): z.infer<typeof errorBody> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return errorBody.safeParse(value).data ?? null;
}

/** Shortens `403 Forbidden - reason` to the reason, and `404 Not Found` to an empty text. */
function withoutStatus(said: string): string {
  return cut(firstLine(said).replace(/^\d{3} (?:Forbidden|Not Found|Unauthorized|Bad Request)(?: - )?/i, ''));
}

/** Formats validation messages: `{"title": ["is too long"]}` becomes "title is too long". */
function firstDetail(message: Record<string, unknown>): string {
  const [field = '', details] = Object.entries(message)[0] ?? [];
  const detail: unknown = Array.isArray(details) ? details[0] : details;
  if (typeof detail !== 'string') return '';
  return cut(firstLine(field === 'error' || field === 'base' ? detail : `${field} ${detail}`));
}

function limitEnd(answer: FailedResponse, now: Date): Date | null {
  if (answer.status !== 429) return null;
  const after = retryAfter(answer, now, DEFAULT_RETRY_MS);
  if (after !== null) return after;
  const resetS = Number(answer.headers.get('ratelimit-reset') ?? Number.NaN);
  return Number.isNaN(resetS)
    ? new Date(now.getTime() + DEFAULT_RETRY_MS)
    : clampToFuture(resetS * 1000, now);
}
