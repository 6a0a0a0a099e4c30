import { z } from 'zod';
import { firstLine } from '../../platform/text.ts';
import { TrackerError } from '../provider.ts';
import {
  clampToFuture,
  cut,
  type ExplainResponse,
  explainStatus,
  type FailedResponse,
  type FailureContext,
  quoted,
  rateLimited,
  retryAfter,
} from '../rest/failures.ts';

/**
 * Wait after a secondary rate limit if GitHub reports no reset time. GitHub recommends one minute.
 */
const DEFAULT_RETRY_MS = 60_000;

const errorBody = z.object({
  message: z.string(),
  errors: z.array(z.union([z.string(), z.object({ message: z.string().optional() })])).optional(),
});

/** Explains why GitHub refused a call. Includes the time for a retry if GitHub reported one. */
export const explainResponse: ExplainResponse = (answer, context) => {
  const said = messageOf(answer.body);
  const retryAt = limitEnd(answer, said, context.now);
  if (retryAt !== null) return rateLimited(context.name, retryAt);
  if (answer.status === 403)
    return new TrackerError('forbidden', forbiddenSentence(answer, context, quoted(said)));
  return explainStatus(answer, context, said);
};

/**
 * Returns the first line of GitHub's error message, without control characters and truncated to 200
 * characters. Appends the first detail of a failed validation. Returns an empty string if the body
 * is not GitHub's JSON.
 */
export function messageOf(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return '';
  }
  const parsed = errorBody.safeParse(value);
  if (!parsed.success) return '';
  const [detail] = parsed.data.errors ?? [];
  const more = typeof detail === 'string' ? detail : detail?.message;
  const line = firstLine(parsed.data.message);
  return cut(more === undefined ? line : `${line}: ${firstLine(more)}`);
}

function limitEnd(answer: FailedResponse, said: string, now: Date): Date | null {
  if (answer.status !== 403 && answer.status !== 429) return null;
  const after = retryAfter(answer, now, DEFAULT_RETRY_MS);
  if (after !== null) return after;
  const resetS = Number(answer.headers.get('x-ratelimit-reset') ?? Number.NaN);
  if (answer.headers.get('x-ratelimit-remaining') === '0' && !Number.isNaN(resetS)) {
    return clampToFuture(resetS * 1000, now);
  }
  if (answer.status === 429 || /rate limit|abuse detection/i.test(said)) {
    return new Date(now.getTime() + DEFAULT_RETRY_MS);
  }
  return null;
}

function forbiddenSentence(answer: FailedResponse, context: FailureContext, quote: string): string {
  if (/^required/i.test(answer.headers.get('x-github-sso') ?? '')) {
    return `${context.name} requires this token to be authorized for the organization's single sign-on. Authorize it in the token's settings there.`;
  }
  const needed = neededPermission(answer.headers.get('x-accepted-github-permissions') ?? '');
  return needed === null
    ? `This token is not allowed to access ${context.subject} in ${context.name}.${quote}`
    : `This token is not allowed to access ${context.subject} in ${context.name}: it lacks ${needed}.${quote}`;
}

/**
 * Returns the permissions that would allow the call, in the words of GitHub's settings:
 * `issues=write` becomes "Issues: write". If GitHub offers several alternative sets, returns the
 * first.
 * @see https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api
 */
function neededPermission(header: string): string | null {
  const names = (header.split(';')[0] ?? '').split(',').flatMap((part) => {
    const match = /^\s*([a-z_]+)=(read|write|admin)\s*$/.exec(part);
    if (match?.[1] === undefined) return [];
    const words = match[1].replaceAll('_', ' ');
    return [`${words.charAt(0).toUpperCase()}${words.slice(1)}: ${match[2]}`];
  });
  return names.length === 0 ? null : names.join(' and ');
}
