import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { pressGate } from '../../ui/keyboard/press-gate.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';

/** Keys that act on the displayed cluster, both in the list and in a review. */
export type ClusterKey = 'r' | 'c' | 'x' | 'i' | 'm' | 's' | 'd' | 'e' | 'z';

/** Shortcuts that act on the displayed cluster. */
const OF_CLUSTER: readonly HintedShortcut[] = [
  { keys: ['r'], does: 'Resolve: close the other issues as duplicates', hint: 'Resolve' },
  { keys: ['c'], does: 'Make the current issue the canonical one', hint: 'Canonical' },
  { keys: ['x'], does: 'Exclude the current issue', hint: 'Exclude' },
  { keys: ['i'], does: 'Include another issue', hint: 'Include' },
  { keys: ['m'], does: 'Merge with another cluster', hint: 'Merge' },
  { keys: ['s'], does: 'Split at the weakest link', hint: 'Split' },
  { keys: ['d'], does: 'Mark as decided', hint: 'Decided' },
  { keys: ['e'], does: 'Dismiss the cluster, or open it again', hint: 'Dismiss' },
  { keys: ['z'], does: 'Undo the last change', hint: 'Undo' },
];

/**
 * Shortcuts of the cluster list. They appear in the shortcuts dialog; those with a hint also appear
 * at the bottom.
 */
export const LIST_SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous cluster', hint: 'Move' },
  { keys: ['↵'], does: 'Open the cluster', hint: 'Open' },
  { keys: ['n', 'p'], does: 'Next or previous issue of the open cluster', hint: 'Issue' },
  ...OF_CLUSTER,
  { keys: ['a'], does: 'Resolve several clusters', hint: 'Resolve several' },
  { keys: ['b'], does: 'Review the backlog', hint: 'Review' },
];
export const LIST_SECTION: ShortcutSection = { title: 'Issue Clusters', shortcuts: LIST_SHORTCUTS };

/**
 * Shortcuts of a review. They appear in the shortcuts dialog; those with a hint also appear at the
 * bottom.
 */
export const REVIEW_SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous issue', hint: 'Issue' },
  ...OF_CLUSTER,
  { keys: ['l'], does: 'Skip the cluster for this review', hint: 'Later' },
];
export const REVIEW_SECTION: ShortcutSection = { title: 'Backlog review', shortcuts: REVIEW_SHORTCUTS };

/**
 * Keys that change a cluster without confirmation. A second press within 250 ms is ignored, since
 * the user cannot have read the next cluster.
 */
const IMMEDIATE_KEYS: readonly string[] = ['c', 'x', 's', 'd', 'e', 'l'];
const isDeliberate = pressGate(250);

/**
 * False if a key of `IMMEDIATE_KEYS` is pressed again within 250 ms. True for any other key press.
 */
export function mayActOn({ key, timeStamp }: KeyboardEvent): boolean {
  return !IMMEDIATE_KEYS.includes(key) || isDeliberate(timeStamp);
}
