import { useEffect, useEffectEvent } from 'react';

/** Keys that may be held down. All others need one press per action. */
const MAY_REPEAT: readonly string[] = ['j', 'k'];
const KEYBOARD_FIELDS = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"]';
const ENTER_CONTROLS = 'a, button, [role="button"], summary';
/** Excludes the side panel, which is a dialog on small screens: shortcuts apply to its content. */
const OTHER_DIALOGS = '[aria-modal="true"]:not(:has([data-side-panel]))';

/**
 * True while a dialog covers the screen, including its closing animation. The side panel is
 * excluded.
 */
export function isUnderDialog(): boolean {
  return document.querySelector(OTHER_DIALOGS) !== null;
}

/** Marks a dialog during its closing animation, when shortcuts apply to the screen again. */
export const LEAVING = { 'data-leaving': true };

function isDialogOpen(): boolean {
  return document.querySelector(`${OTHER_DIALOGS}:not([data-leaving] *)`) !== null;
}

function isShortcutAllowed(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.repeat && !MAY_REPEAT.includes(event.key)) return false;
  const { target } = event;
  // Fields need all keys, except checkboxes and radio buttons, in which users do not type.
  if (target instanceof Element && target.closest(KEYBOARD_FIELDS) !== null && !isCheckable(target))
    return false;
  // Enter activates a focused link or button.
  if (event.key === 'Enter' && target instanceof Element && target.closest(ENTER_CONTROLS) !== null)
    return false;
  return !isDialogOpen();
}

function isCheckable(target: Element): boolean {
  return target instanceof HTMLInputElement && ['checkbox', 'radio'].includes(target.type);
}

/**
 * Binds the shortcuts of a screen while it is mounted, by `KeyboardEvent.key`. Ignores keys while
 * the user types or a dialog is open. `accepts` can reject a press.
 */
export function useScreenKeys<Key extends string>(
  handlers: Record<Key, () => void>,
  accepts: (event: KeyboardEvent) => boolean = () => true,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isBound = (key: string): key is Key => Object.hasOwn(handlers, key);
    if (!isBound(event.key) || !isShortcutAllowed(event) || !accepts(event)) return;
    event.preventDefault();
    handlers[event.key]();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
