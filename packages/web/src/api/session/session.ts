import type { TokenPair } from '@winnow/contract/account';
import { createApi, createPublicApi } from './api-client.ts';
import { createRefresher, exclusiveRunOf } from './refresh.ts';
import { rememberReturnPath } from './return-path.ts';
import { SessionLost } from './session-lost.ts';
import { ACCESS_TOKEN_KEY, createTokenStore } from './token-store.ts';
import { createTransport } from './transport.ts';

/** Announced on `window` whenever somebody signs in or out, here or in another tab. */
const AUTH_CHANGE = 'auth-change';
/** Announced on `window` when a call met the plan's limit; its detail is the server's own sentence. */
export const SHOW_UPGRADE_MODAL = 'show-upgrade-modal';

/** How a session began or ended: it decides where the page goes next. */
export type AuthChange = { reason: 'signed_in' | 'signed_out' | 'lost' };

const tokens = createTokenStore(window.localStorage, Date.now);
const transport = createTransport((input, init) => window.fetch(input, init));

/** Replaces an access token that the server refused; shared by all calls and tabs. */
export const refreshSession = createRefresher({
  tokens,
  transport,
  exclusively: exclusiveRunOf(navigator.locks),
});

/** Calls with the session's token. See {@link createApi}. */
export const api = createApi({
  transport,
  tokens,
  refresh: refreshSession,
  onSessionLost: loseSession,
  onPlanLimit: (detail) => window.dispatchEvent(new CustomEvent<string>(SHOW_UPGRADE_MODAL, { detail })),
});

/** Calls of a visitor: sign in, register and the like. */
export const publicApi = createPublicApi(transport);

/**
 * While a call that ends the session is under way, and after the session has ended, it cannot be lost: calls that are
 * refused then say nothing new, and must not change where the page goes.
 */
let canBeLost = true;

function announce(reason: AuthChange['reason']): void {
  canBeLost = reason === 'signed_in';
  window.dispatchEvent(new CustomEvent<AuthChange>(AUTH_CHANGE, { detail: { reason } }));
}

/** Whether this browser holds a session. The server may still refuse it. */
export function isSignedIn(): boolean {
  return tokens.accessToken() !== null;
}

/** The access token with its expiry in milliseconds since 1970 (null when not known), for the live channel. */
export function accessToken(): { token: string; expiresAt: number | null } | null {
  const token = tokens.accessToken();
  return token === null ? null : { token, expiresAt: tokens.expiresAt() };
}

/** Keeps the tokens of a sign-in and tells the page. */
export function startSession(pair: TokenPair): void {
  tokens.save(pair);
  announce('signed_in');
}

/** Removes the tokens at once; the server revokes the session in the background. */
export function signOut(): void {
  const refreshToken = tokens.refreshToken();
  tokens.clear('signed_out');
  announce('signed_out');
  const headers: HeadersInit = refreshToken === null ? {} : { 'X-Refresh-Token': refreshToken };
  // The answer changes nothing: without its tokens this browser is signed out, and they expire by themselves.
  window.fetch('/logout', { headers, keepalive: true }).catch(() => undefined);
}

/**
 * Makes a call that ends this session, such as deleting the account, and signs out: the live channel may hear of the end
 * before the answer comes, and would lead to sign-in. Throws what the call throws; then nothing has ended.
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

/** Ends a session that could not be refreshed: the page goes to sign-in, and the way back is remembered. */
export function loseSession(): void {
  if (!canBeLost) return;
  const { pathname, search, hash } = window.location;
  if (pathname.startsWith('/console')) rememberReturnPath(window.localStorage, `${pathname}${search}${hash}`);
  tokens.clear('lost');
  announce('lost');
}

/** Turns what other tabs do to the tokens into our own {@link AUTH_CHANGE}. Call once. */
export function watchOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== ACCESS_TOKEN_KEY && event.key !== null) return;
    const had = event.key === null || event.oldValue !== null;
    const has = isSignedIn();
    // A token that was merely replaced is a refresh: same session, nothing to announce.
    if (had && !has) announce(tokens.endReason());
    if (!had && has) announce('signed_in');
  });
}

/** Calls `handler` on every change; answers the function that stops it. */
export function onAuthChange(handler: (change: AuthChange) => void): () => void {
  const listener = (event: Event) => {
    if (event instanceof CustomEvent) handler(event.detail);
  };
  window.addEventListener(AUTH_CHANGE, listener);
  return () => window.removeEventListener(AUTH_CHANGE, listener);
}
