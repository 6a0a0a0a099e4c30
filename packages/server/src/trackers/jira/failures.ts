import { z } from 'zod';
import { firstLine } from '../../platform/text.ts';
import { TrackerError } from '../provider.ts';
import {
  cut,
  type ExplainAnswer,
  explainStatus,
  type FailedAnswer,
  notBefore,
  quoted,
  rateLimited,
  retryAfter,
} from '../rest/failures.ts';

/** How long to leave a Jira alone that names no time. */
const WAIT_MS = 60_000;

const errorBody = z.object({
  errorMessages: z.array(z.string()).optional(),
  errors: z.record(z.string(), z.unknown()).optional(),
  message: z.string().optional(),
});

/** Says in a sentence why Jira did not do what was asked, and when to try again if it told. */
export const explainAnswer: ExplainAnswer = (answer, context) => {
  const said = messageOf(answer.body);
  if (answer.status === 429) return rateLimited(context.name, limitEnd(answer, context.now));
  const login = explainLogin(answer.headers, context.name);
  if (login !== null) return login;
  // A link that may not be made or removed is refused with 401 although the token is good.
  if (answer.status === 401 && /permission/i.test(said)) {
    return new TrackerError(
      'forbidden',
      `${context.name} does not let this token use ${context.subject}.${quoted(said)}`,
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
 * What the header by which Jira tells of a login says is wrong with it; null when nothing is. Cloud answers a wrong token as
 * it would answer anybody, with this header as the only sign.
 */
export function explainLogin(headers: FailedAnswer['headers'], name: string): TrackerError | null {
  const reason = headers.get('x-seraph-loginreason') ?? '';
  if (reason.includes('AUTHENTICATION_DENIED')) {
    return new TrackerError(
      'unauthorized',
      `${name} wants a captcha solved after too many failed logins. Log in there once with the browser, then try again.`,
    );
  }
  if (!reason.includes('AUTHENTICATED_FAILED')) return null;
  return new TrackerError(
    'unauthorized',
    `${name} did not accept this token. Check that it is complete, not expired and not revoked, and that the user name is right.`,
  );
}

/** The error for a page for people where data was asked for. */
export function signInPage(name: string): TrackerError {
  return new TrackerError(
    'unauthorized',
    `${name} answers with a sign-in page. Check the address, and that its REST API takes tokens without single sign-on.`,
  );
}

/** The first line of what Jira said, cut to 200 characters. Empty when the body is not Jira's JSON. */
export function messageOf(body: string): string {
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

function limitEnd(answer: FailedAnswer, now: Date): Date {
  const after = retryAfter(answer, now, WAIT_MS);
  if (after !== null) return after;
  const resetMs = Date.parse(answer.headers.get('x-ratelimit-reset') ?? '');
  return Number.isNaN(resetMs) ? new Date(now.getTime() + WAIT_MS) : notBefore(resetMs, now);
}
