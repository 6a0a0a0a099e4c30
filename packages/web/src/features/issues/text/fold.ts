import type { Line, Piece } from './lines.ts';

/** Lines and characters shown of the beginning of a folded text. */
const LEAD_LINES = 8;
const LEAD_CHARACTERS = 420;
/** Lines with shared passages shown after that. */
const MARKED_LINES = 12;
/** A longer line is cut, around its first passage. */
const LINE = { characters: 320, before: 80 };
/** A text that is hardly longer than its fold is not folded. */
const WHOLE_LINES = 14;
const WHOLE_CHARACTERS = 700;

/** What a folded text shows: a line, or how many lines were left out here. */
export type FoldedRow = { kind: 'line'; line: Line } | { kind: 'gap'; lines: number };
export type Folded = { rows: FoldedRow[]; folded: boolean };

function lengthOf(line: Line): number {
  return line.pieces.reduce((sum, piece) => sum + piece.text.length, 0);
}

function isMarked(line: Line): boolean {
  return line.pieces.some((piece) => piece.passage !== null);
}

/** The pieces between two offsets of their line. */
export function partOf(pieces: readonly Piece[], from: number, to: number): Piece[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    const start = at;
    at += piece.text.length;
    const text = piece.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    return text === '' ? [] : [{ ...piece, text, endsPassage: piece.endsPassage && at <= to }];
  });
}

/** Stands where something of a line is left out. */
export const ELLIPSIS: Piece = { text: ' … ', passage: null, endsPassage: false, style: 'plain', href: null };

/** A line of at most so many characters: a longer one is cut, and of what is kept so many stand before its first passage. */
function aroundPassage(line: Line, { characters, before }: { characters: number; before: number }): Line {
  const length = lengthOf(line);
  if (length <= characters) return line;
  let passageAt = 0;
  for (const piece of line.pieces) {
    if (piece.passage !== null) break;
    passageAt += piece.text.length;
  }
  const from = passageAt >= length ? 0 : Math.min(Math.max(0, passageAt - before), length - characters);
  const to = from + characters;
  const start = from > 0 ? [ELLIPSIS] : [];
  const end = to < length ? [ELLIPSIS] : [];
  return { ...line, pieces: [...start, ...partOf(line.pieces, from, to), ...end] };
}

/** Which lines a folded text keeps: the beginning, and those with shared passages. */
function keptLines(lines: readonly Line[]): boolean[] {
  let leadCharacters = 0;
  let marked = 0;
  return lines.map((line, index) => {
    const isLead = index < LEAD_LINES && leadCharacters < LEAD_CHARACTERS;
    leadCharacters += lengthOf(line);
    if (isLead) return true;
    if (!isMarked(line) || marked >= MARKED_LINES) return false;
    marked += 1;
    return true;
  });
}

/**
 * The short form of a text: its beginning and the lines with shared passages, with gaps that say how many lines are
 * missing. A short text comes back whole, with `folded` false. `keptBy`, the same lines with other marks, may decide which
 * lines are kept, so that none comes or goes when the marks change.
 */
export function foldLines(lines: readonly Line[], keptBy = lines): Folded {
  const characters = lines.reduce((sum, line) => sum + lengthOf(line), 0);
  if (lines.length <= WHOLE_LINES && characters <= WHOLE_CHARACTERS) {
    return { rows: lines.map((line) => ({ kind: 'line', line })), folded: false };
  }
  const kept = keptLines(keptBy);
  const rows: FoldedRow[] = [];
  let missing = 0;
  const closeGap = () => {
    if (missing > 0) rows.push({ kind: 'gap', lines: missing });
    missing = 0;
  };
  let folded = false;
  for (const [index, line] of lines.entries()) {
    if (kept[index] !== true) {
      if (line.kind !== 'blank') missing += 1;
      continue;
    }
    folded ||= missing > 0;
    closeGap();
    const short = aroundPassage(line, LINE);
    folded ||= short !== line;
    rows.push({ kind: 'line', line: short });
  }
  folded ||= missing > 0;
  closeGap();
  return { rows, folded };
}
