import { errorTextOf, isTraceLine } from '../stack-lines.ts';
import { FACTS, headingOf, topicOf } from './headings.ts';

/**
 * Type of a block. `prose` can be split into statements, and `bullets` into items. A `numbered`
 * list has an order. A `whole` block is never split: code, quotes, tables, `<details>` blocks and
 * comments.
 */
type BlockKind = 'prose' | 'bullets' | 'numbered' | 'whole';

/** A group of lines that belong together, such as a paragraph or a list. */
export interface Block {
  kind: BlockKind;
  /** Empty lines before the block, unchanged. */
  blanks: string[];
  lines: string[];
  /**
   * Line that closes a block without an end, such as a code fence. Null if the block is closed.
   * Without this line, all text after it would belong to the block.
   */
  openEnd: string | null;
}

/** A heading and the blocks under it. */
export interface Section {
  /** Topic of the section. Sections with the same topic are merged. */
  topic: string;
  /** Null for the section before the first heading. */
  heading: { words: string; block: Block } | null;
  blocks: Block[];
}

/**
 * A text split into sections. The first section has no heading. `tail` holds the empty lines at the
 * end. All lines together are the original text.
 */
export interface ParsedText {
  sections: Section[];
  tail: string[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^ {0,3}(?:[-*+•]|\d{1,9}[.)])[ \t]+\S/;
const NUMBERED_ITEM = /^ {0,3}\d{1,9}[.)][ \t]/;
/**
 * A list that starts at 1 may directly follow a line of prose. A line such as `2024. That year …`
 * is prose.
 */
const INTERRUPTS = /^ {0,3}(?:[-*+•]|1[.)])[ \t]+\S/;
const INDENTED = /^(?:\t| {2,})/;
const CODE_BY_INDENT = /^(?:\t| {4,})/;
const QUOTE_OR_ROW = /^ {0,3}[>|]/;
const UNDERLINE = /^ {0,3}(?:={2,}|-{2,})[ \t]*$/;

/** Parses a Markdown text into sections, in linear time. Accepts `\n` and `\r\n` as line ends. */
export function parseText(text: string): ParsedText {
  const lines = text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n');
  const traces = tracesOf(lines);
  const sections: Section[] = [{ topic: FACTS, heading: null, blocks: [] }];
  let blanks: string[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      blanks.push(lines[at] ?? '');
      at += 1;
      continue;
    }
    const heading = headingAt(lines, at);
    const block = heading?.block ?? blockAt(lines, at, traces[at] ?? -1);
    block.blanks = blanks;
    blanks = [];
    at += block.lines.length;
    if (heading) sections.push({ topic: topicOf(heading.words), heading, blocks: [] });
    else sections.at(-1)?.blocks.push(block);
  }
  return { sections, tail: blanks };
}

function isBlank(line: string | undefined): boolean {
  return line !== undefined && line.trim() === '';
}

function blockOf(kind: BlockKind, lines: string[], openEnd: string | null = null): Block {
  return { kind, blanks: [], lines, openEnd };
}

function headingAt(lines: readonly string[], at: number): Section['heading'] {
  const line = lines[at] ?? '';
  const next = lines[at + 1] ?? '';
  if (UNDERLINE.test(next) && !opensOther(line) && !LIST_ITEM.test(line)) {
    const words = headingOf(`# ${line.trim()}`) ?? '';
    return { words, block: blockOf('whole', [line, next]) };
  }
  const words = headingOf(line);
  return words === null ? null : { words, block: blockOf('whole', [line]) };
}

/** True if a line starts a block that is never split. */
function opensOther(line: string): boolean {
  return FENCE.test(line) || QUOTE_OR_ROW.test(line) || enclosureOf(line) !== null;
}

function enclosureOf(line: string): { opens: string; ends: string } | null {
  if (/^ {0,3}<details\b/i.test(line)) return { opens: '<details', ends: '</details>' };
  return line.includes('<!--') ? { opens: '<!--', ends: '-->' } : null;
}

function blockAt(lines: readonly string[], at: number, trace: number): Block {
  const line = lines[at] ?? '';
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return fenced(lines, at, fence);
  const enclosure = enclosureOf(line);
  if (enclosure !== null) return enclosed(lines, at, enclosure);
  if (LIST_ITEM.test(line)) return list(lines, at);
  return paragraph(lines, at, trace);
}

function fenced(lines: readonly string[], at: number, fence: string): Block {
  for (let end = at + 1; end < lines.length; end += 1) {
    const mark = FENCE.exec(lines[end] ?? '')?.[1];
    if (mark?.startsWith(fence) && lines[end]?.trim() === mark) {
      return blockOf('whole', lines.slice(at, end + 1));
    }
  }
  return leftOpen(lines, at, fence);
}

function enclosed(
  lines: readonly string[],
  at: number,
  { opens, ends }: { opens: string; ends: string },
): Block {
  let depth = 0;
  for (let end = at; end < lines.length; end += 1) {
    const line = (lines[end] ?? '').toLowerCase();
    depth =
      opens === '<!--' ? afterComments(line, depth) : depth + countOf(line, opens) - countOf(line, ends);
    if (depth <= 0) return blockOf('whole', lines.slice(at, end + 1));
  }
  return leftOpen(lines, at, ends);
}

/** Returns 1 if an HTML comment is open at the end of a line, else 0. Comments cannot be nested. */
function afterComments(line: string, open: number): number {
  const [opened, closed] = [line.lastIndexOf('<!--'), line.lastIndexOf('-->')];
  if (opened < 0 && closed < 0) return open;
  return opened > closed ? 1 : 0;
}

function countOf(line: string, mark: string): number {
  return line.split(mark).length - 1;
}

/** Extends a block without an end to the end of the text, as Markdown renderers do. */
function leftOpen(lines: readonly string[], at: number, end: string): Block {
  let last = lines.length;
  while (isBlank(lines[last - 1])) last -= 1;
  return blockOf('whole', lines.slice(at, last), end);
}

/**
 * Parses a list: its items, and all lines indented under them. A single empty line between items
 * does not end the list.
 */
function list(lines: readonly string[], at: number): Block {
  const isNumbered = NUMBERED_ITEM.test(lines[at] ?? '');
  const belongs = (line: string | undefined): boolean =>
    line !== undefined &&
    (INDENTED.test(line) || (LIST_ITEM.test(line) && NUMBERED_ITEM.test(line) === isNumbered));
  let end = at + 1;
  let openFence: string | null = null;
  while (end < lines.length) {
    const line = lines[end] ?? '';
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (openFence !== null) {
      if (mark?.startsWith(openFence)) openFence = null;
    } else if (isBlank(line)) {
      if (!belongs(lines[end + 1])) break;
    } else if (INDENTED.test(line)) {
      openFence = mark ?? null;
    } else if (headingOf(line) !== null || opensOther(line)) {
      break;
    } else if (LIST_ITEM.test(line) && NUMBERED_ITEM.test(line) !== isNumbered) {
      break;
    }
    end += 1;
  }
  if (openFence !== null) return { ...leftOpen(lines, at, openFence), kind: 'whole' };
  return blockOf(isNumbered ? 'numbered' : 'bullets', lines.slice(at, end));
}

function paragraph(lines: readonly string[], at: number, trace: number): Block {
  const first = lines[at] ?? '';
  const isWhole = QUOTE_OR_ROW.test(first) || CODE_BY_INDENT.test(first);
  let end = at + 1;
  while (end < lines.length) {
    const line = lines[end] ?? '';
    if (isBlank(line)) break;
    if (trace < 0 || end <= trace) {
      if (end === trace || headingOf(line) !== null || INTERRUPTS.test(line)) break;
      if (FENCE.test(line) || enclosureOf(line) !== null) break;
      if (QUOTE_OR_ROW.test(line) !== QUOTE_OR_ROW.test(first)) break;
    }
    end += 1;
  }
  return blockOf(isWhole || trace === at ? 'whole' : 'prose', lines.slice(at, end));
}

/**
 * Returns, for each line, the line number at which the next error with a stack trace starts.
 * Returns -1 if there is none before the next empty line or code fence.
 */
function tracesOf(lines: readonly string[]): Int32Array {
  const traces = new Int32Array(lines.length).fill(-1);
  let [trace, error] = [-1, -1];
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    if (isBlank(line) || FENCE.test(line)) {
      [trace, error] = [-1, -1];
      continue;
    }
    if (isTraceLine(line)) [trace, error] = [at, -1];
    else if (trace >= 0 && errorTextOf(line) !== null) error = at;
    traces[at] = error >= 0 ? error : trace;
  }
  return traces;
}
