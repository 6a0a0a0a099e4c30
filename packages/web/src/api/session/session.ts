import type { TokenPair } from '@winnow/contract/account';
import { createApi, createPublicApi } from './api-client.ts';
import { createRefresher, exclusiveRunOf } from './refresh.ts';
import { rememberReturnPath } from './return-path.ts';
import { SessionLost } from './session-lost.ts';
import { ACCESS_TOKEN_KEY, createTokenStore } from './token-store.ts';
import { createTransport } from './transport.ts';
import { createWorkspaceStore } from './workspace-store.ts';

/** Event on `window`, sent when a user signs in or out in any tab. */
const AUTH_CHANGE = 'auth-change';
/**
 * Event on `window`, sent when a request exceeds a plan limit. `detail` contains the server's error
 * sentence.
 */
export const SHOW_UPGRADE_MODAL = 'show-upgrade-modal';

/** The way in which a session began or ended. The page navigates accordingly. */
export type AuthChange = { reason: 'signed_in' | 'signed_out' | 'lost' };

const tokens = createTokenStore(window.localStorage, Date.now);
const workspaces = createWorkspaceStore(
  window.sessionStorage,
  window.localStorage,
  new URL(window.location.href),
);
const transport = createTransport((input, init) => window.fetch(input, init));

/**
 * Replaces an access token that the server has refused. All requests and tabs share one refresh.
 */
export const refreshSession = createRefresher({
  tokens,
  transport,
  exclusively: exclusiveRunOf(navigator.locks),
});

/** API client for the session of the signed-in user. See {@link createApi}. */
export const api = createApi({
  transport,
  tokens,
  refresh: refreshSession,
  onSessionLost: loseSession,
  workspace: workspaces.selected,
  onNotAMember: leaveLostWorkspace,
  onPlanLimit: (detail) => window.dispatchEvent(new CustomEvent<string>(SHOW_UPGRADE_MODAL, { detail })),
});

/** API client for visitors, used to sign in and to register. */
export const publicApi = createPublicApi(transport);

/**
 * False while a request that ends the session is running, and after the session has ended. A
 * request refused in this state must not cause a redirect to sign-in.
 */
let canBeLost = true;

function announce(reason: AuthChange['reason']): void {
  canBeLost = reason === 'signed_in';
  window.dispatchEvent(new CustomEvent<AuthChange>(AUTH_CHANGE, { detail: { reason } }));
}

/** True if this browser has stored a session. The server may still refuse it. */
export function isSignedIn(): boolean {
  return tokens.accessToken() !== null;
}

/**
 * Returns the access token for the live channel, with its expiry in milliseconds since the Unix
 * epoch. The expiry is null if unknown.
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
 * Shows the Overview of another workspace; null for the user's own. Loading a new page discards all
 * data of the previous workspace.
 */
export function switchWorkspace(workspaceId: string | null): void {
  workspaces.select(workspaceId);
  window.location.assign('/console');
}

/** Shows the user's own workspace, because the selected one refuses the user. */
export function leaveLostWorkspace(): void {
  if (workspaces.selected() === null) return;
  workspaces.select(null);
  const message = 'You are not a member of that workspace. This is your own.';
  window.location.assign(`/console?${new URLSearchParams({ message })}`);
}

/** Stores the tokens after a sign-in and announces the new session to the page. */
export function startSession(pair: TokenPair): void {
  tokens.save(pair);
  announce('signed_in');
}

/** Removes the tokens immediately. The server revokes the session in the background. */
export function signOut(): void {
  const refreshToken = tokens.refreshToken();
  workspaces.select(null);
  tokens.clear('signed_out');
  announce('signed_out');
  const headers: HeadersInit = refreshToken === null ? {} : { 'X-Refresh-Token': refreshToken };
  // Errors are ignored. This browser is signed out without its tokens, and the tokens expire on the
  // server.
  window.fetch('/logout', { headers, keepalive: true }).catch(() => undefined);
}

/**
 * Runs a request that ends the session, such as deleting the account, and then signs out.
 * During the request, live events about a lost session cause no redirect to sign-in. If the request
 * fails, throws its error and retains the session.
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

/** Ends a session that cannot be refreshed. The page opens sign-in and stores the return path. */
export function loseSession(): void {
  if (!canBeLost) return;
  const { pathname, search, hash } = window.location;
  if (pathname.startsWith('/console')) rememberReturnPath(window.localStorage, `${pathname}${search}${hash}`);
  tokens.clear('lost');
  announce('lost');
}

/** Announces sign-ins and sign-outs in other tabs as {@link AUTH_CHANGE}. Call once. */
export function watchOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== ACCESS_TOKEN_KEY && event.key !== null) return;
    const had = event.key === null || event.oldValue !== null;
    const has = isSignedIn();
    // A replaced token means that the same session was refreshed. Only the removal of a token is
    // announced here.
    if (had && !has) announce(tokens.endReason());
    if (!had && has) announce('signed_in');
  });
}

/** Calls `handler` whenever a user signs in or out. Returns the unsubscribe function. */
export function onAuthChange(handler: (change: AuthChange) => void): () => void {
  const listener = (event: Event) => {
    if (event instanceof CustomEvent) handler(event.detail);
  };
  window.addEventListener(AUTH_CHANGE, listener);
  return () => window.removeEventListener(AUTH_CHANGE, listener);
}
