import { SITE_ORIGIN } from '@winnow/contract/site';
import { useCallback, useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Returns the origin of this site. During hydration, returns the origin in the prerendered page.
 */
export function useOrigin(): string {
  return useSyncExternalStore(never, () => window.location.origin, renderedOrigin);
}

/** Reads the origin from the canonical link, where the server has replaced {@link SITE_ORIGIN}. */
function renderedOrigin(): string {
  const canonical = import.meta.env.SSR
    ? null
    : document.querySelector<HTMLLinkElement>('link[rel=canonical]');
  return canonical === null ? SITE_ORIGIN : new URL(canonical.href).origin;
}

/** True if a media query matches. Returns `before` in prerendered HTML. */
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

/** True if the tab is in the background. */
export function useIsTabHidden(): boolean {
  return useSyncExternalStore(
    onVisibilityChange,
    () => document.hidden,
    () => false,
  );
}
