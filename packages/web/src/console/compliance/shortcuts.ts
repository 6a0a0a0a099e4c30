import type { HintedShortcut } from '../../app/shell/key-hints.tsx';
import { useScreenKeys } from '../../app/shell/screen-keys.ts';
import type { ShortcutSection } from '../../app/shell/shortcuts.ts';

/** The keys of this screen, as `KeyboardEvent.key` gives them. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 'i' | 'z' | '/' | 'Escape';

/** What the keys do: in the sheet of shortcuts, and (with a word) in the line at the bottom. */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous issue', hint: 'Move' },
  { keys: ['↵'], does: 'Open the issue, then improve it', hint: 'Open' },
  { keys: ['i'], does: 'Improve the issue', hint: 'Improve' },
  { keys: ['z'], does: 'Undo the last decision', hint: 'Undo' },
  { keys: ['/'], does: 'Search', hint: 'Search' },
];

/** The screen's part of the sheet of shortcuts. */
export const SHORTCUT_SECTION: ShortcutSection = { title: 'Issue Compliance', shortcuts: SHORTCUTS };

/** Binds the keys while the screen is shown. */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  useScreenKeys(handlers);
}
