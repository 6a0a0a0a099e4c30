import { API_KEY_PREFIX, type Scope } from '@winnow/contract/api-key';
import { id } from '@winnow/contract/primitives';
import { lowestRoleWith, type Permission, ROLES, type Role, scopeFor } from '@winnow/contract/role';
import { type Access, permissionOf, ROUTE_ACCESS, scopeOf } from '@winnow/contract/route-access';
import { WORKSPACE_HEADER } from '@winnow/contract/workspace';
import type { FastifyRequest } from 'fastify';
import { forbidden, unauthorized } from '../errors.ts';
import type { App } from './app.ts';
import { BODY_LIMIT_BYTES } from './body-limits.ts';
import { type Counted, limitBy, type RateLimit } from './rate-limit.ts';

type Identity = {
  /** Workspace that the request concerns. On a route with the access `self`, the user's own. */
  accountId: string;
  userId: string;
  /** Role of the user in the workspace. For an API key, the role of the user who owns it. */
  role: Role;
  permissions: ReadonlySet<Permission>;
};
export type UserPrincipal = Identity & {
  kind: 'user';
  sessionId: string;
  /** The user's own account, which has the sessions, devices and security events. */
  homeId: string;
  /** True if the workspace requires a second factor, and the user has none. */
  lacksFactor: boolean;
};
export type ApiKeyPrincipal = Identity & { kind: 'api_key'; keyId: string; scopes: readonly Scope[] };
/** The caller: a signed-in user, or a program with an API key. */
export type Principal = UserPrincipal | ApiKeyPrincipal;

/**
 * Resolves a token in the chosen workspace. Null chooses the user's own. Throws `unauthorized` if
 * the token is invalid, `forbidden` if the user is not a member of the workspace.
 */
export type Authenticate = (token: string, workspaceId: string | null) => Promise<Principal>;

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
  /**
   * Admits the callers that the policy names for the route. Registering a route with this hook
   * fails if the policy does not list the route. A missing or invalid token gets 401, a caller
   * without the permission 403.
   */
  authorize: AuthHook;
  /** Admits callers by this access, on a route that is also open to visitors. */
  expectAccess(request: FastifyRequest, access: Access): Promise<void>;
};

const SECOND_FACTOR_MISSING =
  'This workspace requires a second factor. Add an authenticator app or a passkey in Settings, under Security.';
const SEND_A_KEY = `Send an API key: Authorization: Bearer ${API_KEY_PREFIX}….`;
const EMPTY_HEADER_HINT = 'The header was empty or has no value (is WINNOW_API_KEY set?).';

/**
 * Creates the `onRequest` hook of routes that require authentication. It runs after the rate limit
 * and before the body is read, so an unauthenticated caller learns nothing about the body. A token
 * that expires while the body arrives is refused as well. Routes with this hook accept bodies of up
 * to 1 MB. Call once per app, before its routes.
 *
 * `keyLimit` limits requests per API key over all addresses; beyond it they get 429 `rate_limited`.
 * `takeCall` is called for each request of a key within that limit. `policy` has the access of each
 * route, by method and path.
 */
export function createAuthentication(
  app: App,
  authenticate: Authenticate,
  {
    keyLimit = { max: 1_000, windowMs: 60_000 },
    takeCall = async () => undefined,
    policy = ROUTE_ACCESS,
  }: { keyLimit?: RateLimit; takeCall?: TakeCall; policy?: Readonly<Record<string, Access>> } = {},
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

  app.addHook('onRoute', (route) => {
    if (![route.onRequest ?? []].flat().includes(authorize)) return;
    route.bodyLimit ??= BODY_LIMIT_BYTES.authenticated;
    for (const method of [route.method].flat()) {
      if (method !== 'HEAD' && policy[`${method} ${route.url}`] === undefined) {
        throw new Error(`The policy of access does not list ${method} ${route.url}.`);
      }
    }
  });

  /** Token and workspace of requests whose body was still arriving when they were checked. */
  const toRecheck = new WeakMap<FastifyRequest, Parameters<Authenticate>>();

  app.addHook('preValidation', async (request) => {
    const checked = toRecheck.get(request);
    if (checked !== undefined) request.principal = await authenticate(...checked);
  });

  async function identify(
    request: FastifyRequest,
    { isForUsers, ofWorkspace }: { isForUsers: boolean; ofWorkspace: boolean },
  ): Promise<Principal> {
    const token = tokenOf(request);
    if (token === null) throw unauthorized();
    const workspaceId = ofWorkspace ? workspaceOf(request) : null;
    const principal = await authenticate(token, workspaceId);
    request.principal = principal;
    if (!request.raw.complete) toRecheck.set(request, [token, workspaceId]);
    if (principal.kind === 'api_key') {
      await limitKey(request);
      await takeCall(request, principal, { isRefusedAnyway: isForUsers });
    }
    return principal;
  }

  async function expectAccess(request: FastifyRequest, access: Access): Promise<void> {
    if (access === 'key') return expectKey(request);
    const permission = permissionOf(access);
    const isForUsers = scopeOf(access) === null;
    const principal = await identify(request, { isForUsers, ofWorkspace: permission !== null });
    if (isForUsers && principal.kind !== 'user') throw userRequired();
    if (permission === null) return;
    if (principal.kind === 'user' && principal.lacksFactor) {
      throw secondFactorMissing();
    }
    expectPermission(principal, permission);
  }

  async function expectKey(request: FastifyRequest): Promise<void> {
    const token = tokenOf(request);
    if (token?.startsWith(API_KEY_PREFIX)) {
      await identify(request, { isForUsers: false, ofWorkspace: true });
      return;
    }
    const isUnfilled = token === null && request.headers.authorization !== undefined;
    throw unauthorized(isUnfilled ? `${SEND_A_KEY} ${EMPTY_HEADER_HINT}` : SEND_A_KEY);
  }

  async function authorize(request: FastifyRequest): Promise<void> {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const access = policy[`${method} ${request.routeOptions.url}`];
    if (access === undefined) throw forbidden();
    await expectAccess(request, access);
  }

  return { authorize, expectAccess };
}

/** Throws `forbidden` if the caller lacks the permission, and says what would give it. */
function expectPermission(principal: Principal, permission: Permission): void {
  if (principal.permissions.has(permission)) return;
  throw principal.kind === 'api_key' && !hasScopeFor(principal, permission)
    ? forbidden(`This needs an API key with the scope "${scopeFor(permission)}".`, 'scope_required')
    : forbidden(roleNeeded(principal, permission), 'role_required');
}

/** True if the key's scopes give the permission, whatever the role of its owner. */
export function hasScopeFor({ scopes }: ApiKeyPrincipal, permission: Permission): boolean {
  const scope = scopeFor(permission);
  return scope !== null && scopes.includes(scope);
}

/** Returns a sentence about the role that a permission needs. */
export function roleNeeded({ kind, role }: Pick<Principal, 'kind' | 'role'>, permission: Permission): string {
  const needed = ROLES[lowestRoleWith(permission)].label;
  const whose = kind === 'user' ? 'Your role' : 'The role of the owner of this API key';
  return `This needs the role ${needed} or higher. ${whose} in this workspace is ${ROLES[role].label}.`;
}

function userRequired() {
  return forbidden('An API key cannot be used here. Sign in instead.', 'user_required');
}

/**
 * Returns the workspace that the request chooses; null if it chooses none. Throws `forbidden` for a
 * value that is no id, as for a workspace that does not exist.
 */
function workspaceOf(request: FastifyRequest): string | null {
  const value = request.headers[WORKSPACE_HEADER];
  if (value === undefined) return null;
  const parsed = id.safeParse(value);
  if (!parsed.success || hasTwo(request, WORKSPACE_HEADER)) throw notAMember();
  return parsed.data;
}

/** Error for a member without the second factor that the workspace requires. */
export function secondFactorMissing() {
  return forbidden(SECOND_FACTOR_MISSING, 'second_factor_missing');
}

/** Error for a workspace that the caller is not a member of, or that does not exist. */
export function notAMember() {
  return forbidden('You are not a member of this workspace.', 'not_a_member');
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
