import type { TokenPair } from '@winnow/contract/account';
import { createApi, createPublicApi } from './api-client.ts';
import { createRefresher, exclusiveRunOf } from './refresh.ts';
import { rememberReturnPath } from './return-path.ts';
import { SessionLost } from './session-lost.ts';
import { ACCESS_TOKEN_KEY, createTokenStore } from './token-store.ts';
import { createTransport } from './transport.ts';
import { createWorkspaceStore } from './workspace-store.ts';

/** Event on `window` when a user signs in or out, in any tab. */
const AUTH_CHANGE = 'auth-change';
/**
 * Event on `window` when a request meets a plan limit. Its detail is the server's error sentence.
 */
export const SHOW_UPGRADE_MODAL = 'show-upgrade-modal';

/** How a session began or ended, which decides where the page navigates. */
export type AuthChange = { reason: 'signed_in' | 'signed_out' | 'lost' };

const tokens = createTokenStore(window.localStorage, Date.now);
const workspaces = createWorkspaceStore(
  window.sessionStorage,
  window.localStorage,
  new URL(window.location.href),
);
const transport = createTransport((input, init) => window.fetch(input, init));

/** Replaces a refused access token; shared by all requests and tabs. */
export const refreshSession = createRefresher({
  tokens,
  transport,
  exclusively: exclusiveRunOf(navigator.locks),
});

/** API client of the session. See {@link createApi}. */
export const api = createApi({
  transport,
  tokens,
  refresh: refreshSession,
  onSessionLost: loseSession,
  workspace: workspaces.selected,
  onNotAMember: leaveLostWorkspace,
  onPlanLimit: (detail) => window.dispatchEvent(new CustomEvent<string>(SHOW_UPGRADE_MODAL, { detail })),
});

/** API client of a visitor, for signing in, registering and the like. */
export const publicApi = createPublicApi(transport);

/**
 * False while a request that ends the session is running, and after the session has ended. Requests
 * refused then must not affect the navigation.
 */
let canBeLost = true;

function announce(reason: AuthChange['reason']): void {
  canBeLost = reason === 'signed_in';
  window.dispatchEvent(new CustomEvent<AuthChange>(AUTH_CHANGE, { detail: { reason } }));
}

/** True if this browser has a session. The server may still refuse it. */
export function isSignedIn(): boolean {
  return tokens.accessToken() !== null;
}

/**
 * Returns the access token for the live channel, with its expiry in milliseconds since the Unix
 * epoch (null if unknown).
 */
export function accessToken(): { token: string; expiresAt: number | null } | null {
  const token = tokens.accessToken();
  return token === null ? null : { token, expiresAt: tokens.expiresAt() };
}

/** Returns the workspace that this tab shows; null for the user's own. */
export function selectedWorkspace(): string | null {
  return workspaces.selected();
}

/**
 * Shows another workspace from the Overview on; null for the user's own. Loading a new page discards
 * all data of the previous one.
 */
export function switchWorkspace(workspaceId: string | null): void {
  workspaces.select(workspaceId);
  window.location.assign('/console');
}

/** Shows the user's own workspace, because the selected one admits the user no longer. */
export function leaveLostWorkspace(): void {
  if (workspaces.selected() === null) return;
  workspaces.select(null);
  const message = 'You are not a member of that workspace. This is your own.';
  window.location.assign(`/console?${new URLSearchParams({ message })}`);
}

/** Stores the tokens of a sign-in and announces it. */
export function startSession(pair: TokenPair): void {
  tokens.save(pair);
  announce('signed_in');
}

/** Removes the tokens immediately; the server revokes the session in the background. */
export function signOut(): void {
  const refreshToken = tokens.refreshToken();
  workspaces.select(null);
  tokens.clear('signed_out');
  announce('signed_out');
  const headers: HeadersInit = refreshToken === null ? {} : { 'X-Refresh-Token': refreshToken };
  // Ignore errors: without its tokens this browser is signed out, and the tokens expire.
  window.fetch('/logout', { headers, keepalive: true }).catch(() => undefined);
}

/**
 * Runs a request that ends the session, such as deleting the account, then signs out. Meanwhile,
 * live events about the lost session must not redirect to sign-in. Throws the request's error; the
 * session then continues.
 */
export async function signOutBy(call: () => Promise<void>): Promise<void> {
  canBeLost = false;
  try {
    await call();
  } catch (error) {
    canBeLost = true;
    if (error instanceof SessionLost) loseSession();
    throw error;
  }
  signOut();
}

/** Ends a session that cannot be refreshed. The page goes to sign-in and stores the return path. */
export function loseSession(): void {
  if (!canBeLost) return;
  const { pathname, search, hash } = window.location;
  if (pathname.startsWith('/console')) rememberReturnPath(window.localStorage, `${pathname}${search}${hash}`);
  tokens.clear('lost');
  announce('lost');
}

/** Announces sign-ins and sign-outs of other tabs as {@link AUTH_CHANGE}. Call once. */
export function watchOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== ACCESS_TOKEN_KEY && event.key !== null) return;
    const had = event.key === null || event.oldValue !== null;
    const has = isSignedIn();
    // A replaced token is a refresh of the same session, so announce nothing.
    if (had && !has) announce(tokens.endReason());
    if (!had && has) announce('signed_in');
  });
}

/** Calls `handler` on every change. Returns the unsubscribe function. */
export function onAuthChange(handler: (change: AuthChange) => void): () => void {
  const listener = (event: Event) => {
    if (event instanceof CustomEvent) handler(event.detail);
  };
  window.addEventListener(AUTH_CHANGE, listener);
  return () => window.removeEventListener(AUTH_CHANGE, listener);
}
