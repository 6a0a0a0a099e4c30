import { asLine, type Inline, joined, type Marks } from './blocks.ts';
import { BARE_ADDRESS, fileOf, inHex } from './wiki-signs.ts';

type WikiInline = Inline<string>;

/**
 * Place of a line in the document. A line in a table cell needs other escapes than a separate line.
 */
export interface LinePlace {
  lineBreak: string;
  isCell?: boolean;
}

/** Part of a line: finished markup, or a text to be enclosed in emphasis characters. */
interface Run {
  text: string;
  /** Emphasis characters, innermost first. Empty if there is no emphasis. */
  signs: readonly string[];
}

const EMPHASIS = [
  ['strike', '-'],
  ['em', '_'],
  ['strong', '*'],
] as const;

/** Writes the pieces of a line as wiki markup. */
export function writeWikiLine(inlines: readonly WikiInline[], place: LinePlace): string {
  let line = '';
  let rest = trimmed(inlines);
  while (rest.length > 0) {
    const [first] = rest;
    const href = first?.type === 'text' ? first.marks.href : undefined;
    const end = rest.findIndex((inline) => (inline.type === 'text' ? inline.marks.href : undefined) !== href);
    const group = rest.slice(0, end === -1 ? rest.length : end);
    rest = rest.slice(group.length);
    line = href === undefined ? writeRuns(line, group, rest, place) : line + writeLink(group, href, place);
  }
  return line;
}

function trimmed(inlines: readonly WikiInline[]): WikiInline[] {
  const pieces = joined(inlines);
  const isBreak = (inline: WikiInline | undefined) => inline?.type === 'break';
  while (isBreak(pieces[0])) pieces.shift();
  while (isBreak(pieces.at(-1))) pieces.pop();
  return pieces;
}

function writeRuns(
  before: string,
  inlines: readonly WikiInline[],
  following: readonly WikiInline[],
  place: LinePlace,
): string {
  let line = before;
  for (const [index, inline] of inlines.entries()) {
    const isLast = index === inlines.length - 1;
    const next = isLast ? following[0] : inlines[index + 1];
    line = withRun(line, inline, next, place);
  }
  return line;
}

function withRun(line: string, inline: WikiInline, next: WikiInline | undefined, place: LinePlace): string {
  switch (inline.type) {
    case 'break':
      return line + place.lineBreak;
    case 'atom':
      return line + inline.source;
    case 'image':
      // Directly after a letter or digit, Jira does not recognize the markup of an image.
      return `${line}${/[\p{L}\p{N}]$/u.test(line) ? ' ' : ''}${writeImage(inline.alt, inline.url, place)}`;
    case 'text': {
      const isStart = line === '' || line.endsWith('\n');
      const [, lead = '', words = '', tail = ''] = inline.marks.code
        ? ['', '', inline.text, '']
        : (/^(\s*)([\s\S]*?)(\s*)$/.exec(inline.text) ?? []);
      if (words === '') return line + inline.text;
      const run = {
        text: writeWords(words, inline.marks, { ...place, isStart }),
        signs: signsOf(inline.marks),
      };
      const isApart = isBoundary((line + lead).at(-1)) && (tail !== '' || startsApart(next));
      return line + lead + signed(run, isApart) + tail;
    }
  }
}

function writeWords(words: string, marks: Marks, place: LinePlace & { isStart: boolean }): string {
  return marks.code ? `{{${escapedCode(words)}}}` : escaped(words, place);
}

function signsOf(marks: Marks): string[] {
  return EMPHASIS.flatMap(([mark, sign]) => (marks[mark] ? [sign] : []));
}

/**
 * Encloses a text in its emphasis characters. Within a word, or next to other markup, Jira
 * recognizes them only in braces.
 */
function signed({ text, signs }: Run, isApart: boolean): string {
  return signs.reduce((inner, sign) => {
    return isApart && isPlainWithin(inner, sign) ? `${sign}${inner}${sign}` : `{${sign}}${inner}{${sign}}`;
  }, text);
}

/** True if no character in the text could be mistaken for the end of the emphasis. */
function isPlainWithin(text: string, sign: string): boolean {
  if (text.startsWith(sign) || text.endsWith(sign) || /^\s|[\s\\]$/.test(text)) return false;
  return !new RegExp(`[^\\s\\\\]${inHex(sign)}(?![\\p{L}\\p{N}])`, 'u').test(text);
}

function isBoundary(sign: string | undefined): boolean {
  return sign === undefined || /[\s(,;:"'/]/.test(sign);
}

/** True if the next piece starts with a space or punctuation, or does not exist. */
function startsApart(next: WikiInline | undefined): boolean {
  if (next === undefined || next.type === 'break') return true;
  return next.type === 'text' && Object.keys(next.marks).length === 0 && /^[\s),.;:!?"'/]/.test(next.text);
}

function writeLink(inlines: readonly WikiInline[], href: string, place: LinePlace): string {
  const runs = asLine(inlines).map((inline): WikiInline => {
    if (inline.type !== 'text') return inline;
    const { href: _, ...marks } = inline.marks;
    return { ...inline, marks };
  });
  const [only] = runs;
  const words = runs.map((run) => (run.type === 'text' ? run.text : '')).join('');
  const address = href.replace(/[|[\]\\{}\s]|^[~^]/g, (sign) => encodeURIComponent(sign).replace('~', '%7E'));
  const isBare = runs.length === 1 && only?.type === 'text' && Object.keys(only.marks).length === 0;
  if (isBare && words === address && /^(?:https?|ftp|file):/.test(address)) return `[${address}]`;
  const label = writeRuns('.', runs, [], { ...place, lineBreak: ' ' }).slice(1);
  if (address === '') return label;
  return `[${label.replace(/[|\]]/g, entity)}|${address}]`;
}

/** Writes an image. Jira displays only web images and attachments, so other images become links. */
function writeImage(alt: string, url: string, place: LinePlace): string {
  const source = /^https?:\/\/[^\s|!]+$/.test(url) ? url : fileOf(url);
  const text = alt || url;
  if (source === null) return url === '' ? '' : writeLink([{ type: 'text', text, marks: {} }], url, place);
  const words = alt.replace(/\s+/g, ' ');
  return words === '' || words === source
    ? `!${source}!`
    : `!${source}|alt=${words.replace(/[|,!=\]\\{}"&]/g, entity)}!`;
}

/**
 * Escapes a text with backslashes. Where Jira does not support a backslash, uses a character code.
 */
function escaped(text: string, { isStart, isCell }: LinePlace & { isStart: boolean }): string {
  const inner = text
    .split(BARE_ADDRESS)
    .map((part, index) => (index % 2 === 1 ? part : escapedWords(part)))
    .join('')
    .replace(/\|/g, (bar) => (isCell ? entity(bar) : bar));
  if (!isStart) return inner;
  return inner
    .replace(
      /^(\s*)\\?([*#-]+)(?=\s|$)/,
      (_, space: string, signs: string) => space + signs.replace(/./g, entity),
    )
    .replace(/^(\s*)\|/, (_, space: string) => `${space}${entity('|')}`)
    .replace(/^(\s*)(h[1-6]|bq)\.(?=\s|$)/, '$1$2&#46;');
}

function escapedWords(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)|&(?=#?\w+;)/g, entity)
    .replace(/[{[]|!(?=\S)|\?\?|\((?=(?:[!?/xy*+in-]|\*[rgby]|on|off)\))/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])[*_+^~-](?=\S|$)|(?<=\S|^)[*_+^~](?![\p{L}\p{N}])/gu, '\\$&');
}

function escapedCode(code: string): string {
  return code.replace(/[{}\\|&[\]!?\n]|(?<![\p{L}\p{N}])[*_+^~-]|[*_+^~-](?![\p{L}\p{N}])|^\s|\s$/gu, entity);
}

function entity(sign: string): string {
  return `&#${sign.codePointAt(0)};`;
}
