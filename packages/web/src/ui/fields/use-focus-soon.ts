import { type RefObject, useEffect, useRef } from 'react';

/** Delay in milliseconds until the transition of a dialog step has finished. */
const FOCUS_DELAY_MS = 100;
const FIELDS = 'input, textarea, select';

/**
 * Returns a ref for an element in a dialog step. The element receives the focus shortly after the
 * step appears, unless the user has already focused a field.
 */
export function useFocusSoon<E extends HTMLElement>(): RefObject<E | null> {
  const target = useRef<E>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (document.activeElement?.matches(FIELDS) !== true) target.current?.focus();
    }, FOCUS_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return target;
}
