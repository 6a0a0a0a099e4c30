import type { TokenPair } from '@winnow/contract/account';

/** The part of `Storage` that is used; tests pass a plain object. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export const ACCESS_TOKEN_KEY = 'accessToken';
const REFRESH_TOKEN_KEY = 'refreshToken';
const EXPIRY_KEY = 'accessTokenExpiresAt';
const END_KEY = 'sessionEnd';

/** The two tokens of the session, shared by all tabs. */
export type TokenStore = {
  accessToken(): string | null;
  refreshToken(): string | null;
  /** When the access token expires, in milliseconds since 1970 by this machine's clock; null when not known. */
  expiresAt(): number | null;
  save(pair: TokenPair): void;
  /** Removes the tokens; other tabs learn why. */
  clear(reason: EndReason): void;
  /** Why the last session ended, as the tab that ended it said. */
  endReason(): EndReason;
};

/** A session ends because somebody signs out, or because the server no longer knows it. */
export type EndReason = 'signed_out' | 'lost';

/** Why the last session in this storage ended; null when none did. */
export function endReasonOf(storage: KeyValueStorage): EndReason | null {
  const stored = storage.getItem(END_KEY);
  return stored === 'lost' || stored === 'signed_out' ? stored : null;
}

/** Keeps tokens under the names that the product documents. `now` is in milliseconds since 1970. */
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
      // Last, because other tabs act on the access token's storage event.
      storage.setItem(ACCESS_TOKEN_KEY, pair.access_token);
    },
    clear: (reason) => {
      // First, because other tabs act on the access token's storage event.
      if (storage.getItem(ACCESS_TOKEN_KEY) !== null) storage.setItem(END_KEY, reason);
      storage.removeItem(EXPIRY_KEY);
      storage.removeItem(REFRESH_TOKEN_KEY);
      storage.removeItem(ACCESS_TOKEN_KEY);
    },
    endReason: () => endReasonOf(storage) ?? 'signed_out',
  };
}
