import type { TokenPair } from '@winnow/contract/account';

/** The methods of `Storage` that the token store needs. Tests pass a plain object. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export const ACCESS_TOKEN_KEY = 'accessToken';
const REFRESH_TOKEN_KEY = 'refreshToken';
const EXPIRY_KEY = 'accessTokenExpiresAt';
const END_KEY = 'sessionEnd';

/** Tokens of the session, shared by all tabs. */
export type TokenStore = {
  accessToken(): string | null;
  refreshToken(): string | null;
  /**
   * Returns the expiry of the access token according to the local clock, in milliseconds since the
   * Unix epoch. Null if unknown.
   */
  expiresAt(): number | null;
  save(pair: TokenPair): void;
  /** Removes the tokens. Stores the reason, which other tabs read. */
  clear(reason: EndReason): void;
  /** Returns the reason why the last session ended, as stored by the tab that ended it. */
  endReason(): EndReason;
};

/** Reason why a session ended: the user signed out, or the server rejected the session. */
export type EndReason = 'signed_out' | 'lost';

/** Returns the reason why the last session in this storage ended. Null if no session has ended. */
export function endReasonOf(storage: KeyValueStorage): EndReason | null {
  const stored = storage.getItem(END_KEY);
  return stored === 'lost' || stored === 'signed_out' ? stored : null;
}

/**
 * Creates a token store that uses the documented key names. `now` returns milliseconds since the
 * Unix epoch.
 */
export function createTokenStore(storage: KeyValueStorage, now: () => number): TokenStore {
  return {
    accessToken: () => storage.getItem(ACCESS_TOKEN_KEY),
    refreshToken: () => storage.getItem(REFRESH_TOKEN_KEY),
    expiresAt: () => {
      const stored = Number(storage.getItem(EXPIRY_KEY));
      return Number.isFinite(stored) && stored > 0 ? stored : null;
    },
    save: (pair) => {
      storage.removeItem(END_KEY);
      storage.setItem(EXPIRY_KEY, String(now() + pair.expires_in * 1000));
      storage.setItem(REFRESH_TOKEN_KEY, pair.refresh_token);
      // The access token is stored last, because other tabs react to its storage event and then
      // read the other values.
      storage.setItem(ACCESS_TOKEN_KEY, pair.access_token);
    },
    clear: (reason) => {
      // The reason is stored first, because other tabs read it as soon as the access token is
      // removed.
      if (storage.getItem(ACCESS_TOKEN_KEY) !== null) storage.setItem(END_KEY, reason);
      storage.removeItem(EXPIRY_KEY);
      storage.removeItem(REFRESH_TOKEN_KEY);
      storage.removeItem(ACCESS_TOKEN_KEY);
    },
    endReason: () => endReasonOf(storage) ?? 'signed_out',
  };
}
