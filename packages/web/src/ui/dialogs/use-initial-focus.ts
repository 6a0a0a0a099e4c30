import { type RefObject, useEffect, useRef } from 'react';

/**
 * Returns a ref for the first element of a dialog step. It gets the focus when the step appears,
 * since the previously focused element was removed with the previous step.
 */
export function useInitialFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
