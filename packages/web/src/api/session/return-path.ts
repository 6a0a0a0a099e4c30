import type { KeyValueStorage } from './token-store.ts';

const STORAGE_KEY = 'loginRedirectPath';
const LONGEST_PATH = 2000;

/**
 * The path if it leads to a page of ours, else null. It must start with a single `/` and still be on our own
 * origin once parsed, so neither `//host`, `/\host`, a scheme nor a control character gets through. Pages that
 * only a visitor sees (sign in, register) are no way back.
 */
export function safeReturnPath(path: string | null): string | null {
  if (path === null || path.length > LONGEST_PATH) return null;
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
  // Parsing folds `/..//host` into `//host`, so the folded path is checked like the given one.
  if (url.origin !== base || url.pathname.startsWith('//')) return null;
  if (/^\/(login|register)(\/|$)/.test(url.pathname) || url.pathname === '/') return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Keeps where to go after signing in. A path that is not safe is not kept. */
export function rememberReturnPath(storage: KeyValueStorage, path: string): void {
  const safe = safeReturnPath(path);
  if (safe !== null) storage.setItem(STORAGE_KEY, safe);
}

/** The kept path, checked again since storage is anybody's, and forgotten; `/console` without one. */
export function takeReturnPath(storage: KeyValueStorage): string {
  const stored = storage.getItem(STORAGE_KEY);
  storage.removeItem(STORAGE_KEY);
  return safeReturnPath(stored) ?? '/console';
}
