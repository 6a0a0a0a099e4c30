import { countText } from '../../../ui/texts/count-text.ts';
import type { BulkKind } from './use-bulk.ts';

/** Formats a number of pairs, such as `1 pair` or `3 pairs`. */
export function pairsCount(count: number): string {
  return `${countText(count)} ${count === 1 ? 'pair' : 'pairs'}`;
}

/** Returns the label of the confirmation button, with the exact number of issues or pairs. */
export function confirmText(kind: BulkKind, count: number): string {
  switch (kind) {
    case 'close':
      return `Close ${countText(count)} ${count === 1 ? 'issue' : 'issues'}`;
    case 'unrelated':
      return `Mark ${pairsCount(count)}`;
    case 'dismiss':
      return `Dismiss ${pairsCount(count)}`;
  }
}

/** Returns the title of the dialog. */
export function titleText(kind: BulkKind, count: number): string {
  switch (kind) {
    case 'close':
      return `Close as Duplicate: ${pairsCount(count)}`;
    case 'unrelated':
      return `Mark as Unrelated: ${pairsCount(count)}`;
    case 'dismiss':
      return `Dismiss: ${pairsCount(count)}`;
  }
}

/** Describes in a sentence what the action does. */
export function introText(kind: BulkKind): string {
  switch (kind) {
    case 'close':
      return 'In each pair, the newer issue is closed as a duplicate of the older one. If only the older one is open, that one is closed.';
    case 'unrelated':
      return 'Stored in Winnow only. Nothing is written to a tracker.';
    case 'dismiss':
      return 'The pairs are hidden from the list without a decision. Nothing is written to a tracker.';
  }
}

/** Describes the result of the action, such as `Closed 2 of 3 issues as duplicates.` */
export function doneText(kind: BulkKind, done: number, asked: number): string {
  const counted = (one: string, many: string) =>
    `${done === asked ? '' : `${countText(done)} of `}${countText(asked)} ${asked === 1 ? one : many}`;
  switch (kind) {
    case 'close':
      return `Closed ${counted('issue as a duplicate', 'issues as duplicates')}.`;
    case 'unrelated':
      return `Marked ${counted('pair', 'pairs')} as unrelated.`;
    case 'dismiss':
      return `Dismissed ${counted('pair', 'pairs')}.`;
  }
}
