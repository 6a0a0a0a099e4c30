import type { Block, Inline, ListItem, Marks } from './blocks.ts';

type WikiBlock = Block<string>;
type WikiInline = Inline<string>;

/** The blocks in wiki markup, with an empty line between. */
export function writeWikiBlocks(blocks: readonly WikiBlock[]): string {
  return blocks.map(writeBlock).join('\n\n');
}

function writeBlock(block: WikiBlock): string {
  switch (block.type) {
    case 'paragraph':
      return writeLine(block.inlines, '\n');
    case 'heading':
      return `h${block.level}. ${writeLine(block.inlines, ' ')}`;
    case 'code':
      return writeCode(block.language, block.text);
    case 'quote':
      return `{quote}\n${writeWikiBlocks(block.blocks)}\n{quote}`;
    case 'list':
      return writeItems(block.items, block.start === null ? '*' : '#').join('\n');
    case 'table':
      return block.rows.map((row, index) => writeRow(row, index === 0 ? '||' : '|')).join('\n');
    case 'rule':
      return '----';
  }
}

/** Code that ends its own block is cut in two by a space no one sees much of. */
function writeCode(language: string, text: string): string {
  const name = text.includes('{code}') ? 'noformat' : 'code';
  const opening = name === 'code' && /^[\w#+-]+$/.test(language) ? `{code:${language}}` : `{${name}}`;
  return `${opening}\n${text.replaceAll(`{${name}}`, `{${name} }`)}\n{${name}}`;
}

function writeItems(items: readonly ListItem<string>[], signs: string): string[] {
  return items.flatMap(({ checked, blocks }) => {
    const box = checked === null ? '' : checked ? '(/) ' : '(x) ';
    const lines: string[] = [];
    for (const block of blocks) {
      if (block.type === 'list') {
        if (lines.length === 0) lines.push(`${signs} `);
        lines.push(...writeItems(block.items, signs + (block.start === null ? '*' : '#')));
      } else {
        const text = block.type === 'paragraph' ? writeLine(block.inlines, '\n') : writeBlock(block);
        lines.push(lines.length === 0 ? `${signs} ${box}${text}` : text);
      }
    }
    return lines.length === 0 ? [`${signs} ${box}`] : lines;
  });
}

function writeRow(row: readonly (readonly WikiInline[])[], bar: string): string {
  const cells = row.map((cell) => writeLine(cell, '\\\\ ', true) || ' ');
  return `${bar}${cells.join(bar)}${bar}`;
}

function writeLine(inlines: readonly WikiInline[], lineBreak: string, isCell = false): string {
  let line = '';
  for (const inline of inlines) {
    const isStart = line === '' || line.endsWith('\n');
    line += writeInline(inline, lineBreak, { isStart, isCell });
  }
  return line;
}

function writeInline(
  inline: WikiInline,
  lineBreak: string,
  place: { isStart: boolean; isCell: boolean },
): string {
  switch (inline.type) {
    case 'text':
      return writeText(inline.text, inline.marks, place);
    case 'break':
      return lineBreak;
    case 'image':
      return /^https?:/.test(inline.url) ? `!${inline.url}!` : escaped(inline.alt || inline.url, place);
    case 'atom':
      return inline.source;
  }
}

function writeText(text: string, marks: Marks, place: { isStart: boolean; isCell: boolean }): string {
  const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (words === '') return text;
  let written = marks.code
    ? `{{${words.replace(/[{}\\|]/g, entity)}}}`
    : escaped(words, { ...place, isStart: place.isStart && before === '' });
  if (marks.strike) written = `-${written}-`;
  if (marks.em) written = `_${written}_`;
  if (marks.strong) written = `*${written}*`;
  if (marks.href !== undefined) {
    const href = marks.href.replace(/[|\]\n]/g, (sign) => encodeURIComponent(sign));
    written = words === marks.href ? `[${href}]` : `[${written.replace(/[|\]]/g, entity)}|${href}]`;
  }
  return before + written + after;
}

/** A backslash makes a sign itself; where Jira has no such escape, the number of the character does. */
function escaped(text: string, { isStart, isCell }: { isStart: boolean; isCell: boolean }): string {
  const inner = text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, entity)
    .replace(/[{[]|!(?=\S)|\?\?|&(?=#\d)/g, (sign) => (sign === '&' ? entity(sign) : `\\${sign}`))
    .replace(/(?<![\p{L}\p{N}])[*_+^~-](?=\S)|(?<=\S)[*_+^~](?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/\|/g, (bar) => (isCell ? entity(bar) : bar));
  if (!isStart) return inner;
  return inner
    .replace(/^(?:[*#-]+(?=\s|$)|\|)/, (signs) => signs.replace(/[*#|-]/g, entity))
    .replace(/^(h[1-6]|bq)\.(?=\s)/, '$1&#46;');
}

function entity(sign: string): string {
  return `&#${sign.codePointAt(0)};`;
}
