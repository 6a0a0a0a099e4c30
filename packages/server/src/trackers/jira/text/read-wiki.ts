import type { Block, Inline } from './blocks.ts';
import { readWikiLine } from './read-wiki-line.ts';
import { ItemReader, isItem } from './read-wiki-lists.ts';

type WikiBlock = Block<string>;

/** Blocks read from a part of the text: from `start` (inclusive) to `end` (exclusive). */
export interface WikiPart {
  blocks: WikiBlock[];
  start: number;
  end: number;
}

const MACRO = /[^\S\n]*\{(code|noformat|quote|panel)(?::([^}\n]*))?\}(?!\})/y;
/**
 * Start of a macro, such as `{code}`. Within `{{…}}`, which is monospaced text, no macro starts.
 */
const MACRO_WITHIN = /(?<![\\{])\{(?:code|noformat|quote|panel)(?::[^}\n]*)?\}(?!\})/;
const HEADING = /^\s*h([1-6])\.\s+(.*)$/;
const RULE = /^\s*-{4,5}\s*$/;

/**
 * Parses wiki markup into blocks. Panels become quotes. Unknown markup stays text.
 * @see https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all
 */
export function readWikiBlocks(text: string): WikiPart[] {
  const parts: WikiPart[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = /[^\S\n]*(?:\n|\r|$)/y;
    blank.lastIndex = at;
    if (blank.test(text)) {
      at = Math.max(at + 1, blank.lastIndex);
      continue;
    }
    const part = macroAt(text, at) ?? linesAt(text, at);
    const start = at + (/^[^\S\n]*/.exec(text.slice(at, part.end))?.[0].length ?? 0);
    parts.push({ blocks: part.blocks, start, end: part.end });
    at = part.end;
  }
  return parts;
}

type Part = Omit<WikiPart, 'start'>;

function macroAt(text: string, at: number): Part | null {
  MACRO.lastIndex = at;
  const [opening, name = '', parameters = ''] = MACRO.exec(text) ?? [];
  if (opening === undefined) return null;
  const from = at + opening.length;
  const closing = closingOf(name, text, from);
  const to = closing === -1 ? text.length : closing;
  const end = closing === -1 ? text.length : closing + name.length + 2;
  const inner = text.slice(from, to);
  if (name === 'code' || name === 'noformat') {
    const language = parameters.split('|').find((parameter) => !parameter.includes('=')) ?? '';
    const lines = inner
      .replaceAll('\r\n', '\n')
      .replace(/^[^\S\n]*\n/, '')
      .replace(/\n[^\S\n]*$/, '');
    return { blocks: [{ type: 'code', language: name === 'code' ? language : '', text: lines }], end };
  }
  const title = /(?:^|\|)title=([^|]*)/.exec(parameters)?.[1] ?? '';
  const lead: WikiBlock[] =
    title === ''
      ? []
      : [{ type: 'paragraph', inlines: [{ type: 'text', text: title, marks: { strong: true } }] }];
  const blocks = [...lead, ...readWikiBlocks(inner).flatMap((part) => part.blocks)];
  return { blocks: [{ type: 'quote', blocks }], end };
}

/**
 * Returns the position of the macro's closing tag. Returns -1 if the macro is not closed. Skips
 * code within a quote or panel, because code may contain the name of the outer macro.
 */
function closingOf(name: string, text: string, from: number): number {
  const pattern = new RegExp(`(?<![\\\\{])\\{(${name}|code|noformat)(:[^}\\n]*)?\\}(?!\\})`, 'g');
  const isCode = name === 'code' || name === 'noformat';
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, found = '', parameters] = match;
    if (found === name && parameters === undefined) return match.index;
    if (isCode || found === name) continue;
    const inner = closingOf(found, text, pattern.lastIndex);
    if (inner !== -1) pattern.lastIndex = inner + found.length + 2;
  }
  return -1;
}

/** Reads the block that starts at the line at position `at`. */
function linesAt(text: string, at: number): Part {
  const first = lineAt(text, at);
  const heading = HEADING.exec(first.text);
  if (heading !== null) {
    const inlines = readWikiLine(heading[2] ?? '');
    return { blocks: [{ type: 'heading', level: Number(heading[1]), inlines }], end: first.end };
  }
  if (RULE.test(first.text)) return { blocks: [{ type: 'rule' }], end: first.end };
  const quoted = /^\s*bq\.\s+(.*)$/.exec(first.text);
  if (quoted !== null) {
    const inlines = readWikiLine(quoted[1] ?? '');
    return { blocks: [{ type: 'quote', blocks: [{ type: 'paragraph', inlines }] }], end: first.end };
  }
  if (isItem(first.text)) return listAt(text, at);
  const isRow = isTableRow(first.text);
  const lines = [first.text];
  let { end } = first;
  while (!first.isCut && end < text.length && text[end] === '\n') {
    const next = lineAt(text, end + 1);
    const goesOn = isRow && isOpenRow(lines.at(-1));
    if (!goesOn) {
      if (next.text.trim() === '' || (isRow ? !isTableRow(next.text) : beginsBlock(next.text))) break;
    }
    lines.push(next.text);
    end = next.end;
    if (next.isCut) break;
  }
  if (isRow) return { blocks: [{ type: 'table', rows: readRows(lines) }], end };
  return { blocks: [{ type: 'paragraph', inlines: readWikiLine(lines.join('\n')) }], end };
}

/**
 * Reads a list until an empty line. As in Jira, a code block or quote directly after an item
 * belongs to that item.
 */
function listAt(text: string, at: number): Part {
  const items = new ItemReader();
  let end = at;
  for (let next = at; ; next = end + 1) {
    const line = lineAt(text, next);
    const isOther = !isItem(line.text) && beginsBlock(line.text);
    if (items.count > 0 && (isOther || (line.text.trim() === '' && !line.isCut))) break;
    if (line.text.trim() !== '') items.addLine(line.text);
    end = line.end;
    if (line.isCut) {
      const macro = macroAt(text, line.end);
      if (macro === null) break;
      items.addBlocks(macro.blocks);
      const rest = lineAt(text, macro.end);
      end = macro.end;
      if (rest.text.trim() !== '' || rest.isCut) break;
      end = rest.end;
    }
    if (text[end] !== '\n') break;
  }
  return { blocks: items.lists(), end: trimmedEnd(text, at, end) };
}

function trimmedEnd(text: string, from: number, end: number): number {
  return from + text.slice(from, end).trimEnd().length;
}

/**
 * Returns the line at position `at`. If a macro starts within the line, returns only the text
 * before it.
 */
function lineAt(text: string, at: number): { text: string; end: number; isCut: boolean } {
  const newline = text.indexOf('\n', at);
  const end = newline === -1 ? text.length : newline;
  const line = text.slice(at, end);
  const macro = isTableRow(line) ? null : MACRO_WITHIN.exec(line);
  if (macro === null) return { text: line.replace(/\r$/, ''), end, isCut: false };
  return { text: line.slice(0, macro.index), end: at + macro.index, isCut: true };
}

function beginsBlock(line: string): boolean {
  return HEADING.test(line) || isItem(line) || isTableRow(line) || RULE.test(line) || /^\s*bq\.\s/.test(line);
}

function isTableRow(line: string): boolean {
  return /^\s*\|/.test(line);
}

/** True if the table row continues on the next line. Only a bar at the end of a line ends a row. */
function isOpenRow(line: string | undefined): boolean {
  return !/\|\s*$/.test(line ?? '');
}

function readRows(lines: readonly string[]): Inline<string>[][][] {
  const rows: string[] = [];
  for (const line of lines) {
    const last = rows.at(-1);
    if (last === undefined || !isOpenRow(last)) rows.push(line);
    else rows[rows.length - 1] = `${last}\n${line}`;
  }
  return rows.map((row) => cellsOf(row.trim()).map((cell) => readWikiLine(cell.trim())));
}

/** Splits a table row at its bars. Bars in links, images, macros and escapes do not split it. */
function cellsOf(row: string): string[] {
  const cells: string[] = [];
  const pattern =
    /\\[\s\S]|\[[^\]\n]*\]|(?<![\p{L}\p{N}\\])!(?:https?:|[^\s!|][^!|\n]*\.)[^!|\n]*\|[^!\n]*!|\{\{.*?\}\}|\{[^}\n]*\}|\|{1,2}|[\s\S]/gu;
  let cell: string | null = null;
  for (const [token] of row.matchAll(pattern)) {
    if (/^\|{1,2}$/.test(token)) {
      if (cell !== null) cells.push(cell);
      cell = '';
    } else {
      cell = (cell ?? '') + token;
    }
  }
  if (cell !== null && cell.trim() !== '') cells.push(cell);
  return cells;
}
