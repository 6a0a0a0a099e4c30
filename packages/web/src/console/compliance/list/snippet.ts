import type { Highlight } from '@winnow/contract/search';
import { aroundPassage } from '../../issues/text/fold.ts';
import { layoutText, type Piece } from '../../issues/text/lines.ts';
import type { Passage } from '../../issues/text/marks.ts';

/** A search marks nothing behind that. */
const CHARACTERS_SEARCHED = 20_000;
/** As much as there may be room for in a row, and so much of it before the first word that was found. */
const CHARACTERS = 90;
const BEFORE = 24;

/** What a search found in one of an issue's texts, to mark it. */
export function foundIn(highlights: readonly Highlight[], field: Highlight['field']): Passage[] {
  return highlights
    .filter((highlight) => highlight.field === field)
    .map(({ start, end }) => ({ start, end, number: 1 }));
}

/** The line of a description that has the first of the words a search found; null when it has none of them. */
export function snippetOf(description: string, highlights: readonly Highlight[]): Piece[] | null {
  const found = foundIn(highlights, 'description');
  if (found.length === 0) return null;
  const lines = layoutText(description.slice(0, CHARACTERS_SEARCHED), found);
  const line = lines.find(({ pieces }) => pieces.some(({ passage }) => passage !== null));
  return line === undefined ? null : aroundPassage(line, { characters: CHARACTERS, before: BEFORE }).pieces;
}
