import { cutTo } from '../../platform/text.ts';
import { TrackerError } from '../provider.ts';

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
  /** The tracker: `GitHub`, `GitHub at git.example.com`. */
  name: string;
  /** What was asked for, as in "GitHub does not know …". */
  subject: string;
  now: Date;
}

/** Says in a sentence why a tracker did not do what was asked, and when to try again if it told. */
export type ExplainAnswer = (answer: FailedAnswer, context: FailureContext) => TrackerError;

/** What all trackers mean by these statuses; `said` is the tracker's own sentence, empty when it sent none. */
export function explainStatus(answer: FailedAnswer, context: FailureContext, said: string): TrackerError {
  const { name, subject } = context;
  const quote = quoted(said);
  switch (answer.status) {
    case 401:
      return new TrackerError(
        'unauthorized',
        `${name} did not accept this token. Check that it is complete, not expired and not revoked, or enter a new one.`,
      );
    case 403:
      return new TrackerError('forbidden', `${name} does not let this token use ${subject}.${quote}`);
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

/** The tracker's own sentence as the end of ours; empty when it said nothing. */
export function quoted(said: string): string {
  return said === '' ? '' : ` It says: ${said}${/[.?]$/.test(said) ? '' : '.'}`;
}

/** When a limit ends that the tracker tells of by `Retry-After` (seconds or a date); null when it does not. */
export function retryAfter(answer: FailedAnswer, now: Date, otherwiseMs: number): Date | null {
  const after = answer.headers.get('retry-after');
  if (after === null) return null;
  const seconds = Number(after);
  const atMs = Number.isNaN(seconds) ? Date.parse(after) : now.getTime() + seconds * 1000;
  return notBefore(Number.isNaN(atMs) ? now.getTime() + otherwiseMs : atMs, now);
}

/** A time as it is, but at least a second from now. */
export function notBefore(atMs: number, now: Date): Date {
  return new Date(Math.max(atMs, now.getTime() + 1000));
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

/** The error for an answer that is not what the tracker sends. */
export function malformed(name: string, subject: string, cause?: unknown): TrackerError {
  return new TrackerError(
    'malformed',
    `${name} answered something that cannot be read when asked for ${subject}. Check the address, or try again in a while.`,
    { cause },
  );
}

/** A text of a tracker, cut to 200 characters. */
export function cut(text: string): string {
  return cutTo(text, LONGEST_QUOTE, '…');
}
