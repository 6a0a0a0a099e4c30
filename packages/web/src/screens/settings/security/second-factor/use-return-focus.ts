import { useRef } from 'react';
import { useMovingButton } from '../../../../ui/use-moving-button.ts';

/**
 * Returns the focus when a dialog is closed: to the control that opened it, or to the button with
 * the ref `main` if that control was removed.
 */
export function useReturnFocus() {
  const opener = useRef<Element>(null);
  const main = useMovingButton();
  return {
    main: main.ref,
    /** Call when the dialog opens. */
    remember: () => {
      opener.current = document.activeElement;
    },
    /** Call if the control that opened the dialog is about to be removed. */
    forget: () => {
      opener.current = null;
    },
    /** Call after the dialog is closed. */
    restore: () => {
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
      else main.focus();
    },
  };
}
