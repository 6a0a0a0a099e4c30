import { diffArrays } from 'diff';
import { countText } from './count-text.ts';

/** A run of unchanged, added or removed text. */
export type DiffPiece = { kind: 'same' | 'added' | 'removed'; text: string };
/** A line of the diff. A line with a change contains the removed and the added pieces. */
export type DiffLine = { pieces: DiffPiece[]; changed: boolean };
export type WordDiffResult = {
  lines: DiffLine[];
  /** Number of added words. */
  added: number;
  /** Number of removed words. */
  removed: number;
};
/** A row of the displayed diff: one line, or a fold that hides unchanged lines. */
export type DiffRow = { kind: 'line'; line: DiffLine } | { kind: 'fold'; lines: DiffLine[] };

/** Time limit for comparing two texts. The part not compared by then is shown as replaced. */
const TIME_LIMIT_MS = 200;
/** Number of unchanged lines shown before and after a change. */
const CONTEXT_LINES = 2;
/** Minimum number of consecutive unchanged lines that are folded. */
const MIN_FOLD_LINES = 4;
/**
 * Minimum share of common letters, relative to the shorter text. With a lower share, the texts are
 * shown one after the other.
 */
const MIN_COMMON_LETTER_SHARE = 0.3;
/**
 * Minimum letters of unchanged text between two changes. A shorter unchanged text is shown as
 * changed.
 */
const MIN_COMMON_LETTERS = 3;

/** A word or sign with the spaces after it. Comparisons use `key`, which omits the spaces. */
type Token = { text: string; key: string };
const WORD_OR_SIGN = /[\p{L}\p{N}\p{M}_]+[^\S\n]*|[^\S\n]+|\n|[^\p{L}\p{N}\p{M}_\s][^\S\n]*/gu;
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*/gu;
/** Symbol for an added or removed line break. */
const LINE_BREAK_SIGN = '↵';

function tokensOf(text: string): Token[] {
  return (text.match(WORD_OR_SIGN) ?? []).map((token) => ({ text: token, key: token.trimEnd() || token }));
}

function countIn(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/**
 * Compares two lists. Returns their common and different runs, in order. Returns null if the time
 * limit is exceeded.
 */
function compare<T>(before: T[], after: T[], same: (one: T, other: T) => boolean, deadline: number) {
  return diffArrays(before, after, { comparator: same, timeout: deadline - performance.now() }) ?? null;
}

function lettersOf(pieces: readonly DiffPiece[], kind: DiffPiece['kind']): number {
  return pieces.reduce(
    (sum, piece) => sum + (piece.kind === kind ? countIn(piece.text, /[\p{L}\p{N}]/gu) : 0),
    0,
  );
}

/**
 * Merges very short unchanged texts into the changes around them. The diff is then easier to read.
 */
function withoutNoise(pieces: readonly DiffPiece[]): DiffPiece[] {
  const tidy: DiffPiece[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed !== '') tidy.push({ kind: 'removed', text: removed });
    if (added !== '') tidy.push({ kind: 'added', text: added });
    removed = '';
    added = '';
  };
  for (const [index, piece] of pieces.entries()) {
    const between = removed !== '' && added !== '' && index < pieces.length - 1;
    const thin = !piece.text.includes('\n') && countIn(piece.text, /[\p{L}\p{N}]/gu) < MIN_COMMON_LETTERS;
    if (piece.kind === 'same' && !(between && thin)) {
      flush();
      tidy.push(piece);
      continue;
    }
    if (piece.kind !== 'added') removed += piece.text;
    if (piece.kind !== 'removed') added += piece.text;
  }
  flush();
  return tidy;
}

/** Compares two runs of lines word by word. */
function changedRun(before: string, after: string, deadline: number): DiffPiece[] {
  const replaced: DiffPiece[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  if (before === '' || after === '') return replaced.filter(({ text }) => text !== '');
  const parts = compare(tokensOf(before), tokensOf(after), (one, other) => one.key === other.key, deadline);
  if (parts === null) return replaced;
  const pieces = parts.map(
    ({ added, removed, value }): DiffPiece => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value.map(({ text }) => text).join(''),
    }),
  );
  const common = lettersOf(pieces, 'same');
  const shorter = common + Math.min(lettersOf(pieces, 'added'), lettersOf(pieces, 'removed'));
  return common < shorter * MIN_COMMON_LETTER_SHARE ? replaced : withoutNoise(pieces);
}

/** Splits pieces at line breaks. */
function linesOf(pieces: readonly DiffPiece[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let line: DiffPiece[] = [];
  const close = () => {
    lines.push({ pieces: line, changed: line.some(({ kind }) => kind !== 'same') });
    line = [];
  };
  for (const { kind, text } of pieces) {
    const parts = text.split('\n');
    for (const [index, part] of parts.entries()) {
      const breaks = index < parts.length - 1;
      const shown = part === '' && breaks && kind !== 'same' ? LINE_BREAK_SIGN : part;
      if (shown !== '') line.push({ kind, text: shown });
      if (breaks) close();
    }
  }
  if (line.length > 0) close();
  return lines;
}

/** Splits a text into lines. Trackers use different line breaks, so any kind is accepted. */
function linesIn(text: string): string[] {
  return text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n');
}

/**
 * Counts the common lines at the start and at the end of two texts. Used if a full comparison
 * exceeds the time limit.
 */
function commonEnds(before: readonly string[], after: readonly string[]): { head: number; tail: number } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { head, tail };
}

type Run = { same: string[] } | { before: string[]; after: string[] };

function runsOf(before: string[], after: string[], deadline: number): Run[] {
  const parts = compare(before, after, (one, other) => one === other, deadline);
  if (parts === null) {
    const { head, tail } = commonEnds(before, after);
    return [
      { same: after.slice(0, head) },
      { before: before.slice(head, before.length - tail), after: after.slice(head, after.length - tail) },
      { same: after.slice(after.length - tail) },
    ];
  }
  const runs: Run[] = [];
  for (const [index, { added, removed, value }] of parts.entries()) {
    const last = runs.at(-1);
    const isBetween = last !== undefined && 'before' in last && index < parts.length - 1;
    if (added || removed) {
      if (last && 'before' in last) last[added ? 'after' : 'before'].push(...value);
      else runs.push({ before: added ? [] : value.slice(), after: added ? value.slice() : [] });
    } else if (isBetween && isBlank(value)) {
      // Merges two changes that are separated only by an empty line.
      last.before.push(...value);
      last.after.push(...value);
    } else {
      runs.push({ same: value });
    }
  }
  return runs;
}

function isBlank(lines: readonly string[]): boolean {
  return lines.every((line) => line.trim() === '');
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Compares two texts, word by word within changed lines. Ignores trailing spaces and the kind of
 * line breaks.
 * Unchanged and added pieces together form the text `after`. If the comparison exceeds
 * `timeLimitMs`, the part not compared is returned as replaced.
 */
export function diffWords(before: string, after: string, timeLimitMs = TIME_LIMIT_MS): WordDiffResult {
  const deadline = performance.now() + timeLimitMs;
  const pieces = runsOf(linesIn(before), linesIn(after), deadline).flatMap((run): DiffPiece[] =>
    'same' in run
      ? [{ kind: 'same', text: joined(run.same) }]
      : changedRun(joined(run.before), joined(run.after), deadline),
  );
  const words = (kind: DiffPiece['kind']) =>
    pieces.reduce((sum, piece) => sum + (piece.kind === kind ? countIn(piece.text, WORD) : 0), 0);
  return { lines: linesOf(pieces), added: words('added'), removed: words('removed') };
}

/** Folds long sequences of unchanged lines. */
export function foldUnchanged(lines: readonly DiffLine[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let start = 0;
  while (start < lines.length) {
    let end = start;
    while (end < lines.length && lines[end]?.changed === false) end += 1;
    const from = start === 0 ? 0 : start + CONTEXT_LINES;
    const to = end === lines.length ? end : end - CONTEXT_LINES;
    const folds = to - from >= MIN_FOLD_LINES;
    for (let at = start; at < Math.max(end, start + 1); at += 1) {
      const line = lines[at];
      if (folds && at === from) rows.push({ kind: 'fold', lines: lines.slice(from, to) });
      if (line !== undefined && !(folds && at >= from && at < to)) rows.push({ kind: 'line', line });
    }
    start = Math.max(end, start + 1);
  }
  return rows;
}

/** Formats the numbers of added and removed words, such as `+14 −1 words`. */
export function wordCountsText({ added, removed }: Pick<WordDiffResult, 'added' | 'removed'>): string {
  const counts = [
    ...(added > 0 ? [`+${countText(added)}`] : []),
    ...(removed > 0 ? [`−${countText(removed)}`] : []),
  ];
  return `${counts.join(' ')} ${added + removed === 1 ? 'word' : 'words'}`;
}
