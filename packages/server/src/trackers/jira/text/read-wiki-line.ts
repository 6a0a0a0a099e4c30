import { type Inline, joined, type Marks } from './blocks.ts';
import { BARE_ADDRESS, imageAddress, inHex } from './wiki-signs.ts';

type WikiInline = Inline<string>;

/**
 * A kind of inline markup, and the function that converts it. All kinds are tried in order at each
 * position where markup may start.
 */
interface Markup {
  pattern: RegExp;
  read: (match: readonly string[], marks: Marks) => WikiInline[];
}

const text = (value: string, marks: Marks): WikiInline => ({ type: 'text', text: value, marks });

/**
 * Returns the markup of an emphasis character, which counts only at the edge of a word. So
 * `snake_case` and `a-b` contain no emphasis.
 */
function emphasis(sign: string, more: Marks): Markup {
  const s = inHex(sign);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}${s}\\\\])${s}(?=[^\\s${s}])([^\\n]*?[^\\s\\\\])${s}(?![\\p{L}\\p{N}${s}])`,
    'uy',
  );
  return { pattern, read: ([, inner = ''], marks) => pieces(inner, { ...marks, ...more }) };
}

/**
 * Returns the markup of an emphasis character in braces. Jira accepts it anywhere, even within a
 * word.
 */
function braced(sign: string, more: Marks): Markup {
  const s = `\\{${inHex(sign)}\\}`;
  const pattern = new RegExp(`(?<!\\\\)${s}((?:(?!${s})[^\\n])+)${s}`, 'uy');
  return { pattern, read: ([, inner = ''], marks) => pieces(inner, { ...marks, ...more }) };
}

const EMPHASIS: readonly [string, Marks][] = [
  ['*', { strong: true }],
  ['_', { em: true }],
  ['-', { strike: true }],
  ['+', {}],
  ['^', {}],
  ['~', {}],
];

const MARKUPS: readonly Markup[] = [
  { pattern: new RegExp(BARE_ADDRESS, 'uy'), read: ([address = ''], marks) => [text(address, marks)] },
  { pattern: /\\\\(?!\\)[^\S\n]*\n?/y, read: () => [{ type: 'break' }] },
  { pattern: /\\([!-/:-@[-`{-~])/y, read: ([, sign = ''], marks) => [text(sign, marks)] },
  { pattern: /\r?\n/y, read: () => [{ type: 'break' }] },
  {
    pattern: /&#(\d{1,6});/y,
    read: ([, code = ''], marks) => [text(String.fromCodePoint(Number(code)), marks)],
  },
  {
    pattern: /\{\{([^\n]+?)\}\}(?!\})/y,
    read: ([, code = ''], marks) => [text(plain(code), { ...marks, code: true })],
  },
  { pattern: /\{(?:color|anchor)(?::[^}\n]*)?\}/y, read: () => [] },
  {
    pattern: /\[~([^\]\n]+)\]/y,
    read: ([source = '', name = '']) => [{ type: 'atom', text: `@${name}`, url: null, source }],
  },
  {
    pattern: /\[\^([^\]\n]+)\]/y,
    read: ([source = '', name = '']) => [{ type: 'atom', text: name, url: `attachment:${name}`, source }],
  },
  {
    pattern: /\[([^\]|\n]*)\|([^\]|\n]+)(?:\|[^\]\n]*)?\]/y,
    read: ([, label = '', href = ''], marks) =>
      pieces(label === '' ? href : label, { ...marks, href: href.trim() }),
  },
  {
    pattern: /\[((?:https?:|ftp:|file:|mailto:|#)[^\]|\n]+)\]/y,
    read: ([, href = ''], marks) => [text(href.replace(/^mailto:/, ''), { ...marks, href })],
  },
  {
    pattern: /(?<![\p{L}\p{N}\\])!(https?:\/\/[^\s!|]+|[^\s!|][^!|\n]*\.[^!|\n]*?)(?:\|([^!\n]*))?!/uy,
    read: ([source = '', name = '', parameters = '']) => {
      const alt = plain(/(?:^|[|,])\s*alt=([^|,]*)/.exec(parameters)?.[1] ?? '').replace(/^"(.*)"$/, '$1');
      return [{ type: 'atom', text: alt || name.replace(/^.*\//, ''), url: imageAddress(name), source }];
    },
  },
  ...EMPHASIS.map(([sign, more]) => braced(sign, more)),
  ...EMPHASIS.map(([sign, more]) => emphasis(sign, more)),
  {
    pattern: /\?\?(?=\S)([^\n?]+)\?\?/y,
    read: ([, inner = ''], marks) => pieces(inner, { ...marks, em: true }),
  },
];

/** Characters at which markup may start. Everything between them is text. */
const SIGN = /[\\\r\n&{[!*_\-+^~?]|(?:https?|ftp):\/\//g;

/** Parses a line of wiki markup, or several consecutive lines. */
export function readWikiLine(line: string): WikiInline[] {
  return joined(pieces(line, {}));
}

function pieces(line: string, marks: Marks): WikiInline[] {
  const result: WikiInline[] = [];
  let from = 0;
  for (let at = signAt(line, 0); at < line.length; ) {
    const found = markupAt(line, at, marks);
    if (found === null) {
      at = signAt(line, at + 1);
      continue;
    }
    result.push(text(line.slice(from, at), marks), ...found.inlines);
    from = found.end;
    at = signAt(line, from);
  }
  return [...result, text(line.slice(from), marks)];
}

function signAt(line: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.exec(line)?.index ?? line.length;
}

function markupAt(line: string, at: number, marks: Marks): { inlines: WikiInline[]; end: number } | null {
  for (const { pattern, read } of MARKUPS) {
    pattern.lastIndex = at;
    const match = pattern.exec(line);
    if (match !== null) {
      const end = pattern.lastIndex;
      return { inlines: read(match, marks), end };
    }
  }
  return null;
}

function plain(code: string): string {
  return code
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&#(\d{1,6});/g, (_, n: string) => String.fromCodePoint(Number(n)));
}
