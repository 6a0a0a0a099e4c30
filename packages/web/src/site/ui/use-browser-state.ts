import { SITE_ORIGIN } from '@winnow/contract/site';
import { useCallback, useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Returns the origin of this site, such as `https://winnow.example`. During hydration, returns the
 * origin contained in the prerendered page.
 */
export function useOrigin(): string {
  return useSyncExternalStore(never, () => window.location.origin, renderedOrigin);
}

/**
 * Reads the origin from the canonical link of the page. The server has replaced {@link SITE_ORIGIN}
 * there.
 */
function renderedOrigin(): string {
  const canonical = import.meta.env.SSR
    ? null
    : document.querySelector<HTMLLinkElement>('link[rel=canonical]');
  return canonical === null ? SITE_ORIGIN : new URL(canonical.href).origin;
}

/** True if a media query matches. Prerendered HTML uses the value of `before`. */
export function useMedia(query: string, before: boolean): boolean {
  const subscribe = useCallback(
    (notify: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', notify);
      return () => media.removeEventListener('change', notify);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => before,
  );
}

function onVisibilityChange(notify: () => void): () => void {
  document.addEventListener('visibilitychange', notify);
  return () => document.removeEventListener('visibilitychange', notify);
}

/** True if the browser tab is in the background. */
export function useIsTabHidden(): boolean {
  return useSyncExternalStore(
    onVisibilityChange,
    () => document.hidden,
    () => false,
  );
}
