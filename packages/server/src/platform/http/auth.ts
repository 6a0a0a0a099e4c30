import type { FastifyRequest } from 'fastify';
import { forbidden, unauthorized } from '../errors.ts';
import type { App } from './app.ts';

/** What an API key may do: read, propose changes, or write to trackers. */
export type Scope = 'read' | 'propose' | 'write';

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

type AuthHook = (request: FastifyRequest) => Promise<void>;

export type Authentication = {
  /** Lets signed-in people through; an API key gets 403, no or a wrong token 401. */
  requireUser: AuthHook;
  /** Lets through everybody who has the scope: people, and keys that were given it. */
  requireScope(scope: Scope): AuthHook;
};

/**
 * Hooks for a route's `onRequest`: after the rate limit, before the body is read, so that a stranger learns nothing
 * about what a route expects. To be called once for an app, before its routes.
 */
export function createAuthentication(app: App, authenticate: Authenticate): Authentication {
  app.decorateRequest('principal', null);

  async function identify(request: FastifyRequest): Promise<Principal> {
    const token = bearerToken(request.headers.authorization);
    if (token === null) throw unauthorized();
    const principal = await authenticate(token, request);
    request.principal = principal;
    return principal;
  }

  return {
    async requireUser(request) {
      const principal = await identify(request);
      if (principal.kind !== 'user') {
        throw forbidden('An API key cannot be used here. Sign in instead.', 'user_required');
      }
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

const LONGEST_TOKEN = 4_000;

/** The token of an `Authorization` header; null when it holds none. */
export function bearerToken(header: string | undefined): string | null {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '')?.[1];
  return token === undefined || token.length > LONGEST_TOKEN ? null : token;
}
