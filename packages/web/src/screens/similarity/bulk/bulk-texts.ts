import { countText } from '../../../ui/texts/count-text.ts';
import type { BulkKind } from './use-bulk.ts';

/** `1 pair`, `3 pairs`. */
export function pairsCount(count: number): string {
  return `${countText(count)} ${count === 1 ? 'pair' : 'pairs'}`;
}

/** What the button does, with the exact count. */
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

/** How the dialog is called. */
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

/** What will happen, in a sentence. */
export function introText(kind: BulkKind): string {
  switch (kind) {
    case 'close':
      return 'Of each pair one issue is closed as a duplicate of the other: the newer one, unless only the older one is open.';
    case 'unrelated':
      return 'This is kept in Winnow only. Nothing is written to a tracker.';
    case 'dismiss':
      return 'The pairs leave the list, and nothing is decided about them. Nothing is written to a tracker.';
  }
}

/** What came of it: `Closed 2 of 3 issues as duplicates.` */
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
