import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => undefined;

/** False in prerendered HTML and until hydration has finished; then true. */
export function useIsReady(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
