import type { KeyValueStorage } from './token-store.ts';

const STORAGE_KEY = 'loginRedirectPath';
const MAX_PATH_CHARS = 2000;

/**
 * Returns the path if it leads to one of our pages, otherwise null. It must start with a single `/`
 * and stay on our origin once parsed. That excludes `//host`, `/\host`, schemes and control
 * characters. Sign-in and registration are not valid return paths.
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
  // Parsing normalizes `/..//host` to `//host`, so check the result like the input.
  if (url.origin !== base || url.pathname.startsWith('//')) return null;
  if (/^\/(login|register)(\/|$)/.test(url.pathname) || url.pathname === '/') return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Stores where to go after signing in. Ignores unsafe paths. */
export function rememberReturnPath(storage: KeyValueStorage, path: string): void {
  const safe = safeReturnPath(path);
  if (safe !== null) storage.setItem(STORAGE_KEY, safe);
}

/**
 * Reads and deletes the stored path, validated again since storage is untrusted; `/console` without
 * one.
 */
export function takeReturnPath(storage: KeyValueStorage): string {
  const stored = storage.getItem(STORAGE_KEY);
  storage.removeItem(STORAGE_KEY);
  return safeReturnPath(stored) ?? '/console';
}
