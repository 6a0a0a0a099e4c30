import { diffArrays } from 'diff';
import { countText } from './count-text.ts';

/** A run of text that stays, comes or goes. */
export type DiffPiece = { kind: 'same' | 'added' | 'removed'; text: string };
/** A line as it is shown: what went and what came stand in the place where they differ. */
export type DiffLine = { pieces: DiffPiece[]; changed: boolean };
export type WordDiffResult = {
  lines: DiffLine[];
  /** How many words come and go. */
  added: number;
  removed: number;
};
/** What is shown of a diff: a line, or lines that stay as they are, folded. */
export type DiffRow = { kind: 'line'; line: DiffLine } | { kind: 'fold'; lines: DiffLine[] };

/** How long two texts are compared; after that, what is left is shown as replaced. */
const TIME_LIMIT_MS = 200;
/** Lines without changes that are kept around those with changes, and how many more make a fold worth it. */
const CONTEXT_LINES = 2;
const SHORTEST_FOLD = 4;
/** With less in common than this share of the shorter text, both are read more easily one after the other. */
const LEAST_IN_COMMON = 0.3;
/** A kept run with fewer letters than this between two changes is noise. */
const FEWEST_LETTERS = 3;

/** A word or sign with the blanks behind it; the blanks do not count when two are compared. */
type Token = { text: string; key: string };
const TOKEN = /[\p{L}\p{N}\p{M}_]+[^\S\n]*|[^\S\n]+|\n|[^\p{L}\p{N}\p{M}_\s][^\S\n]*/gu;
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*/gu;
/** Shows a line break that comes or goes by itself. */
const BREAK = '↵';

function tokensOf(text: string): Token[] {
  return (text.match(TOKEN) ?? []).map((token) => ({ text: token, key: token.trimEnd() || token }));
}

function countIn(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

/** What two lists share and what not, in order; null when it would take longer than the time that is left. */
function compare<T>(before: T[], after: T[], same: (one: T, other: T) => boolean, deadline: number) {
  return diffArrays(before, after, { comparator: same, timeout: deadline - performance.now() }) ?? null;
}

function lettersOf(pieces: readonly DiffPiece[], kind: DiffPiece['kind']): number {
  return pieces.reduce(
    (sum, piece) => sum + (piece.kind === kind ? countIn(piece.text, /[\p{L}\p{N}]/gu) : 0),
    0,
  );
}

/** Drops kept runs of hardly a word between two changes: they make a rewritten sentence hard to read. */
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
    const thin = !piece.text.includes('\n') && countIn(piece.text, /[\p{L}\p{N}]/gu) < FEWEST_LETTERS;
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

/** What differs between two runs of whole lines, word by word. */
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
  const kept = lettersOf(pieces, 'same');
  const shorter = kept + Math.min(lettersOf(pieces, 'added'), lettersOf(pieces, 'removed'));
  return kept < shorter * LEAST_IN_COMMON ? replaced : withoutNoise(pieces);
}

/** Cuts pieces at their line breaks. */
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
      const shown = part === '' && breaks && kind !== 'same' ? BREAK : part;
      if (shown !== '') line.push({ kind, text: shown });
      if (breaks) close();
    }
  }
  if (line.length > 0) close();
  return lines;
}

/** One way to write line breaks, as trackers differ in it. */
function linesIn(text: string): string[] {
  return text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n');
}

/** The lines that both lists begin or end with, for texts that are too different to be compared in time. */
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
      // An empty line belongs to no paragraph, so it keeps none apart from what replaces it.
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
 * What differs between two texts, word by word within the lines that differ. Together, what stays and what is added is the
 * text after. Blanks behind a word and the way line breaks are written do not count as differences. When the two are too different
 * to be compared in `timeLimitMs`, the rest is answered as replaced.
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

/** A diff with the long stretches folded that stay as they are. */
export function foldUnchanged(lines: readonly DiffLine[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let start = 0;
  while (start < lines.length) {
    let end = start;
    while (end < lines.length && lines[end]?.changed === false) end += 1;
    const from = start === 0 ? 0 : start + CONTEXT_LINES;
    const to = end === lines.length ? end : end - CONTEXT_LINES;
    const folds = to - from >= SHORTEST_FOLD;
    for (let at = start; at < Math.max(end, start + 1); at += 1) {
      const line = lines[at];
      if (folds && at === from) rows.push({ kind: 'fold', lines: lines.slice(from, to) });
      if (line !== undefined && !(folds && at >= from && at < to)) rows.push({ kind: 'line', line });
    }
    start = Math.max(end, start + 1);
  }
  return rows;
}

/** How many words come and go, as `+14 −1 words`. */
export function wordCountsText({ added, removed }: Pick<WordDiffResult, 'added' | 'removed'>): string {
  const counts = [
    ...(added > 0 ? [`+${countText(added)}`] : []),
    ...(removed > 0 ? [`−${countText(removed)}`] : []),
  ];
  return `${counts.join(' ')} ${added + removed === 1 ? 'word' : 'words'}`;
}
