import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** Keys of this screen, as in `KeyboardEvent.key`. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 'i' | 'z' | 'm' | '/' | 'Escape';

/**
 * Shortcuts with their descriptions for the help dialog. Those with a `hint` also appear in the
 * footer.
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

/** Section of this screen in the shortcut help. */
export const SHORTCUT_SECTION: ShortcutSection = {
  title: 'Issue Compliance',
  shortcuts: [...SHORTCUTS, ...MAP_SHORTCUTS],
};

/** Binds the keys while the screen is displayed. */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  useScreenKeys(handlers);
}
