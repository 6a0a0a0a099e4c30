import { useEffect, useEffectEvent } from 'react';
import type { ShortcutSection } from '../../app/shell/shortcuts.ts';
import { pressGate } from './press-gate.ts';

/** The keys of this screen, as `KeyboardEvent.key` gives them. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 'd' | 'u' | 'e' | 'z' | '/' | 'Escape';

/** What the keys do: in the sheet of shortcuts, and (with a word) in the line at the bottom. */
export const SHORTCUTS: readonly { keys: readonly string[]; does: string; hint: string }[] = [
  { keys: ['j', 'k'], does: 'Next or previous pair', hint: 'Move' },
  { keys: ['↵'], does: 'Open the pair, then resolve it', hint: 'Open' },
  { keys: ['d'], does: 'Close as duplicate', hint: 'Close' },
  { keys: ['u'], does: 'Mark as unrelated', hint: 'Unrelated' },
  { keys: ['e'], does: 'Dismiss, or bring back', hint: 'Dismiss' },
  { keys: ['z'], does: 'Undo the last decision', hint: 'Undo' },
  { keys: ['/'], does: 'Search', hint: 'Search' },
];

/** The screen's part of the sheet of shortcuts. */
export const SHORTCUT_SECTION: ShortcutSection = { title: 'Issue Similarity', shortcuts: SHORTCUTS };

/** Moving may be held down; deciding is one press each. */
const MAY_REPEAT: readonly string[] = ['j', 'k'];
/** These decide without asking, and lead to the next pair, which nobody reads in less than this. */
const DECIDE_AT_ONCE: readonly string[] = ['u', 'e'];
const isDeliberate = pressGate(250);
const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"]';
const CONTROLS = 'a, button, [role="button"], summary';
/** The pair's own drawer on small screens is a dialog too; the keys are for what it shows. */
const OTHER_DIALOGS = '[aria-modal="true"]:not(:has([data-pair-panel]))';

/** Whether a dialog is over the screen and over the pair's drawer, be it on its way out. */
export function isUnderDialog(): boolean {
  return document.querySelector(OTHER_DIALOGS) !== null;
}

/** Put on our own dialogs while they fade away: the keys are the screen's again by then. */
export const LEAVING = { 'data-leaving': true };

function isDialogOpen(): boolean {
  return document.querySelector(`${OTHER_DIALOGS}:not([data-leaving] *)`) !== null;
}

function isShortcutKey(key: string, handlers: Record<ShortcutKey, () => void>): key is ShortcutKey {
  return Object.hasOwn(handlers, key);
}

function isMeant(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.repeat && !MAY_REPEAT.includes(event.key)) return false;
  const { target } = event;
  if (target instanceof Element && target.closest(FIELDS) !== null) return false;
  // Enter on a link or a button is theirs.
  if (event.key === 'Enter' && target instanceof Element && target.closest(CONTROLS) !== null) return false;
  if (DECIDE_AT_ONCE.includes(event.key) && !isDeliberate(event.timeStamp)) return false;
  return !isDialogOpen();
}

/** Binds the keys while the screen is shown: not while typing, and not under a dialog. */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcutKey(event.key, handlers) || !isMeant(event)) return;
    event.preventDefault();
    handlers[event.key]();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
