import type { Incoming, Outgoing, OwnFaults } from '../http/host.ts';
import type { JsonObject } from '../http/json.ts';
import type { Store } from './store.ts';

/**
 * Faults that only the Jira emulator supports.
 * - `rate-limit`: status 429 in Jira's format. It has a `Retry-After` header if `retryAfterSeconds`
 *   is set.
 * - `captcha`: Data Center rejects a password until the user has solved a captcha in the browser.
 * - `sign-in-page`: an HTML page instead of JSON, as single sign-on returns it.
 */
export type JiraFaultAction =
  | { kind: 'rate-limit'; retryAfterSeconds?: number; resetInSeconds?: number }
  | { kind: 'captcha' }
  | { kind: 'sign-in-page' };

export function ownFaults(store: Store): OwnFaults<JiraFaultAction> {
  return {
    kinds: ['rate-limit', 'captcha', 'sign-in-page'],
    read: readAction,
    answer: (action, usual, incoming) => answerOf(store, action, usual, incoming),
  };
}

function readAction(action: JsonObject): JiraFaultAction {
  if (action.kind === 'captcha' || action.kind === 'sign-in-page') return { kind: action.kind };
  const { retryAfterSeconds: seconds } = action;
  if (seconds !== undefined && typeof seconds !== 'number')
    throw new Error('"retryAfterSeconds" must be a number.');
  return { kind: 'rate-limit', ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) };
}

function answerOf(store: Store, action: JiraFaultAction, usual: Outgoing, incoming: Incoming): Outgoing {
  const { headers } = usual;
  switch (action.kind) {
    case 'rate-limit': {
      const { retryAfterSeconds, resetInSeconds } = action;
      const limits: Record<string, string> = {
        ...headers,
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '0',
        ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
        ...(resetInSeconds === undefined
          ? {}
          : { 'x-ratelimit-reset': new Date(store.now() + resetInSeconds * 1000).toISOString() }),
      };
      const body = store.isCloud
        ? { errorMessages: ['Rate limit exceeded.'], errors: {} }
        : { message: 'Rate limit exceeded.' };
      return { ...usual, status: 429, headers: limits, body: JSON.stringify(body) };
    }
    case 'captcha': {
      const reason = 'AUTHENTICATION_DENIED';
      const login = `${incoming.origin}${store.site.contextPath}/login.jsp`;
      const html = { 'content-type': 'text/html; charset=utf-8' };
      const denied = {
        'x-seraph-loginreason': reason,
        'x-authentication-denied-reason': `CAPTCHA_CHALLENGE; login-url=${login}`,
      };
      return {
        ...usual,
        status: 403,
        headers: { ...headers, ...html, ...denied },
        body: '<html><body>Basic Authentication Failure - Reason : AUTHENTICATION_DENIED</body></html>',
      };
    }
    case 'sign-in-page': {
      const html = { ...headers, 'content-type': 'text/html;charset=UTF-8' };
      const body =
        '<!DOCTYPE html><html><head><title>Log in - Jira</title></head><body><form id="login-form"></form></body></html>';
      return { ...usual, status: 200, headers: html, body };
    }
  }
}
