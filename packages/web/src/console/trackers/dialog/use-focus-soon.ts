import { type RefObject, useEffect, useRef } from 'react';

/** A dialog's step takes the focus when it has come to rest. */
const FOCUS_DELAY_MS = 100;

/** A ref for the element that gets the focus shortly after the step appears. */
export function useFocusSoon<E extends HTMLElement>(): RefObject<E | null> {
  const target = useRef<E>(null);
  useEffect(() => {
    const timer = setTimeout(() => target.current?.focus(), FOCUS_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return target;
}
