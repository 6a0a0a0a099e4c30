import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** Shortcuts of the flows screen and the executions screen. */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous row', hint: 'Move' },
  { keys: ['↵'], does: 'Open it', hint: 'Open' },
];

/** Section of the keyboard shortcuts dialog for the flows screens. */
export const SHORTCUT_SECTION: ShortcutSection = { title: 'Flows', shortcuts: SHORTCUTS };
