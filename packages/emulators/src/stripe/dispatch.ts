import type { Incoming, Outgoing } from '../http/host.ts';
import { Router } from '../http/router.ts';
import { expanded } from './expand.ts';
import { parseForm } from './form.ts';
import { newId } from './objects.ts';
import { submitPage } from './pages.ts';
import { Params } from './params.ts';
import { routes } from './routes.ts';
import { EmulatedStripeError, invalidRequest } from './stripe-error.ts';
import type { Host } from './subscriptions.ts';

/** Version of Stripe's API that the installed client library uses. */
export const API_VERSION = '2026-10-28.endive';

const router = new Router(routes);

/** Stored responses by idempotency key. Each is stored with its request. */
type RememberedAnswers = Map<string, { request: string; status: number; body: string }>;

/** The emulated Stripe, with the data needed to handle requests. */
export interface Api extends Host {
  secretKey: string;
  remembered: RememberedAnswers;
}

/** Handles a request like Stripe. Never throws, for any request. */
export function dispatch(api: Api, incoming: Incoming): Outgoing {
  const url = new URL(incoming.url, incoming.origin);
  const requestId = newId('req');
  const out: Outgoing = {
    status: 200,
    headers: { 'content-type': 'application/json', 'request-id': requestId, 'stripe-version': API_VERSION },
    body: '',
    login: null,
    path: url.pathname,
  };
  if (!url.pathname.startsWith('/v1/')) return submitPage(api, incoming, out);
  try {
    authenticate(api, incoming, url);
    return { ...out, ...answer(api, incoming, url, out.headers) };
  } catch (error) {
    if (!(error instanceof EmulatedStripeError)) throw error;
    const { status, fields } = error;
    const more = {
      doc_url: `https://stripe.com/docs/error-codes/${fields.code ?? ''}`,
      request_log_url: requestId,
    };
    return { ...out, status, body: JSON.stringify({ error: { ...fields, ...more } }) };
  }
}

function authenticate({ secretKey }: Api, { headers }: Incoming, url: URL): void {
  const key = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  if (key !== secretKey) {
    const shown = key === '' ? '' : `${key.slice(0, 8)}${'*'.repeat(12)}${key.slice(-4)}`;
    const message = `Invalid API Key provided: ${shown}`;
    throw new EmulatedStripeError(401, { type: 'invalid_request_error', message });
  }
  const version = headers['stripe-version'];
  if (version !== undefined && version !== API_VERSION) {
    throw invalidRequest(`Invalid Stripe API version: ${String(version)}`);
  }
  if (url.pathname.endsWith('/')) throw unknownUrl('GET', url);
}

function answer(
  api: Api,
  { method, body, headers }: Incoming,
  url: URL,
  answered: Record<string, string>,
): { status: number; headers: Record<string, string>; body: string } {
  const found = router.find(method, url.pathname.split('/').slice(1).map(decodeURIComponent));
  if (found === null) throw unknownUrl(method, url);
  const sent = method === 'POST' ? body : url.search.slice(1);
  if (
    method === 'POST' &&
    body !== '' &&
    !String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
  ) {
    throw invalidRequest('Invalid request: send the body form-encoded.');
  }
  const key = headers['idempotency-key'];
  const request = `${method} ${url.pathname} ${sent}`;
  const known = method === 'POST' && typeof key === 'string' ? api.remembered.get(key) : undefined;
  if (known !== undefined) {
    if (known.request !== request) throw keyReused(String(key));
    const again = { ...answered, 'idempotency-key': String(key), 'idempotent-replayed': 'true' };
    return { status: known.status, headers: again, body: known.body };
  }
  const params = new Params(parseForm(sent));
  const object = found.route.handle({ host: api, path: found.params, params });
  const text = JSON.stringify(expanded(api.store, object, params.expand), null, 2);
  if (method === 'POST' && typeof key === 'string')
    api.remembered.set(key, { request, status: 200, body: text });
  return { status: 200, headers: answered, body: text };
}

function keyReused(key: string): EmulatedStripeError {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
  return new EmulatedStripeError(400, { type: 'idempotency_error', message });
}

function unknownUrl(method: string, { pathname }: URL): EmulatedStripeError {
  const message = `Unrecognized request URL (${method}: ${pathname}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`;
  return new EmulatedStripeError(404, { type: 'invalid_request_error', message });
}
