import { truncate } from '../../platform/text.ts';
import { TrackerError } from '../provider.ts';

const MAX_QUOTED_MESSAGE_CHARS = 200;
const MAX_RESPONSE_CHARS = 4_000;

/** Parts of an unsuccessful response that are needed to explain it. */
export interface FailedResponse {
  status: number;
  headers: { get(name: string): string | null };
  body: string;
}

/** Values that an error message contains: tracker, object and time. */
export interface FailureContext {
  /** Name of the tracker, such as `GitHub` or `GitHub at git.example.com`. */
  name: string;
  /**
   * Name of the object that the call is about, as in "GitHub could not find the repository
   * acme/app".
   */
  subject: string;
  now: Date;
}

/**
 * Creates the error that explains why a call failed. Includes the time for a retry if the tracker
 * reported one.
 */
export type ExplainResponse = (answer: FailedResponse, context: FailureContext) => TrackerError;

/**
 * Explains HTTP statuses that mean the same in all trackers. `said` is the tracker's own error
 * message. It may be empty.
 */
export function explainStatus(answer: FailedResponse, context: FailureContext, said: string): TrackerError {
  const { name, subject } = context;
  const quote = quoted(said);
  switch (answer.status) {
    case 401:
      return new TrackerError(
        'unauthorized',
        `${name} did not accept this token. Check that it is complete, not expired and not revoked, or enter a new one.`,
      );
    case 403:
      return new TrackerError(
        'forbidden',
        `This token is not allowed to access ${subject} in ${name}.${quote}`,
      );
    case 404:
      return new TrackerError(
        'not_found',
        `${name} could not find ${subject}, or this token cannot access it.`,
      );
    case 410:
      return new TrackerError('not_found', `${name} has deleted ${subject}.${quote}`);
    case 451:
      return new TrackerError('forbidden', `${name} may not show ${subject} for legal reasons.`);
    default:
      if (answer.status >= 500) {
        return new TrackerError(
          'server_error',
          `${name} had an internal error (${answer.status}). Try again later.`,
        );
      }
      return new TrackerError('invalid', `${name} refused the request (${answer.status}).${quote}`, {
        answer: answer.body.slice(0, MAX_RESPONSE_CHARS),
      });
  }
}

/**
 * Returns a sentence that quotes the tracker's error message. Returns an empty string if the
 * message is empty.
 */
export function quoted(said: string): string {
  return said === '' ? '' : ` It says: ${said}${/[.?]$/.test(said) ? '' : '.'}`;
}

/**
 * Returns the end of the rate limit according to the header `Retry-After` (seconds or a date).
 * Returns null without that header. If the header is unreadable, returns the time `otherwiseMs`
 * from now.
 */
export function retryAfter(answer: FailedResponse, now: Date, otherwiseMs: number): Date | null {
  const after = answer.headers.get('retry-after');
  if (after === null) return null;
  const seconds = Number(after);
  const atMs = Number.isNaN(seconds) ? Date.parse(after) : now.getTime() + seconds * 1000;
  return clampToFuture(Number.isNaN(atMs) ? now.getTime() + otherwiseMs : atMs, now);
}

/** Returns the given time, or one second from now if that is later. */
export function clampToFuture(atMs: number, now: Date): Date {
  return new Date(Math.max(atMs, now.getTime() + 1000));
}

/** Creates the error for a rate limit that ends at `retryAt`. */
export function rateLimited(name: string, retryAt: Date, cause?: unknown): TrackerError {
  const time = retryAt.toISOString().slice(11, 19);
  return new TrackerError(
    'rate_limited',
    `${name} allows no more requests with this token until ${time} UTC.`,
    { retryAt, cause },
  );
}

/** Creates the error for a response that cannot be read. */
export function malformed(name: string, subject: string, cause?: unknown): TrackerError {
  return new TrackerError(
    'malformed',
    `${name} returned an unreadable response when asked for ${subject}. Check the address, or try again later.`,
    { cause },
  );
}

/** Truncates a text from a tracker to 200 characters. */
export function cut(text: string): string {
  return truncate(text, MAX_QUOTED_MESSAGE_CHARS, '…');
}
