import type { Block, Inline, ListItem } from './blocks.ts';
import { readWikiLine } from './read-wiki-line.ts';

type WikiBlock = Block<string>;

/** What a stretch of a text says, which goes from `start` to before `end`. */
export interface WikiPart {
  blocks: WikiBlock[];
  start: number;
  end: number;
}

const MACRO = /[^\S\n]*\{(code|noformat|quote|panel)(?::([^}\n]*))?\}/y;
const MACRO_WITHIN = /(?<!\\)\{(?:code|noformat|quote|panel)(?::[^}\n]*)?\}/;
const HEADING = /^\s*h([1-6])\.\s+(.*)$/;
const ITEM = /^\s*([*#]+|-+)\s+(.*)$/;

/**
 * Reads wiki markup, block by block. Panels are quotes. What is no markup we know is the text it is.
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

function closingOf(name: string, text: string, from: number): number {
  const pattern = new RegExp(`(?<!\\\\)\\{${name}\\}`, 'g');
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

/** The block that the line at `at` begins. */
function linesAt(text: string, at: number): Part {
  const first = lineAt(text, at);
  const heading = HEADING.exec(first.text);
  if (heading !== null) {
    const inlines = readWikiLine(heading[2] ?? '');
    return { blocks: [{ type: 'heading', level: Number(heading[1]), inlines }], end: first.end };
  }
  if (/^\s*-{4,5}\s*$/.test(first.text)) return { blocks: [{ type: 'rule' }], end: first.end };
  const quoted = /^\s*bq\.\s+(.*)$/.exec(first.text);
  if (quoted !== null) {
    const inlines = readWikiLine(quoted[1] ?? '');
    return { blocks: [{ type: 'quote', blocks: [{ type: 'paragraph', inlines }] }], end: first.end };
  }
  const isItem = ITEM.test(first.text);
  const isRow = /^\s*\|/.test(first.text);
  const lines = [first.text];
  let { end } = first;
  while (end < text.length && text[end] === '\n') {
    const next = lineAt(text, end + 1);
    if (next.text.trim() === '' && !isOpenRow(isRow, lines)) break;
    if (
      !isItem &&
      !isOpenRow(isRow, lines) &&
      (beginsBlock(next.text) || isRow) &&
      !(isRow && /^\s*\|/.test(next.text))
    )
      break;
    if (isItem && beginsBlock(next.text) && !ITEM.test(next.text)) break;
    if (next.isCut && next.text.trim() === '') break;
    lines.push(next.text);
    end = next.end;
    if (next.isCut) break;
  }
  if (isItem) return { blocks: readItems(lines), end };
  if (isRow) return { blocks: [{ type: 'table', rows: readRows(lines) }], end };
  return { blocks: [{ type: 'paragraph', inlines: readWikiLine(lines.join('\n')) }], end };
}

/** The line from `at` on, up to where a macro begins in its midst. */
function lineAt(text: string, at: number): { text: string; end: number; isCut: boolean } {
  const newline = text.indexOf('\n', at);
  const end = newline === -1 ? text.length : newline;
  const line = text.slice(at, end);
  const macro = line.trimStart().startsWith('|') ? null : MACRO_WITHIN.exec(line);
  if (macro === null) return { text: line.replace(/\r$/, ''), end, isCut: false };
  return { text: line.slice(0, macro.index), end: at + macro.index, isCut: true };
}

function beginsBlock(line: string): boolean {
  return HEADING.test(line) || ITEM.test(line) || /^\s*(?:\||bq\.\s|-{4,5}\s*$)/.test(line);
}

/** A row goes on until a line ends with a bar. */
function isOpenRow(isRow: boolean, lines: readonly string[]): boolean {
  return isRow && !/\|\s*$/.test(lines.at(-1) ?? '');
}

interface Line {
  signs: string;
  text: string;
}

function readItems(lines: readonly string[]): WikiBlock[] {
  const items: Line[] = [];
  for (const line of lines) {
    const match = ITEM.exec(line);
    const last = items.at(-1);
    if (match !== null) items.push({ signs: match[1] ?? '', text: match[2] ?? '' });
    else if (last !== undefined) last.text += `\n${line.trim()}`;
  }
  return listsOf(items, 0);
}

/** Lists at a depth, each of neighbouring items with the same sign there. */
function listsOf(lines: readonly Line[], depth: number): WikiBlock[] {
  const lists: Extract<WikiBlock, { type: 'list' }>[] = [];
  let deeper: Line[] = [];
  const endItem = () => {
    lists
      .at(-1)
      ?.items.at(-1)
      ?.blocks.push(...listsOf(deeper, depth + 1));
    deeper = [];
  };
  for (const line of lines) {
    const start = line.signs[depth] === '#' ? 1 : null;
    const isDeeper = line.signs.length > depth + 1 && !/^-+$/.test(line.signs.slice(0, depth + 1));
    if (isDeeper && lists.length > 0) {
      deeper.push(line);
      continue;
    }
    endItem();
    const item: ListItem<string> = {
      checked: null,
      blocks: [{ type: 'paragraph', inlines: readWikiLine(line.text) }],
    };
    const last = lists.at(-1);
    if (last !== undefined && last.start === start) last.items.push(item);
    else lists.push({ type: 'list', start, items: [item] });
  }
  endItem();
  return lists;
}

function readRows(lines: readonly string[]): Inline<string>[][][] {
  const rows: string[] = [];
  for (const line of lines) {
    const last = rows.at(-1);
    if (last === undefined || /\|\s*$/.test(last)) rows.push(line);
    else rows[rows.length - 1] = `${last}\n${line}`;
  }
  return rows.map((row) => cellsOf(row.trim()).map((cell) => readWikiLine(cell.trim())));
}

/** Bars part cells, unless they are in a link, an image or a macro, or escaped. */
function cellsOf(row: string): string[] {
  const cells: string[] = [];
  const pattern = /\\[\s\S]|\[[^\]\n]*\]|!\S[^!\n|]*\|[^!\n]*!|\{\{.*?\}\}|\{[^}\n]*\}|\|{1,2}|[\s\S]/g;
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
