import { type RefObject, useEffect, useRef } from 'react';
import { useLocation, useMatches } from 'react-router';

/**
 * Updates the tab title and focuses the heading when the screen changes, so that keyboard and
 * screen-reader users start there. Query string changes do not count.
 */
export function useScreenChange(): { title: string; headingRef: RefObject<HTMLHeadingElement | null> } {
  const { pathname } = useLocation();
  const title = useScreenTitle();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    headingRef.current?.focus({ preventScroll: true });
  }, [pathname]);
  return { title, headingRef };
}

const PRODUCT = 'Winnow';

/** Returns the title of the deepest matching route; empty if there is none. */
function useScreenTitle(): string {
  const matches = useMatches();
  for (const { handle, params } of matches.toReversed()) {
    if (typeof handle !== 'object' || handle === null || !('title' in handle)) continue;
    return String(typeof handle.title === 'function' ? handle.title(params) : handle.title);
  }
  return '';
}

/** Returns the title of the browser tab. */
function documentTitle(screen: string): string {
  return screen === '' ? PRODUCT : `${screen} · ${PRODUCT}`;
}
