import { z } from 'zod';
import { TrackerError } from '../provider.ts';

/** How long GitHub asks to wait after a secondary limit that names no time. */
const SECONDARY_WAIT_MS = 60_000;
const LONGEST_QUOTE = 200;
const LONGEST_ANSWER = 4_000;

/** An answer that is no success, as far as it is needed to say why. */
export interface FailedAnswer {
  status: number;
  headers: { get(name: string): string | null };
  body: string;
}

/** What a sentence about a failure speaks of. */
export interface FailureContext {
  /** The GitHub: `GitHub`, `GitHub at git.example.com`. */
  name: string;
  /** What was asked for, as in "GitHub does not know …". */
  subject: string;
  now: Date;
}

const errorBody = z.object({
  message: z.string(),
  errors: z.array(z.union([z.string(), z.object({ message: z.string().optional() })])).optional(),
});

/** Says in a sentence why GitHub did not do what was asked, and when to try again if it told. */
export function explainAnswer(answer: FailedAnswer, context: FailureContext): TrackerError {
  const { name, subject, now } = context;
  const said = messageOf(answer.body);
  const quote = said === '' ? '' : ` It says: ${said}${/[.?]$/.test(said) ? '' : '.'}`;
  const retryAt = limitEnd(answer, said, now);
  if (retryAt !== null) return rateLimited(name, retryAt);
  switch (answer.status) {
    case 401:
      return new TrackerError(
        'unauthorized',
        `${name} did not accept this token. Check that it is complete, not expired and not revoked, or enter a new one.`,
      );
    case 403:
      return new TrackerError('forbidden', forbiddenSentence(answer, context, quote));
    case 404:
      return new TrackerError('not_found', `${name} does not know ${subject}, or this token may not see it.`);
    case 410:
      return new TrackerError('not_found', `${name} no longer has ${subject}.${quote}`);
    case 451:
      return new TrackerError('forbidden', `${name} may not show ${subject} for legal reasons.`);
    default:
      if (answer.status >= 500) {
        return new TrackerError(
          'server_error',
          `${name} failed with an error of its own (${answer.status}). Try again in a while.`,
        );
      }
      return new TrackerError('invalid', `${name} refused the request (${answer.status}).${quote}`, {
        answer: answer.body.slice(0, LONGEST_ANSWER),
      });
  }
}

/** The error for a limit that ends at `retryAt`. */
export function rateLimited(name: string, retryAt: Date, cause?: unknown): TrackerError {
  const time = retryAt.toISOString().slice(11, 19);
  return new TrackerError(
    'rate_limited',
    `${name} allows no more requests with this token until ${time} UTC.`,
    { retryAt, cause },
  );
}

/** The error for an answer that is not what GitHub sends. */
export function malformed(name: string, subject: string, cause?: unknown): TrackerError {
  return new TrackerError(
    'malformed',
    `${name} answered something that cannot be read when asked for ${subject}. Check the address, or try again in a while.`,
    { cause },
  );
}

/**
 * The first line of what GitHub said, without control characters and cut to 200 characters, with the first detail of a
 * failed validation. Empty when the body is not GitHub's JSON.
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

function limitEnd(answer: FailedAnswer, said: string, now: Date): Date | null {
  if (answer.status !== 403 && answer.status !== 429) return null;
  const after = answer.headers.get('retry-after');
  if (after !== null) {
    const seconds = Number(after);
    const atMs = Number.isNaN(seconds) ? Date.parse(after) : now.getTime() + seconds * 1000;
    return notBefore(Number.isNaN(atMs) ? now.getTime() + SECONDARY_WAIT_MS : atMs, now);
  }
  const resetS = Number(answer.headers.get('x-ratelimit-reset') ?? Number.NaN);
  if (answer.headers.get('x-ratelimit-remaining') === '0' && !Number.isNaN(resetS)) {
    return notBefore(resetS * 1000, now);
  }
  if (answer.status === 429 || /rate limit|abuse detection/i.test(said)) {
    return new Date(now.getTime() + SECONDARY_WAIT_MS);
  }
  return null;
}

function notBefore(atMs: number, now: Date): Date {
  return new Date(Math.max(atMs, now.getTime() + 1000));
}

function forbiddenSentence(answer: FailedAnswer, context: FailureContext, quote: string): string {
  if (/^required/i.test(answer.headers.get('x-github-sso') ?? '')) {
    return `${context.name} wants this token authorized for the organization's single sign-on. Do that in the token's settings there.`;
  }
  const needed = neededPermission(answer.headers.get('x-accepted-github-permissions') ?? '');
  return needed === null
    ? `${context.name} does not let this token use ${context.subject}.${quote}`
    : `${context.name} does not let this token use ${context.subject}: it lacks ${needed}.${quote}`;
}

/**
 * The first of the sets of permissions that would do, as GitHub's settings name them: `issues=write` is "Issues: write".
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

function firstLine(text: string): string {
  const line = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return line.replace(/\p{Control}/gu, '').trim();
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE - 1).join('')}…` : text;
}
