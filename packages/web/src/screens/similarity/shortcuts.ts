import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { pressGate } from '../../ui/keyboard/press-gate.ts';
import { useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** The keys of this screen, as `KeyboardEvent.key` gives them. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 'd' | 'm' | 'x' | 'u' | 'e' | 's' | 'z' | '/' | 'Escape';

/** What the keys do: in the sheet of shortcuts, and (with a word) in the line at the bottom. */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous pair', hint: 'Move' },
  { keys: ['↵'], does: 'Open the pair, then resolve it', hint: 'Open' },
  { keys: ['d'], does: 'Close as duplicate', hint: 'Close' },
  { keys: ['m'], does: 'Merge the two issues', hint: 'Merge' },
  { keys: ['x'], does: 'Deconflict the two issues', hint: 'Deconflict' },
  { keys: ['u'], does: 'Mark as unrelated', hint: 'Unrelated' },
  { keys: ['e'], does: 'Dismiss, or bring back', hint: 'Dismiss' },
  { keys: ['s'], does: 'Select the pair, or take it out of the selection', hint: 'Select' },
  { keys: ['z'], does: 'Undo the last decision', hint: 'Undo' },
  { keys: ['/'], does: 'Search', hint: 'Search' },
];

/** The screen's part of the sheet of shortcuts. */
export const SHORTCUT_SECTION: ShortcutSection = { title: 'Issue Similarity', shortcuts: SHORTCUTS };

/** These decide without asking, and lead to the next pair, which nobody reads in less than this. */
const DECIDE_AT_ONCE: readonly string[] = ['u', 'e'];
const isDeliberate = pressGate(250);

/** Binds the keys while the screen is shown. */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  useScreenKeys(handlers, ({ key, timeStamp }) => !DECIDE_AT_ONCE.includes(key) || isDeliberate(timeStamp));
}
