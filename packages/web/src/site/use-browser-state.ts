import { useCallback, useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** The address this site is served at; `before` while that is not known, as in the rendered page. */
export function useOrigin(before: string): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => before,
  );
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
