import { useEffect, useEffectEvent } from 'react';

/**
 * Keys that repeat their action while they are held down. For other keys, each press triggers one
 * action.
 */
const MAY_REPEAT: readonly string[] = ['j', 'k'];
const KEYBOARD_FIELDS = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"]';
const ENTER_CONTROLS = 'a, button, [role="button"], summary';
/**
 * Matches open dialogs except the side panel. On small screens the side panel is a dialog, but
 * shortcuts apply to its content.
 */
const OTHER_DIALOGS = '[aria-modal="true"]:not(:has([data-side-panel]))';

/**
 * True while a dialog other than the side panel covers the screen, including the closing
 * animation of the dialog.
 */
export function isUnderDialog(): boolean {
  return document.querySelector(OTHER_DIALOGS) !== null;
}

/**
 * Attributes of a dialog during its closing animation. While the animation runs, shortcuts already
 * apply to the screen.
 */
export const LEAVING = { 'data-leaving': true };

function isDialogOpen(): boolean {
  return document.querySelector(`${OTHER_DIALOGS}:not([data-leaving] *)`) !== null;
}

function isShortcutAllowed(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.repeat && !MAY_REPEAT.includes(event.key)) return false;
  const { target } = event;
  // Shortcuts are off in fields, which need all keys. Checkboxes and radio buttons are exceptions,
  // because users do not type in them.
  if (target instanceof Element && target.closest(KEYBOARD_FIELDS) !== null && !isCheckable(target))
    return false;
  // Enter activates the focused link or button and is not a shortcut there.
  if (event.key === 'Enter' && target instanceof Element && target.closest(ENTER_CONTROLS) !== null)
    return false;
  return !isDialogOpen();
}

function isCheckable(target: Element): boolean {
  return target instanceof HTMLInputElement && ['checkbox', 'radio'].includes(target.type);
}

/**
 * Binds the shortcuts of a screen while the screen is mounted. The keys are values of
 * `KeyboardEvent.key`.
 * Ignores keys while the user types or a dialog is open. `accepts` can reject a key press.
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
