import { type RefObject, useEffect, useRef } from 'react';

/**
 * A ref for the element that a step of the dialog starts on. The focus goes there when the step appears, since what
 * had it went away with the step before.
 */
export function useInitialFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
