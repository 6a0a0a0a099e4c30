import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { documentTitle, useScreenTitle } from './screen-title.ts';

/**
 * What a change of screen does besides showing it: names the tab, and moves the focus to the screen's heading so
 * that a keyboard or screen-reader user starts there. Filters in the query string are not a change of screen.
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
