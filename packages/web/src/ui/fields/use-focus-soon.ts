import { type RefObject, useEffect, useRef } from 'react';

/** A dialog's step takes the focus when it has come to rest. */
const FOCUS_DELAY_MS = 100;
const FIELDS = 'input, textarea, select';

/** A ref for the element that gets the focus shortly after the step appears, unless somebody is in a field by then. */
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
