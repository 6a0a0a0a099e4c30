import { useEffect, useSyncExternalStore } from 'react';

/**
 * A line of the shortcuts dialog. The user presses all of its `keys` together, such as `['Ctrl',
 * 'K']`.
 */
export type Shortcut = { keys: readonly string[]; does: string };
export type ShortcutSection = { title: string; shortcuts: readonly Shortcut[] };

let sections: readonly ShortcutSection[] = [];
let open = false;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the shortcuts dialog. */
export function openKeyboardHelp(): void {
  open = true;
  notify();
}

/** Closes the shortcuts dialog. */
export function closeKeyboardHelp(): void {
  open = false;
  notify();
}

/** True while the shortcuts dialog is open. */
export function useKeyboardHelpOpen(): boolean {
  return useSyncExternalStore(subscribe, () => open);
}

/** Returns the shortcuts of all mounted screens. */
export function useShortcutSections(): readonly ShortcutSection[] {
  return useSyncExternalStore(subscribe, () => sections);
}

/**
 * Lists the shortcuts of a screen in the shortcuts dialog while the screen is mounted.
 * This function does not bind the keys; the screen does. Pass a constant, not an object created
 * while rendering.
 */
export function useListedShortcuts(section: ShortcutSection): void {
  useEffect(() => {
    sections = [...sections, section];
    notify();
    return () => {
      sections = sections.filter((other) => other !== section);
      notify();
    };
  }, [section]);
}
