import { type RefObject, useEffect, useRef } from 'react';

/**
 * Returns a ref for the first element of a dialog step. The element receives the focus when the
 * step appears, because the focused element of the previous step was removed.
 */
export function useInitialFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
