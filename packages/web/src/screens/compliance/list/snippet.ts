import type { Highlight } from '@winnow/contract/search';
import { ELLIPSIS, partOf } from '../../../features/issues/text/fold.ts';
import { layoutText, type Piece } from '../../../features/issues/text/lines.ts';
import type { Passage } from '../../../features/issues/text/marks.ts';

/** A search marks nothing behind that. */
const CHARACTERS_SEARCHED = 20_000;
/** As much as there may be room for in a row. */
const CHARACTERS = 120;
/**
 * There is room for so many everywhere: the first word that was found is among them, with others
 * before it.
 */
const SEEN = 40;
const BEFORE = 24;
const BETWEEN_WORDS = /[^\p{L}\p{N}]/u;
const LAST_BETWEEN_WORDS = /[^\p{L}\p{N}][\p{L}\p{N}]*$/u;

/** What a search found in one of an issue's texts, to mark it. */
export function foundIn(highlights: readonly Highlight[], field: Highlight['field']): Passage[] {
  return highlights
    .filter((highlight) => highlight.field === field)
    .map(({ start, end }) => ({ start, end, number: 1 }));
}

/**
 * Of the line of a description that has the first of the words a search found, what stands about
 * that word, from word to word; null when the description has none of them.
 */
export function snippetOf(description: string, highlights: readonly Highlight[]): Piece[] | null {
  const found = foundIn(highlights, 'description');
  if (found.length === 0) return null;
  const lines = layoutText(description.slice(0, CHARACTERS_SEARCHED), found);
  const line = lines.find(({ pieces }) => pieces.some(({ passage }) => passage !== null));
  return line === undefined ? null : aboutFirst(line.pieces);
}

function aboutFirst(pieces: readonly Piece[]): Piece[] {
  const first = pieces.findIndex(({ passage }) => passage !== null);
  const before = textOf(pieces.slice(0, first));
  const seen = before.length + (pieces[first]?.text.length ?? 0);
  const from = seen <= SEEN ? 0 : beginning(before);
  const to = ending(textOf(pieces), from + CHARACTERS, seen);
  const start = from > 0 ? [ELLIPSIS] : [];
  const end = to < textOf(pieces).length ? [ELLIPSIS] : [];
  return [...start, ...partOf(pieces, from, to), ...end];
}

/**
 * Where the first word begins of the last that stand before a word; inside of it only where no word
 * ends among them.
 */
function beginning(before: string): number {
  const from = Math.max(0, before.length - BEFORE);
  if (from === 0) return 0;
  const words = before.slice(from - 1).search(BETWEEN_WORDS);
  return words === -1 ? from : from + words;
}

/** Behind the last word that ends by then and after `least`; inside of a word where none does. */
function ending(text: string, most: number, least: number): number {
  if (text.length <= most) return text.length;
  const between = text.slice(0, most + 1).search(LAST_BETWEEN_WORDS);
  return between > least ? between : most;
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}
