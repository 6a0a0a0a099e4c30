import { type RefObject, useEffect, useRef } from 'react';

/** Delay until the transition of a dialog step has finished. */
const FOCUS_DELAY_MS = 100;
const FIELDS = 'input, textarea, select';

/**
 * Returns a ref for the element that gets the focus shortly after a dialog step appears, unless the
 * user has already focused a field.
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
