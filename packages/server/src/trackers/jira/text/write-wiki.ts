import { type Block, boxOf, type Inline, type ListItem, strongLine } from './blocks.ts';
import { writeWikiLine } from './write-wiki-line.ts';

type WikiBlock = Block<string>;
type WikiInline = Inline<string>;

/** Markup that separates paragraphs within a list item. An empty line would end the list. */
const PARAGRAPH_BREAK = '\n\\\\\n';
/** Content of an empty list item. Without content, Jira would not recognize the list character. */
const EMPTY_ITEM = '\\\\';

/** Writes blocks as wiki markup, separated by empty lines. */
export function writeWikiBlocks(blocks: readonly WikiBlock[]): string {
  return blocks
    .map(writeBlock)
    .filter((text) => text !== '')
    .join('\n\n');
}

function writeBlock(block: WikiBlock): string {
  switch (block.type) {
    case 'paragraph':
      return writeWikiLine(block.inlines, { lineBreak: '\n' });
    case 'heading': {
      const line = writeWikiLine(strip(block.inlines), { lineBreak: ' ' });
      return line === '' ? '' : `h${block.level}. ${line}`;
    }
    case 'code':
      return writeCode(block.language, block.text);
    case 'quote': {
      const text = writeWikiBlocks(block.blocks.flatMap(inQuote));
      return text === '' ? '' : `{quote}\n${text}\n{quote}`;
    }
    case 'list':
      return writeItems(block.items, block.start === null ? '*' : '#').join('\n');
    case 'table':
      return block.rows.map((row, index) => writeRow(row, index === 0 ? '||' : '|')).join('\n');
    case 'rule':
      return '----';
  }
}

function strip(inlines: readonly WikiInline[]): WikiInline[] {
  return inlines.filter((inline) => inline.type !== 'text' || inline.text !== '');
}

/** Replaces nested quotes by their content, because Jira ends a quote at the next quote macro. */
function inQuote(block: WikiBlock): WikiBlock[] {
  if (block.type === 'quote') return block.blocks.flatMap(inQuote);
  if (block.type !== 'list') return [block];
  const items = block.items.map((item) => ({ ...item, blocks: item.blocks.flatMap(inQuote) }));
  return [{ ...block, items }];
}

/**
 * Writes a code block. A closing tag within the code gets a space, so that it does not end the
 * block.
 */
function writeCode(language: string, text: string): string {
  const name = text.includes('{code}') ? 'noformat' : 'code';
  const opening = name === 'code' && /^[\w#+.-]+$/.test(language) ? `{code:${language}}` : `{${name}}`;
  return `${opening}\n${text.replaceAll(`{${name}}`, `{${name} }`)}\n{${name}}`;
}

function writeItems(items: readonly ListItem<string>[], signs: string): string[] {
  return items.flatMap((item) => writeItem(item, signs));
}

/**
 * Writes a list item without empty lines, which would end the list. Unsupported content becomes a
 * line of text.
 */
function writeItem({ checked, blocks }: ListItem<string>, signs: string): string[] {
  const box: WikiInline[] = checked === null ? [] : [boxOf(checked)];
  const [first, ...others] = blocks.flatMap(inItem);
  const isLine = first?.type === 'paragraph';
  const lead = writeWikiLine([...box, ...(isLine ? first.inlines : [])], { lineBreak: '\n' });
  const rest = isLine || first === undefined ? others : [first, ...others];
  let text = `${signs} ${lead.trimStart() === '' ? EMPTY_ITEM : lead}`;
  let isAfterLine = isLine;
  for (const block of rest) {
    if (block.type === 'list') {
      text += `\n${writeItems(block.items, signs + (block.start === null ? '*' : '#')).join('\n')}`;
    } else {
      text += `${block.type === 'paragraph' && isAfterLine ? PARAGRAPH_BREAK : '\n'}${writeBlock(block)}`;
    }
    isAfterLine = block.type === 'paragraph';
  }
  return [text];
}

function inItem(block: WikiBlock): WikiBlock[] {
  switch (block.type) {
    case 'heading':
      return [{ type: 'paragraph', inlines: strongLine(block.inlines) }];
    case 'table':
      return block.rows.map((row) => ({ type: 'paragraph', inlines: rowAsLine(row) }));
    case 'rule':
      return [];
    default:
      return [block];
  }
}

function rowAsLine(row: readonly (readonly WikiInline[])[]): WikiInline[] {
  return row.flatMap((cell, index): WikiInline[] =>
    index === 0 ? [...cell] : [{ type: 'text', text: ' | ', marks: {} }, ...cell],
  );
}

function writeRow(row: readonly (readonly WikiInline[])[], bar: string): string {
  const cells = row.map((cell) => writeWikiLine(cell, { lineBreak: '\\\\ ', isCell: true }) || ' ');
  return `${bar}${cells.join(bar)}${bar}`;
}
