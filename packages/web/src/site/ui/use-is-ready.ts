import { useSyncExternalStore } from 'react';

const nothingChanges = () => () => undefined;

/** False in rendered HTML and until the page's script has taken it over; true from then on. */
export function useIsReady(): boolean {
  return useSyncExternalStore(
    nothingChanges,
    () => true,
    () => false,
  );
}
