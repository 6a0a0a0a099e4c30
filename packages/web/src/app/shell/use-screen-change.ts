import { type RefObject, useEffect, useRef } from 'react';
import { useLocation, useMatches } from 'react-router';

/**
 * Updates the tab title and focuses the heading when the screen changes. Keyboard and screen-reader
 * users then start at the heading. Changes of the query string do not count as a change of screen.
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

/** Returns the title of the deepest matching route. Empty if no route has a title. */
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
