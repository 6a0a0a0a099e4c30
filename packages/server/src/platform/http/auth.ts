import { API_KEY_PREFIX, type Scope } from '@winnow/contract/api-key';
import type { FastifyRequest } from 'fastify';
import { forbidden, unauthorized } from '../errors.ts';
import type { App } from './app.ts';
import { type Counted, limitBy, type RateLimit } from './rate-limit.ts';

type Identity = { accountId: string; userId: string; scopes: readonly Scope[] };
export type UserPrincipal = Identity & { kind: 'user'; sessionId: string };
export type ApiKeyPrincipal = Identity & { kind: 'api_key'; keyId: string };
/** Who calls: a signed-in person, or a program with a key. */
export type Principal = UserPrincipal | ApiKeyPrincipal;

/** Knows whose token it is; throws `unauthorized` for one that does not hold. */
export type Authenticate = (token: string, request: FastifyRequest) => Promise<Principal>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by an authenticating hook of the route; read it with `principalOf` or `userOf`. */
    principal: Principal | null;
  }
}

/** Takes a call of what a key's account may use; throws where nothing is left. */
export type TakeCall = (
  request: FastifyRequest,
  principal: ApiKeyPrincipal,
  call: { isRefusedAnyway: boolean },
) => Promise<void>;

type AuthHook = (request: FastifyRequest) => Promise<void>;

export type Authentication = {
  /** Lets signed-in people through; an API key gets 403, no or a wrong token 401. */
  requireUser: AuthHook;
  /** Lets API keys through, whatever their scopes; all else gets 401. */
  requireKey: AuthHook;
  /** Lets through everybody who has the scope: people, and keys that were given it. */
  requireScope(scope: Scope): AuthHook;
};

const SEND_A_KEY = `Send an API key: Authorization: Bearer ${API_KEY_PREFIX}….`;
const NOT_FILLED_IN = 'The header was empty or was not filled in (is WINNOW_API_KEY set?).';

/**
 * Hooks for a route's `onRequest`: after the rate limit, before the body is read, so that a stranger learns nothing
 * about what a route expects. A token that ends while the body is still on its way is refused too. To be called once for an app, before its routes. `keyLimit` is how much each API key may ask
 * for, from however many addresses; beyond it 429 `rate_limited`. `takeCall` is told of each call of a key that is within it.
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
  // Until the key is known, the headers tell the limit of the address.
  app.addHook('onSend', async (request, reply) => {
    const counted = ofKeys.get(request);
    if (counted === undefined) return;
    reply
      .header('x-ratelimit-limit', counted.max)
      .header('x-ratelimit-remaining', counted.remaining)
      .header('x-ratelimit-reset', counted.resetSeconds);
  });

  /** The tokens of requests whose body was still on its way when they were looked at. */
  const toLookAtAgain = new WeakMap<FastifyRequest, string>();

  app.addHook('preValidation', async (request) => {
    const token = toLookAtAgain.get(request);
    if (token !== undefined) request.principal = await authenticate(token, request);
  });

  async function identify(request: FastifyRequest, isRefusedAnyway = false): Promise<Principal> {
    const token = tokenOf(request);
    if (token === null) throw unauthorized();
    const principal = await authenticate(token, request);
    request.principal = principal;
    if (!request.raw.complete) toLookAtAgain.set(request, token);
    if (principal.kind === 'api_key') {
      await limitKey(request);
      await takeCall(request, principal, { isRefusedAnyway });
    }
    return principal;
  }

  return {
    async requireUser(request) {
      const principal = await identify(request, true);
      if (principal.kind !== 'user') {
        throw forbidden('An API key cannot be used here. Sign in instead.', 'user_required');
      }
    },
    async requireKey(request) {
      const token = tokenOf(request);
      if (token?.startsWith(API_KEY_PREFIX)) return void (await identify(request));
      const isUnfilled = token === null && request.headers.authorization !== undefined;
      throw unauthorized(isUnfilled ? `${SEND_A_KEY} ${NOT_FILLED_IN}` : SEND_A_KEY);
    },
    requireScope(scope) {
      return async (request) => {
        const principal = await identify(request);
        if (!principal.scopes.includes(scope)) {
          throw forbidden(`This needs an API key with the scope "${scope}".`, 'scope_required');
        }
      };
    },
  };
}

/** Who calls. Throws 401 on a route that forgot its authenticating hook. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw unauthorized();
  return request.principal;
}

/** Which signed-in person calls. Throws 401 on a route that forgot its hook, 403 for an API key. */
export function userOf(request: FastifyRequest): UserPrincipal {
  const principal = principalOf(request);
  if (principal.kind !== 'user') throw forbidden('An API key cannot be used here. Sign in instead.');
  return principal;
}

/** The token that a request comes with; null when there is none, or two. */
function tokenOf(request: FastifyRequest): string | null {
  return hasTwo(request, 'authorization') ? null : bearerToken(request.headers.authorization);
}

/** Whether a header came twice: we would read the first, and a proxy in front may have looked at the other. */
function hasTwo({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean {
  const isName = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === name;
  return rawHeaders.filter(isName).length > 1;
}

const LONGEST_TOKEN = 4_000;

/** The token of an `Authorization` header; null when it holds none. */
export function bearerToken(header: string | undefined): string | null {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '')?.[1];
  return token === undefined || token.length > LONGEST_TOKEN ? null : token;
}
