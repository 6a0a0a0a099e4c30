import { type Inline, joined, type Marks } from './blocks.ts';

/** Escapes a text, so that Markdown treats each character literally. */
export type Escape = (text: string) => string;

/** A URL. It is not escaped, because a backslash would become part of the URL. */
const BARE_URL = /((?:https?|ftp):\/\/[^\s<>`*[\]]*[^\s<>`*[\].,;:!?'"()])/;

/**
 * Escapes only those characters that Markdown would probably treat as markup. If the result is
 * still parsed wrongly, the caller uses `escapeAll`.
 */
export const escapeLittle: Escape = (text) =>
  text
    .split(BARE_URL)
    .map((part, index) => (index % 2 === 1 ? part : escapeWords(part)))
    .join('')
    .replace(/^(?:[#>]|[-+=](?=[\s-]|$))/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');

const escapeWords: Escape = (text) =>
  text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replace(/[`*]|~(?=~)|<(?=[a-zA-Z/!?]|$)|\[(?=[^\]]*\]\()|&(?=#?\w+;)/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
/** Escapes every character that can have a meaning in Markdown. */
export const escapeAll: Escape = (text) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** Converts an atom (such as a mention) to the text or image that represents it. */
export function plainAtom(inline: Inline<unknown>): Inline {
  if (inline.type !== 'atom')
    return inline.type === 'text' ? { ...inline, marks: ordered(inline.marks) } : inline;
  return inline.url === null
    ? { type: 'text', text: inline.text, marks: {} }
    : { type: 'image', alt: inline.text, url: inline.url };
}

function ordered({ strong, em, strike, code, href }: Marks): Marks {
  return {
    ...(strong ? { strong } : {}),
    ...(em ? { em } : {}),
    ...(strike ? { strike } : {}),
    ...(code ? { code } : {}),
    ...(href === undefined ? {} : { href }),
  };
}

/** Character for emphasis. Within a word, Markdown accepts only the asterisk. */
type EmphasisSign = '_' | '*';

const TEXT_STYLES = ['strong', 'em', 'strike'] as const;

function signOf(mark: (typeof TEXT_STYLES)[number], em: EmphasisSign): string {
  switch (mark) {
    case 'strong':
      return '**';
    case 'em':
      return em;
    case 'strike':
      return '~~';
  }
}

/** Options for writing a line. */
export interface Style {
  quote: Escape;
  em: EmphasisSign;
  lineBreak: string;
}

/**
 * Writes the pieces of a line. The result may be parsed back to other pieces; `firstThat` in
 * write-markdown-line.ts checks that.
 */
export function writePieces(inlines: readonly Inline<unknown>[], style: Style): string {
  const runs = joined(inlines.map(plainAtom));
  return grouped(runs, (inline) => (inline.type === 'text' ? inline.marks.href : undefined))
    .map(({ value: href, members }) => {
      if (href === undefined) return writeEmphasis(members, 0, style);
      const quote: Escape = (text) => style.quote(text).replace(/(?<!\\)[[\]]/g, '\\$&');
      return `[${writeEmphasis(members, 0, { ...style, quote })}](${address(href)})`;
    })
    .join('');
}

function writeEmphasis(runs: readonly Inline[], depth: number, style: Style): string {
  const mark = TEXT_STYLES[depth];
  if (mark === undefined) return runs.map((run) => writePiece(run, style)).join('');
  return grouped(runs, (run) => run.type === 'text' && run.marks[mark] === true)
    .map(({ value, members }) => {
      const text = writeEmphasis(members, depth + 1, style);
      if (!value) return text;
      const inner = text.trim();
      if (inner === '') return text;
      const sign = signOf(mark, style.em);
      return text.replace(inner, () => `${sign}${inner}${sign}`);
    })
    .join('');
}

function writePiece(inline: Inline, { quote, lineBreak }: Style): string {
  switch (inline.type) {
    case 'text':
      return inline.marks.code ? codeSpan(inline.text) : quote(inline.text);
    case 'break':
      return lineBreak;
    case 'image':
      return `![${inline.alt.replace(/[\\`*_[\]<&]|:(?=\/\/)/g, '\\$&')}](${address(inline.url)})`;
    case 'atom':
      return '';
  }
}

function codeSpan(text: string): string {
  const line = text.replaceAll('\n', ' ');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(line) && line.trim() !== '' ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Formats the URL of a link. */
function address(url: string): string {
  const clean = url.replace(/[\r\n]/g, '');
  return /^[^\s()<>\\]+$/.test(clean) ? clean : `<${clean.replace(/[<>\\]/g, '\\$&')}>`;
}

function grouped<T, V>(items: readonly T[], by: (item: T) => V): { value: V; members: T[] }[] {
  const groups: { value: V; members: T[] }[] = [];
  for (const item of items) {
    const value = by(item);
    const last = groups.at(-1);
    if (last !== undefined && last.value === value) last.members.push(item);
    else groups.push({ value, members: [item] });
  }
  return groups;
}
