import { useCallback, useRef } from 'react';

/** A button that stands in another place once the list is filled, or empty again: the focus it has goes along. */
export function useMovingButton() {
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  const ref = useCallback((mounted: HTMLButtonElement) => {
    button.current = mounted;
    if (hadFocus.current) mounted.focus();
    return () => {
      hadFocus.current = document.activeElement === mounted;
      button.current = null;
    };
  }, []);
  const focus = useCallback(() => button.current?.focus(), []);
  return { ref, focus };
}
