import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** The keys of this screen, as `KeyboardEvent.key` gives them. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 'i' | 'z' | 'm' | '/' | 'Escape';

/** What the keys do: in the sheet of shortcuts, and (with a word) in the line at the bottom. */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous issue', hint: 'Move' },
  { keys: ['↵'], does: 'Open the issue, then improve it', hint: 'Open' },
  { keys: ['i'], does: 'Improve the issue', hint: 'Improve' },
  { keys: ['z'], does: 'Undo the last decision', hint: 'Undo' },
  { keys: ['m'], does: 'Switch between list and map', hint: 'Map' },
  { keys: ['/'], does: 'Search', hint: 'Search' },
];

const ON_MAP: ShortcutSection['shortcuts'] = [
  { keys: ['←', '→', '↑', '↓'], does: 'On the map: to the next issue in that direction' },
  { keys: ['Shift', '→'], does: 'On the map: choose the region up to the next issue' },
  { keys: ['Del'], does: 'On the map: remove the region' },
  { keys: ['+', '-', '0'], does: 'On the map: zoom in, zoom out, show all' },
];

/** The screen's part of the sheet of shortcuts. */
export const SHORTCUT_SECTION: ShortcutSection = {
  title: 'Issue Compliance',
  shortcuts: [...SHORTCUTS, ...ON_MAP],
};

/** Binds the keys while the screen is shown. */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  useScreenKeys(handlers);
}
