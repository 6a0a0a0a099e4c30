import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { pressGate } from '../../ui/keyboard/press-gate.ts';
import { useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** The keys of this screen, as `KeyboardEvent.key` gives them. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 's' | 'c' | 'C' | 'z' | 'g' | 'Escape';

/** What the keys do: in the sheet of shortcuts, and (with a word) in the line at the bottom. */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous issue', hint: 'Move' },
  { keys: ['↵'], does: 'Open the issue', hint: 'Open' },
  { keys: ['s'], does: 'Expand the scan from the issue', hint: 'Expand scan' },
  { keys: ['c'], does: 'Commit the dependencies of the issue', hint: 'Commit' },
  { keys: ['Shift', 'C'], does: 'Commit all that are shown', hint: 'Commit all' },
  { keys: ['z'], does: 'Undo the last decision', hint: 'Undo' },
  { keys: ['g'], does: 'Switch between list and graph', hint: 'Graph' },
];

const IN_GRAPH: ShortcutSection['shortcuts'] = [
  { keys: ['←', '→'], does: 'In the graph: to what an issue waits for, or to what waits for it' },
  { keys: ['↑', '↓'], does: 'In the graph: the issue above or below' },
  { keys: ['+', '-', '0'], does: 'In the graph: zoom in, zoom out, show all' },
];

/** The screen's part of the sheet of shortcuts. */
export const SHORTCUT_SECTION: ShortcutSection = {
  title: 'Issue Dependencies',
  shortcuts: [...SHORTCUTS, ...IN_GRAPH],
};

const isDeliberate = pressGate(250);

/** Binds the keys while the screen is shown. Of quick presses that scan, only the first counts. */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  useScreenKeys(handlers, ({ key, timeStamp }) => key !== 's' || isDeliberate(timeStamp));
}
