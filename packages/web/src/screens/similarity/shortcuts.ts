import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { pressGate } from '../../ui/keyboard/press-gate.ts';
import { useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** Keys of this screen, as in `KeyboardEvent.key`. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 'd' | 'm' | 'x' | 'u' | 'e' | 's' | 'z' | '/' | 'Escape';

/** Shortcuts for the dialog and, if they have a hint, for the bottom line. */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous pair', hint: 'Move' },
  { keys: ['↵'], does: 'Open the pair, then resolve it', hint: 'Open' },
  { keys: ['d'], does: 'Close as duplicate', hint: 'Close' },
  { keys: ['m'], does: 'Merge the two issues', hint: 'Merge' },
  { keys: ['x'], does: 'Deconflict the two issues', hint: 'Deconflict' },
  { keys: ['u'], does: 'Mark as unrelated', hint: 'Unrelated' },
  { keys: ['e'], does: 'Dismiss, or bring back', hint: 'Dismiss' },
  { keys: ['s'], does: 'Select or deselect the pair', hint: 'Select' },
  { keys: ['z'], does: 'Undo the last decision', hint: 'Undo' },
  { keys: ['/'], does: 'Search', hint: 'Search' },
];

/** Section of the keyboard shortcuts dialog. */
export const SHORTCUT_SECTION: ShortcutSection = { title: 'Issue Similarity', shortcuts: SHORTCUTS };

/**
 * Keys that decide without confirmation and open the next pair. Ignores a second press within
 * 250 ms, which is too short to read the next pair.
 */
const IMMEDIATE_KEYS: readonly string[] = ['u', 'e'];
const isDeliberate = pressGate(250);

/** Binds the keys while the screen is mounted. */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  useScreenKeys(handlers, ({ key, timeStamp }) => !IMMEDIATE_KEYS.includes(key) || isDeliberate(timeStamp));
}
