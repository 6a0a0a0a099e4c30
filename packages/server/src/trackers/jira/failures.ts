import { z } from 'zod';
import { firstLine } from '../../platform/text.ts';
import { TrackerError } from '../provider.ts';
import {
  clampToFuture,
  cut,
  type ExplainResponse,
  explainStatus,
  type FailedResponse,
  quoted,
  rateLimited,
  retryAfter,
} from '../rest/failures.ts';

/** Wait after a rate limit if Jira reports no reset time. */
const DEFAULT_RETRY_MS = 60_000;

const errorBody = z.object({
  errorMessages: z.array(z.string()).optional(),
  errors: z.record(z.string(), z.unknown()).optional(),
  message: z.string().optional(),
});

/** Explains why Jira refused a call. Includes the time for a retry if Jira reported one. */
export const explainResponse: ExplainResponse = (answer, context) => {
  const said = messageOf(answer.body);
  if (answer.status === 429) return rateLimited(context.name, limitEnd(answer, context.now));
  const login = explainLogin(answer.headers, context.name);
  if (login !== null) return login;
  // Jira returns 401 for a valid token if its user may not create links.
  if (answer.status === 401 && /permission/i.test(said)) {
    return new TrackerError(
      'forbidden',
      `This token is not allowed to access ${context.subject} in ${context.name}.${quoted(said)}`,
    );
  }
  if (answer.status === 400 && /CONTENT_LIMIT_EXCEEDED/.test(answer.body)) {
    return new TrackerError('invalid', `${context.name} takes texts of at most 32,767 characters.`);
  }
  if (answer.status === 400 && /permission/i.test(said)) {
    return new TrackerError('forbidden', `${context.name} refused the request.${quoted(said)}`);
  }
  return explainStatus(answer, context, said);
};

/**
 * Returns the error that Jira's login header reports. Returns null if the header reports none.
 * Cloud treats a caller with a wrong token as anonymous; this header is the only sign of that.
 */
export function explainLogin(headers: FailedResponse['headers'], name: string): TrackerError | null {
  const reason = headers.get('x-seraph-loginreason') ?? '';
  if (reason.includes('AUTHENTICATION_DENIED')) {
    return new TrackerError(
      'unauthorized',
      `${name} requires a captcha after too many failed logins. Log in there once with the browser, then try again.`,
    );
  }
  if (!reason.includes('AUTHENTICATED_FAILED')) return null;
  return new TrackerError(
    'unauthorized',
    `${name} did not accept this token. Check that it is complete, not expired and not revoked, and that the user name is right.`,
  );
}

/** Returns the error for a sign-in page that Jira returned instead of data. */
export function signInPage(name: string): TrackerError {
  return new TrackerError(
    'unauthorized',
    `${name} returned a sign-in page. Check the address, and that its REST API takes tokens without single sign-on.`,
  );
}

/**
 * Returns the first line of Jira's error message, truncated to 200 characters. Returns an empty
 * string if the body is not Jira's JSON.
 */
function messageOf(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return '';
  }
  const parsed = errorBody.safeParse(value);
  if (!parsed.success) return '';
  const { errorMessages = [], errors = {}, message } = parsed.data;
  const first = [...errorMessages, ...Object.values(errors), message].find(
    (said) => typeof said === 'string',
  );
  return typeof first === 'string' ? cut(firstLine(first)) : '';
}

function limitEnd(answer: FailedResponse, now: Date): Date {
  const after = retryAfter(answer, now, DEFAULT_RETRY_MS);
  if (after !== null) return after;
  const resetMs = Date.parse(answer.headers.get('x-ratelimit-reset') ?? '');
  return Number.isNaN(resetMs) ? new Date(now.getTime() + DEFAULT_RETRY_MS) : clampToFuture(resetMs, now);
}
