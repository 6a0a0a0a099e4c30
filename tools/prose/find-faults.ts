import { type ProsePiece, proseOfMarkdown, proseOfOther, proseOfSource } from './extract.ts';
import {
  COMMENT_OPENINGS,
  MAX_COLUMNS,
  MAX_SENTENCE_WORDS,
  MAX_SUBJECT_CHARS,
  type ProseRule,
  SENTENCE_OPENINGS,
  WORDS,
} from './rules.ts';

/** A place that breaks a rule of the writing guide. */
export interface ProseFault {
  /** Line, counted from 1. */
  readonly line: number;
  /** The words that break the rule. */
  readonly found: string;
  /** A replacement such as `"True if …"`, or a rule such as `at most 72 characters`. */
  readonly instead: string;
}

/**
 * Matches the marks of exceptions. `prose-exception: reason` exempts its line and the next line.
 * `prose-exception-file: reason` exempts the whole file.
 */
const EXCEPTION = /prose-exception(-file)?: +\w/;

/**
 * Returns the faults of a file in the order of its lines. Omits faults that an exception covers.
 * Returns none for unknown kinds of files.
 */
export function faultsOfFile(path: string, content: string): ProseFault[] {
  const marks = content.split('\n').map((line) => EXCEPTION.exec(line));
  if (marks.some((mark) => mark?.[1] !== undefined)) return [];
  const isExcused = (line: number) =>
    [marks[line - 1], marks[line - 2]].some((mark) => (mark ?? null) !== null);
  return allFaultsOf(path, content).filter(({ line }) => !isExcused(line));
}

/** Returns the number of exceptions in a file. */
export const exceptionsIn = (content: string): number =>
  content.split('\n').filter((line) => EXCEPTION.test(line)).length;

function allFaultsOf(path: string, content: string): ProseFault[] {
  if (/\.(?:m?[tj]s|tsx)$/.test(path)) {
    const pieces = proseOfSource(path, content);
    return [...pieces.flatMap(faultsOfPiece), ...longCommentLines(pieces, content)];
  }
  if (path.endsWith('.md')) return proseOfMarkdown(content).flatMap(faultsOfPiece);
  if (/\.(?:css|sh)$/.test(path)) return proseOfOther(path, content).flatMap(faultsOfPiece);
  return [];
}

/** Returns the faults in the subject line of a commit. */
export function faultsOfSubject(subject: string): ProseFault[] {
  const faults = [...SENTENCE_OPENINGS, ...WORDS].flatMap((rule) => matches(rule, subject, 1));
  if (subject.length > MAX_SUBJECT_CHARS)
    faults.push({
      line: 1,
      found: `${subject.length} characters`,
      instead: `at most ${MAX_SUBJECT_CHARS} characters`,
    });
  return faults;
}

function faultsOfPiece(piece: ProsePiece): ProseFault[] {
  const faults: ProseFault[] = [];
  sentencesOf(piece).forEach(({ text, line }, index) => {
    if (piece.kind === 'comment') {
      const openings = index === 0 ? [...SENTENCE_OPENINGS, ...COMMENT_OPENINGS] : SENTENCE_OPENINGS;
      // A sentence has only one opening, so only the first matching rule is reported.
      faults.push(...openings.flatMap((rule) => matches(rule, text, line)).slice(0, 1));
    }
    faults.push(...WORDS.flatMap((rule) => matches(rule, text, line)));
    const words = text.split(/\s+/).length;
    if (piece.kind !== 'text' && words > MAX_SENTENCE_WORDS)
      faults.push({
        line,
        found: `${words} words`,
        instead: `at most ${MAX_SENTENCE_WORDS} words a sentence`,
      });
  });
  if (piece.kind === 'markdown')
    piece.lines.forEach((line, index) => {
      if (line.length > MAX_COLUMNS && !/^\s*(?:!\[|\[[^\]]+\]:|<)/.test(line))
        faults.push(tooLong(piece.line + index, line.length));
    });
  return faults;
}

function matches({ pattern, instead }: ProseRule, text: string, line: number): ProseFault[] {
  const found = pattern.exec(text)?.[0];
  return found === undefined ? [] : [{ line, found, instead }];
}

const tooLong = (line: number, columns: number): ProseFault => ({
  line,
  found: `${columns} columns`,
  instead: `at most ${MAX_COLUMNS} columns`,
});

function longCommentLines(pieces: readonly ProsePiece[], content: string): ProseFault[] {
  const commented = new Set(
    pieces
      .filter(({ kind }) => kind === 'comment')
      .flatMap(({ line, lines }) => lines.map((_, index) => line + index)),
  );
  return content.split('\n').flatMap((text, index) => {
    const isCommentLine = commented.has(index + 1) && /^\s*(?:\/\/|\/?\*)/.test(text);
    return isCommentLine && text.length > MAX_COLUMNS ? [tooLong(index + 1, text.length)] : [];
  });
}

/**
 * Returns the sentences of a piece, with the line on which each sentence begins. Code in backticks
 * counts as one word.
 */
function sentencesOf({ lines, line, kind }: ProsePiece): { text: string; line: number }[] {
  const sentences: { text: string; line: number }[] = [];
  let text = '';
  let start = line;
  const end = () => {
    if (text.trim() !== '') sentences.push({ text: text.trim(), line: start });
    text = '';
  };
  lines.forEach((raw, index) => {
    const clean = raw
      .replace(kind === 'markdown' ? /^\s*(?:[-*+]|\d+[.)]|#+|>) / : /^\s*[-*] /, '')
      .replace(/`[^`]*`/g, 'X')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/https?:\S+/g, 'X')
      .trim();
    // An empty line, a list item or a documentation tag starts a new sentence.
    if (clean === '' || /^\s*(?:[-*] |@)/.test(raw)) end();
    for (const part of clean.split(/(?<=[.!?;:][)"”’]?)\s+/)) {
      if (text === '') start = line + index;
      text += `${text === '' ? '' : ' '}${part}`;
      if (/[.!?;:][)"”’]?$/.test(part)) end();
    }
  });
  end();
  return sentences;
}
