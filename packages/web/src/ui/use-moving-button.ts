import { useCallback, useRef } from 'react';

/**
 * Keeps the focus on a button that moves to another place when the list becomes filled or empty.
 */
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
