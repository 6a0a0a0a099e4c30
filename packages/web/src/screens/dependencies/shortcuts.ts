import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { pressGate } from '../../ui/keyboard/press-gate.ts';
import { useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** Keys of the dependencies screen, as in `KeyboardEvent.key`. */
export type ShortcutKey = 'j' | 'k' | 'Enter' | 's' | 'c' | 'C' | 'z' | 'g' | 'Escape';

/**
 * Shortcuts in the keyboard shortcuts dialog. Those with a `hint` also appear at the bottom of the
 * screen.
 */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous issue', hint: 'Move' },
  { keys: ['↵'], does: 'Open the issue', hint: 'Open' },
  { keys: ['s'], does: 'Expand the scan from the issue', hint: 'Expand scan' },
  { keys: ['c'], does: 'Commit the dependencies of the issue', hint: 'Commit' },
  { keys: ['Shift', 'C'], does: 'Commit all displayed dependencies', hint: 'Commit all' },
  { keys: ['z'], does: 'Undo the last decision', hint: 'Undo' },
  { keys: ['g'], does: 'Switch between list and graph', hint: 'Graph' },
];

const GRAPH_SHORTCUTS: ShortcutSection['shortcuts'] = [
  { keys: ['←', '→'], does: 'In the graph: go to a blocker, or to a blocked issue' },
  { keys: ['↑', '↓'], does: 'In the graph: the issue above or below' },
  { keys: ['+', '-', '0'], does: 'In the graph: zoom in, zoom out, show all' },
];

/** Section of the keyboard shortcuts dialog for the dependencies screen. */
export const SHORTCUT_SECTION: ShortcutSection = {
  title: 'Issue Dependencies',
  shortcuts: [...SHORTCUTS, ...GRAPH_SHORTCUTS],
};

/** A press of the scan key is ignored if it follows the previous press within this time. */
const MIN_SCAN_PRESS_INTERVAL_MS = 250;
const isDeliberate = pressGate(MIN_SCAN_PRESS_INTERVAL_MS);

/**
 * Binds the shortcuts while the dependencies screen is mounted. Ignores the scan key if pressed
 * twice in quick succession.
 */
export function useShortcuts(handlers: Record<ShortcutKey, () => void>): void {
  useScreenKeys(handlers, ({ key, timeStamp }) => key !== 's' || isDeliberate(timeStamp));
}
