import { useEffect, useEffectEvent } from 'react';

/** Moving may be held down; everything else is one press each. */
const MAY_REPEAT: readonly string[] = ['j', 'k'];
const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"]';
const CONTROLS = 'a, button, [role="button"], summary';
/** The screen's own panel is a dialog too on small screens; the keys are for what it shows. */
const OTHER_DIALOGS = '[aria-modal="true"]:not(:has([data-side-panel]))';

/** Whether a dialog is over the screen and over the drawer of its panel, be it on its way out. */
export function isUnderDialog(): boolean {
  return document.querySelector(OTHER_DIALOGS) !== null;
}

/** Put on our own dialogs while they fade away: the keys are the screen's again by then. */
export const LEAVING = { 'data-leaving': true };

function isDialogOpen(): boolean {
  return document.querySelector(`${OTHER_DIALOGS}:not([data-leaving] *)`) !== null;
}

function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.repeat && !MAY_REPEAT.includes(event.key)) return false;
  const { target } = event;
  // Typing in a field is the field's; a box that is checked, and one of several choices, are not typed in.
  if (target instanceof Element && target.closest(FIELDS) !== null && !isChecked(target)) return false;
  // Enter on a link or a button is theirs.
  if (event.key === 'Enter' && target instanceof Element && target.closest(CONTROLS) !== null) return false;
  return !isDialogOpen();
}

function isChecked(target: Element): boolean {
  return target instanceof HTMLInputElement && ['checkbox', 'radio'].includes(target.type);
}

/**
 * Binds a screen's keys, as `KeyboardEvent.key` gives them, while it is shown: not while typing, and not under a dialog.
 * `isMeant` may refuse a press.
 */
export function useScreenKeys<Key extends string>(
  handlers: Record<Key, () => void>,
  isMeant: (event: KeyboardEvent) => boolean = () => true,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isBound = (key: string): key is Key => Object.hasOwn(handlers, key);
    if (!isBound(event.key) || !isFree(event) || !isMeant(event)) return;
    event.preventDefault();
    handlers[event.key]();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
