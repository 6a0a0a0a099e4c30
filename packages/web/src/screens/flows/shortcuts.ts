import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** What the keys do on the screens that list flows and executions. */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous line', hint: 'Move' },
  { keys: ['↵'], does: 'Open it', hint: 'Open' },
];

/** The screens' part of the sheet of shortcuts. */
export const SHORTCUT_SECTION: ShortcutSection = { title: 'Flows', shortcuts: SHORTCUTS };
