import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { pressGate } from '../../ui/keyboard/press-gate.ts';
import { useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** Keys of the changes screen, as in `KeyboardEvent.key`. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 'a' | 'r' | 'z' | 'Escape';

/**
 * Shortcuts in the keyboard shortcuts dialog. Those with a hint also appear at the bottom of the
 * screen.
 */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous change', hint: 'Move' },
  { keys: ['↵'], does: 'Open the change', hint: 'Open' },
  { keys: ['a'], does: 'Approve the open proposal', hint: 'Approve' },
  { keys: ['r'], does: 'Reject the open proposal', hint: 'Reject' },
  { keys: ['z'], does: 'Undo the open change, or your last decision', hint: 'Undo' },
];

/** Section of the keyboard shortcuts dialog for the changes screen. */
export const SHORTCUT_SECTION: ShortcutSection = { title: 'Changes', shortcuts: SHORTCUTS };

const DECISION_KEYS: readonly string[] = ['a', 'r', 'z'];
const isDeliberate = pressGate(250);

/**
 * Binds the shortcuts while the changes screen is mounted. Ignores a key that decides on a change
 * if pressed twice in quick succession.
 */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  useScreenKeys(handlers, ({ key, timeStamp }) => !DECISION_KEYS.includes(key) || isDeliberate(timeStamp));
}
