import type { Piece, TextLine } from './lines.ts';

/** Maximum lines and characters displayed from the beginning of a folded text. */
const LEAD_LINES = 8;
const LEAD_CHARACTERS = 420;
/** Maximum number of lines with shared passages that are displayed after the beginning. */
const MARKED_LINES = 12;
/**
 * Maximum characters displayed of a long line, and characters displayed before its first shared
 * passage.
 */
const LINE_LIMITS = { characters: 320, before: 80 };
/** Texts of at most this size are displayed in full, since folding would hide little. */
const WHOLE_LINES = 14;
const WHOLE_CHARACTERS = 700;

/** Row of a folded text: a line, or the number of hidden lines. */
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

/** Piece displayed in place of truncated text. */
export const ELLIPSIS: Piece = { text: ' … ', passage: null, endsPassage: false, style: 'plain', href: null };

/**
 * Truncates a line to `characters`. Keeps `before` characters of the text before the first shared
 * passage.
 */
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

/**
 * Returns true for each line that a folded text displays: the beginning, and a limited number of
 * lines with shared passages.
 */
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
 * Folds a long text to its beginning and to lines with shared passages. Counts the hidden lines of
 * each gap. Returns a short text in full, with `folded` false. By default, the passages in `lines`
 * select the displayed lines. Pass `keptBy`, the same lines with all passages, if `lines` marks
 * only some passages.
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
