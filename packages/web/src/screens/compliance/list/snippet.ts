import type { Highlight } from '@winnow/contract/search';
import { ELLIPSIS, partOf } from '../../../features/issues/text/fold.ts';
import { layoutText, type Piece } from '../../../features/issues/text/lines.ts';
import type { Passage } from '../../../features/issues/text/marks.ts';

/** Search highlights only the first 20,000 characters of a description. */
const SEARCHED_MAX_CHARS = 20_000;
/** Maximum length of a snippet. A table row shows at most about this much. */
const SNIPPET_MAX_CHARS = 120;
/** Number of characters that fit in the narrowest row. The first match must end within them. */
const VISIBLE_CHARS = 40;
/** Maximum characters of context before the first match. */
const CONTEXT_CHARS = 24;
const WORD_SEPARATOR = /[^\p{L}\p{N}]/u;
const LAST_WORD_SEPARATOR = /[^\p{L}\p{N}][\p{L}\p{N}]*$/u;

/** Returns the search matches in one text of an issue as passages to mark. */
export function matchesIn(highlights: readonly Highlight[], field: Highlight['field']): Passage[] {
  return highlights
    .filter((highlight) => highlight.field === field)
    .map(({ start, end }) => ({ start, end, number: 1 }));
}

/**
 * Returns the text around the first match in a description, cut between words and limited to its
 * line. Null if the description has no match.
 */
export function snippetOf(description: string, highlights: readonly Highlight[]): Piece[] | null {
  const matches = matchesIn(highlights, 'description');
  if (matches.length === 0) return null;
  const lines = layoutText(description.slice(0, SEARCHED_MAX_CHARS), matches);
  const line = lines.find(({ pieces }) => pieces.some(({ passage }) => passage !== null));
  return line === undefined ? null : aroundFirstMatch(line.pieces);
}

function aroundFirstMatch(pieces: readonly Piece[]): Piece[] {
  const first = pieces.findIndex(({ passage }) => passage !== null);
  const before = joinPieces(pieces.slice(0, first));
  const matchEnd = before.length + (pieces[first]?.text.length ?? 0);
  const from = matchEnd <= VISIBLE_CHARS ? 0 : snippetStart(before);
  const to = snippetEnd(joinPieces(pieces), from + SNIPPET_MAX_CHARS, matchEnd);
  const start = from > 0 ? [ELLIPSIS] : [];
  const end = to < joinPieces(pieces).length ? [ELLIPSIS] : [];
  return [...start, ...partOf(pieces, from, to), ...end];
}

/**
 * Returns the start of the first whole word in the context before a match. Cuts inside a word only
 * if none starts there.
 */
function snippetStart(before: string): number {
  const from = Math.max(0, before.length - CONTEXT_CHARS);
  if (from === 0) return 0;
  const words = before.slice(from - 1).search(WORD_SEPARATOR);
  return words === -1 ? from : from + words;
}

/**
 * Returns the end of the last word between `least` and `most`. Cuts inside a word at `most` if no
 * word ends there.
 */
function snippetEnd(text: string, most: number, least: number): number {
  if (text.length <= most) return text.length;
  const between = text.slice(0, most + 1).search(LAST_WORD_SEPARATOR);
  return between > least ? between : most;
}

function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}
