import type { Piece, TextLine } from './lines.ts';

/** Maximum lines and characters displayed from the beginning of a folded text. */
const LEAD_LINES = 8;
const LEAD_CHARACTERS = 420;
/** Maximum lines with shared passages displayed after the beginning. */
const MARKED_LINES = 12;
/**
 * Maximum characters of a line before it is truncated, and characters shown before its first
 * passage.
 */
const LINE_LIMITS = { characters: 320, before: 80 };
/** A text up to this size is displayed whole, since folding would hide little. */
const WHOLE_LINES = 14;
const WHOLE_CHARACTERS = 700;

/** A row of a folded text: a line, or the number of lines hidden. */
export type FoldedRow = { kind: 'line'; line: TextLine } | { kind: 'gap'; lines: number };
export type Folded = { rows: FoldedRow[]; folded: boolean };

function lengthOf(line: TextLine): number {
  return line.pieces.reduce((sum, piece) => sum + piece.text.length, 0);
}

function isMarked(line: TextLine): boolean {
  return line.pieces.some((piece) => piece.passage !== null);
}

/** Returns the pieces between two character offsets of a line. */
export function partOf(pieces: readonly Piece[], from: number, to: number): Piece[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    const start = at;
    at += piece.text.length;
    const text = piece.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    return text === '' ? [] : [{ ...piece, text, endsPassage: piece.endsPassage && at <= to }];
  });
}

/** Marks a part of a line that is left out. */
export const ELLIPSIS: Piece = { text: ' … ', passage: null, endsPassage: false, style: 'plain', href: null };

/** Truncates a line to `characters`, keeping `before` characters ahead of its first passage. */
function aroundPassage(
  line: TextLine,
  { characters, before }: { characters: number; before: number },
): TextLine {
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

/** Selects the lines that a folded text keeps: the beginning, and lines with shared passages. */
function keptLines(lines: readonly TextLine[]): boolean[] {
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
 * Folds a text to its beginning and the lines with shared passages. Gaps count the hidden lines.
 * Short texts are returned whole, with `folded` false. `keptBy`, the same lines with other marks,
 * can select the lines, so that changing marks does not move lines.
 */
export function foldLines(lines: readonly TextLine[], keptBy = lines): Folded {
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
    const short = aroundPassage(line, LINE_LIMITS);
    folded ||= short !== line;
    rows.push({ kind: 'line', line: short });
  }
  folded ||= missing > 0;
  closeGap();
  return { rows, folded };
}
