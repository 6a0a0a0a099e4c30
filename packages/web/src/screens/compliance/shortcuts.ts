import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** Keys of the compliance screen, as in `KeyboardEvent.key`. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 'i' | 'z' | 'm' | '/' | 'Escape';

/**
 * Shortcuts in the keyboard shortcuts dialog. Those with a `hint` also appear at the bottom of the
 * screen.
 */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous issue', hint: 'Move' },
  { keys: ['↵'], does: 'Open the issue, then improve it', hint: 'Open' },
  { keys: ['i'], does: 'Improve the issue', hint: 'Improve' },
  { keys: ['z'], does: 'Undo the last decision', hint: 'Undo' },
  { keys: ['m'], does: 'Switch between list and map', hint: 'Map' },
  { keys: ['/'], does: 'Search', hint: 'Search' },
];

const MAP_SHORTCUTS: ShortcutSection['shortcuts'] = [
  { keys: ['←', '→', '↑', '↓'], does: 'On the map: move to the next issue in that direction' },
  { keys: ['Shift', '→'], does: 'On the map: extend the region to the next issue' },
  { keys: ['Del'], does: 'On the map: remove the region' },
  { keys: ['+', '-', '0'], does: 'On the map: zoom in, zoom out, show all' },
];

/** Section of the keyboard shortcuts dialog for the compliance screen. */
export const SHORTCUT_SECTION: ShortcutSection = {
  title: 'Issue Compliance',
  shortcuts: [...SHORTCUTS, ...MAP_SHORTCUTS],
};

/** Binds the shortcuts while the compliance screen is mounted. */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  useScreenKeys(handlers);
}
