import { API_KEY_PREFIX, type Scope } from '@winnow/contract/api-key';
import type { FastifyRequest } from 'fastify';
import { forbidden, unauthorized } from '../errors.ts';
import type { App } from './app.ts';
import { BODY_LIMIT_BYTES } from './body-limits.ts';
import { type Counted, limitBy, type RateLimit } from './rate-limit.ts';

type Identity = { accountId: string; userId: string; scopes: readonly Scope[] };
export type UserPrincipal = Identity & { kind: 'user'; sessionId: string };
export type ApiKeyPrincipal = Identity & { kind: 'api_key'; keyId: string };
/** The caller: a signed-in user, or a program with an API key. */
export type Principal = UserPrincipal | ApiKeyPrincipal;

/** Resolves a token. Throws `unauthorized` if it is invalid. */
export type Authenticate = (token: string, request: FastifyRequest) => Promise<Principal>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by a route's authentication hook. Read it with `principalOf` or `userOf`. */
    principal: Principal | null;
  }
}

/** Counts an API call against the quota of the account. Throws if none is left. */
export type TakeCall = (
  request: FastifyRequest,
  principal: ApiKeyPrincipal,
  call: { isRefusedAnyway: boolean },
) => Promise<void>;

type AuthHook = (request: FastifyRequest) => Promise<void>;

export type Authentication = {
  /** Admits signed-in users. An API key gets 403; a missing or invalid token gets 401. */
  requireUser: AuthHook;
  /** Admits API keys with any scope. Everything else gets 401. */
  requireKey: AuthHook;
  /** Admits users, and API keys with this scope. */
  requireScope(scope: Scope): AuthHook;
};

const SEND_A_KEY = `Send an API key: Authorization: Bearer ${API_KEY_PREFIX}….`;
const EMPTY_HEADER_HINT = 'The header was empty or has no value (is WINNOW_API_KEY set?).';

/**
 * Creates `onRequest` hooks for routes. They run after the rate limit and before the body is read,
 * so an unauthenticated caller learns nothing about the body. A token that expires while the body
 * arrives is refused as well. Routes with such a hook accept bodies of up to 1 MB. Call once per
 * app, before its routes.
 *
 * `keyLimit` limits requests per API key over all addresses; beyond it they get 429 `rate_limited`.
 * `takeCall` is called for each request of a key within that limit.
 */
export function createAuthentication(
  app: App,
  authenticate: Authenticate,
  keyLimit: RateLimit = { max: 1_000, windowMs: 60_000 },
  takeCall: TakeCall = async () => undefined,
): Authentication {
  app.decorateRequest('principal', null);
  const ofKeys = new WeakMap<FastifyRequest, Counted>();
  const limitKey = limitBy(
    app,
    keyLimit,
    ({ principal }) => (principal?.kind === 'api_key' ? principal.keyId : ''),
    (request, counted) => ofKeys.set(request, counted),
  );
  // Until the key is known, the headers describe the limit of the address.
  app.addHook('onSend', async (request, reply) => {
    const counted = ofKeys.get(request);
    if (counted === undefined) return;
    reply
      .header('x-ratelimit-limit', counted.max)
      .header('x-ratelimit-remaining', counted.remaining)
      .header('x-ratelimit-reset', counted.resetSeconds);
  });

  const hooks = new WeakSet<object>();
  app.addHook('onRoute', (route) => {
    const isAuthenticated = [route.onRequest ?? []].flat().some((hook) => hooks.has(hook));
    if (isAuthenticated) route.bodyLimit ??= BODY_LIMIT_BYTES.authenticated;
  });
  function asHook(hook: AuthHook): AuthHook {
    hooks.add(hook);
    return hook;
  }

  /** Tokens of requests whose body was still arriving when they were checked. */
  const toRecheck = new WeakMap<FastifyRequest, string>();

  app.addHook('preValidation', async (request) => {
    const token = toRecheck.get(request);
    if (token !== undefined) request.principal = await authenticate(token, request);
  });

  async function identify(request: FastifyRequest, isRefusedAnyway = false): Promise<Principal> {
    const token = tokenOf(request);
    if (token === null) throw unauthorized();
    const principal = await authenticate(token, request);
    request.principal = principal;
    if (!request.raw.complete) toRecheck.set(request, token);
    if (principal.kind === 'api_key') {
      await limitKey(request);
      await takeCall(request, principal, { isRefusedAnyway });
    }
    return principal;
  }

  return {
    requireUser: asHook(async (request) => {
      const principal = await identify(request, true);
      if (principal.kind !== 'user') {
        throw forbidden('An API key cannot be used here. Sign in instead.', 'user_required');
      }
    }),
    requireKey: asHook(async (request) => {
      const token = tokenOf(request);
      if (token?.startsWith(API_KEY_PREFIX)) return void (await identify(request));
      const isUnfilled = token === null && request.headers.authorization !== undefined;
      throw unauthorized(isUnfilled ? `${SEND_A_KEY} ${EMPTY_HEADER_HINT}` : SEND_A_KEY);
    }),
    requireScope(scope) {
      return asHook(async (request) => {
        const principal = await identify(request);
        if (!principal.scopes.includes(scope)) {
          throw forbidden(`This needs an API key with the scope "${scope}".`, 'scope_required');
        }
      });
    },
  };
}

/** Returns the caller. Throws `unauthorized` if the route has no authentication hook. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw unauthorized();
  return request.principal;
}

/**
 * Returns the signed-in user. Throws `unauthorized` if the route has no authentication hook,
 * `forbidden` for an API key.
 */
export function userOf(request: FastifyRequest): UserPrincipal {
  const principal = principalOf(request);
  if (principal.kind !== 'user') throw forbidden('An API key cannot be used here. Sign in instead.');
  return principal;
}

/** Returns the request's token; null if there is none, or more than one. */
function tokenOf(request: FastifyRequest): string | null {
  return hasTwo(request, 'authorization') ? null : bearerToken(request.headers.authorization);
}

/**
 * True if a header was sent twice. We would read the first, but a proxy may have checked the
 * second.
 */
function hasTwo({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean {
  const isName = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === name;
  return rawHeaders.filter(isName).length > 1;
}

const MAX_TOKEN_CHARS = 4_000;

/** Returns the token of an `Authorization` header; null if it has none. */
export function bearerToken(header: string | undefined): string | null {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '')?.[1];
  return token === undefined || token.length > MAX_TOKEN_CHARS ? null : token;
}
