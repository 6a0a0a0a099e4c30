import { useCallback, useRef } from 'react';

/**
 * Retains the focus on a button that is moved when a list gets its first item or loses its last
 * item.
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
