import type { KeyValueStorage } from './token-store.ts';

const STORAGE_KEY = 'loginRedirectPath';
const MAX_PATH_CHARS = 2000;

/**
 * Returns the path if it leads to a page of this site, otherwise null.
 * The path must start with a single `/` and must stay on this origin after parsing. These
 * conditions exclude `//host`, `/\host`, schemes and control characters. Sign-in and registration
 * are not valid return paths.
 */
export function safeReturnPath(path: string | null): string | null {
  if (path === null || path.length > MAX_PATH_CHARS) return null;
  if (!/^\/(?![/\\])/.test(path)) return null;
  for (const character of path)
    if (character < ' ' || character === '\\' || character === '\u007f') return null;
  const base = 'http://own.invalid';
  let url: URL;
  try {
    url = new URL(path, base);
  } catch {
    return null;
  }
  // Parsing turns `/..//host` into `//host`, so the parsed path is checked as well.
  if (url.origin !== base || url.pathname.startsWith('//')) return null;
  if (/^\/(login|register)(\/|$)/.test(url.pathname) || url.pathname === '/') return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Stores the path to open after signing in. Ignores unsafe paths. */
export function rememberReturnPath(storage: KeyValueStorage, path: string): void {
  const safe = safeReturnPath(path);
  if (safe !== null) storage.setItem(STORAGE_KEY, safe);
}

/**
 * Reads and deletes the stored path. Checks the path again, because storage is untrusted. Returns
 * `/console` if no path is stored.
 */
export function takeReturnPath(storage: KeyValueStorage): string {
  const stored = storage.getItem(STORAGE_KEY);
  storage.removeItem(STORAGE_KEY);
  return safeReturnPath(stored) ?? '/console';
}
