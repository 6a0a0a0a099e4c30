import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { pressGate } from '../../ui/keyboard/press-gate.ts';
import { useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** The keys of this screen, as `KeyboardEvent.key` gives them. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 'a' | 'r' | 'z' | 'Escape';

/** What the keys do: in the sheet of shortcuts, and (with a word) in the line at the bottom. */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous change', hint: 'Move' },
  { keys: ['↵'], does: 'Open the change', hint: 'Open' },
  { keys: ['a'], does: 'Approve the open proposal', hint: 'Approve' },
  { keys: ['r'], does: 'Reject the open proposal', hint: 'Reject' },
  { keys: ['z'], does: 'Undo the open change, or your last decision', hint: 'Undo' },
];

/** The screen's part of the sheet of shortcuts. */
export const SHORTCUT_SECTION: ShortcutSection = { title: 'Changes', shortcuts: SHORTCUTS };

const DECIDE: readonly string[] = ['a', 'r', 'z'];
const isDeliberate = pressGate(250);

/** Binds the keys while the screen is shown. Of quick presses that decide, only the first counts. */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  useScreenKeys(handlers, ({ key, timeStamp }) => !DECIDE.includes(key) || isDeliberate(timeStamp));
}
