import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { documentTitle, useScreenTitle } from './screen-title.ts';

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
