import type { PairJudgment } from '@winnow/contract/duplicate';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { HintedShortcut } from '../../ui/keyboard/key-hints.tsx';
import { pressGate } from '../../ui/keyboard/press-gate.ts';
import { useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import type { ShortcutSection } from '../../ui/keyboard/shortcuts.ts';
import type { Review } from './use-review.ts';

/** Keys of the similarity screen, as in `KeyboardEvent.key`. */
export type ShortcutKey =
  | 'j'
  | 'k'
  | 'Enter'
  | 'd'
  | 'm'
  | 'x'
  | 'u'
  | 'e'
  | '1'
  | '2'
  | '3'
  | 's'
  | 'z'
  | '/'
  | 'Escape';

/** Keys that judge a pair, in the order of the buttons. */
export const JUDGMENT_KEYS = [
  ['1', 'same'],
  ['2', 'related'],
  ['3', 'different'],
] as const satisfies readonly [ShortcutKey, PairJudgment][];

/**
 * Shortcuts in the keyboard shortcuts dialog. Those with a hint also appear at the bottom of the
 * screen.
 */
export const SHORTCUTS: readonly HintedShortcut[] = [
  { keys: ['j', 'k'], does: 'Next or previous pair', hint: 'Move' },
  { keys: ['↵'], does: 'Open the pair, then resolve it', hint: 'Open' },
  { keys: ['d'], does: 'Close as duplicate', hint: 'Close' },
  { keys: ['m'], does: 'Merge the two issues', hint: 'Merge' },
  { keys: ['x'], does: 'Deconflict the two issues', hint: 'Deconflict' },
  { keys: ['u'], does: 'Mark as unrelated', hint: 'Unrelated' },
  { keys: ['e'], does: 'Dismiss the pair or series, or restore it', hint: 'Dismiss' },
  { keys: ['1', '2', '3'], does: 'Judge the pair as same, related or different', hint: 'Judge' },
  { keys: ['s'], does: 'Select or deselect the pair', hint: 'Select' },
  { keys: ['z'], does: 'Undo the last decision', hint: 'Undo' },
  { keys: ['/'], does: 'Search', hint: 'Search' },
];

/** Section of the keyboard shortcuts dialog for the similarity screen. */
export const SHORTCUT_SECTION: ShortcutSection = { title: 'Issue Similarity', shortcuts: SHORTCUTS };

/**
 * Keys that decide without confirmation and open the next pair. A second press within 250 ms is
 * ignored, since the user cannot have read the next pair.
 */
const IMMEDIATE_KEYS: readonly string[] = ['u', 'e', '1', '2', '3'];
const isDeliberate = pressGate(250);

/**
 * Maximum time that a pressed key waits for the next pair. If the pair appears later, the user
 * probably did not mean it.
 */
const MAX_HELD_MS = 3_000;
/** Keys that decide on the current pair. */
const DECIDING_KEYS: readonly ShortcutKey[] = ['d', 'm', 'x', 'u', 'e', '1', '2', '3'];

/**
 * Binds the shortcuts while the similarity screen is mounted. A deciding key can be pressed while
 * the next pair is loading. It then applies to that pair once it is displayed.
 */
export function useShortcuts(
  handlers: Record<ShortcutKey, () => void>,
  { isTurning, currentId, shownPair }: Pick<Review, 'isTurning' | 'currentId' | 'shownPair'>,
): void {
  const held = useRef<{ key: ShortcutKey; until: number }[]>([]);
  const bound = Object.fromEntries(
    Object.entries(handlers).map(([key, run]) => [
      key,
      () => {
        const deciding = DECIDING_KEYS.find((other) => other === key);
        if (deciding !== undefined && isTurning()) {
          held.current.push({ key: deciding, until: performance.now() + MAX_HELD_MS });
          return;
        }
        held.current = [];
        run();
      },
    ]),
  ) as Record<ShortcutKey, () => void>;
  const replay = useEffectEvent(() => {
    if (isTurning()) return;
    if (currentId === null) held.current = [];
    if (shownPair() === null) return;
    const next = held.current.shift();
    if (next === undefined) return;
    if (next.until < performance.now()) held.current = [];
    else handlers[next.key]();
  });
  useEffect(() => replay());
  useScreenKeys(bound, ({ key, timeStamp }) => !IMMEDIATE_KEYS.includes(key) || isDeliberate(timeStamp));
}
