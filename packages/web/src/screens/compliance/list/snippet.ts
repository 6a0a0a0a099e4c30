import type { Highlight } from '@winnow/contract/search';
import { ELLIPSIS, partOf } from '../../../features/issues/text/fold.ts';
import { layoutText, type Piece } from '../../../features/issues/text/lines.ts';
import type { Passage } from '../../../features/issues/text/marks.ts';

/** The search highlights matches only in the first 20,000 characters of a description. */
const SEARCHED_MAX_CHARS = 20_000;
/** Maximum length of a snippet, which is about what fits in a table row. */
const SNIPPET_MAX_CHARS = 120;
/**
 * Number of characters that fit in the narrowest row. The first match must end within these
 * characters.
 */
const VISIBLE_CHARS = 40;
/** Maximum number of characters displayed before the first match. */
const CONTEXT_CHARS = 24;
const WORD_SEPARATOR = /[^\p{L}\p{N}]/u;
const LAST_WORD_SEPARATOR = /[^\p{L}\p{N}][\p{L}\p{N}]*$/u;

/** Returns the search matches in the title or the description of an issue. */
export function matchesIn(highlights: readonly Highlight[], field: Highlight['field']): Passage[] {
  return highlights
    .filter((highlight) => highlight.field === field)
    .map(({ start, end }) => ({ start, end, number: 1 }));
}

/**
 * Returns the text around the first search match in a description, truncated at word boundaries. It
 * does not extend beyond the line. Null if the description has no match.
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
 * Returns the offset at which a snippet starts: the first whole word in the context before the
 * match. Cuts a word only if no word starts in the context.
 */
function snippetStart(before: string): number {
  const from = Math.max(0, before.length - CONTEXT_CHARS);
  if (from === 0) return 0;
  const words = before.slice(from - 1).search(WORD_SEPARATOR);
  return words === -1 ? from : from + words;
}

/**
 * Returns the offset at which a snippet ends: the last word end between `least` and `most`. If no
 * word ends there, cuts a word at `most`.
 */
function snippetEnd(text: string, most: number, least: number): number {
  if (text.length <= most) return text.length;
  const between = text.slice(0, most + 1).search(LAST_WORD_SEPARATOR);
  return between > least ? between : most;
}

function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}
