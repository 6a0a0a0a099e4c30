import { SITE_ORIGIN } from '@winnow/contract/site';
import { useCallback, useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** The address this site is served at; while a rendered page comes to life, as it stands in there. */
export function useOrigin(): string {
  return useSyncExternalStore(never, () => window.location.origin, renderedOrigin);
}

/** What the server has put in the place of the build's {@link SITE_ORIGIN}: the canonical address says it. */
function renderedOrigin(): string {
  const canonical = import.meta.env.SSR
    ? null
    : document.querySelector<HTMLLinkElement>('link[rel=canonical]');
  return canonical === null ? SITE_ORIGIN : new URL(canonical.href).origin;
}

/** Whether a media query holds; `before` while that is not known. */
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

/** Whether the tab is behind another one. */
export function useIsTabHidden(): boolean {
  return useSyncExternalStore(
    onVisibilityChange,
    () => document.hidden,
    () => false,
  );
}
