import { useEffect, useSyncExternalStore } from 'react';

/** One line of the keyboard sheet: `['Ctrl', 'K']` are pressed together. */
export type Shortcut = { keys: readonly string[]; does: string };
export type ShortcutSection = { title: string; shortcuts: readonly Shortcut[] };

let sections: readonly ShortcutSection[] = [];
let open = false;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the sheet of shortcuts. */
export function openKeyboardHelp(): void {
  open = true;
  tell();
}

/** Hides it. */
export function closeKeyboardHelp(): void {
  open = false;
  tell();
}

/** Whether the sheet is open. */
export function useKeyboardHelpOpen(): boolean {
  return useSyncExternalStore(subscribe, () => open);
}

/** What the mounted screens have on the keyboard. */
export function useShortcutSections(): readonly ShortcutSection[] {
  return useSyncExternalStore(subscribe, () => sections);
}

/**
 * Lists a screen's shortcuts in the keyboard sheet while the screen is mounted. It only lists them: the screen
 * binds the keys itself. Pass a constant, not an object made while rendering.
 */
export function useListedShortcuts(section: ShortcutSection): void {
  useEffect(() => {
    sections = [...sections, section];
    tell();
    return () => {
      sections = sections.filter((other) => other !== section);
      tell();
    };
  }, [section]);
}
