import type { AdfNode } from './adf.ts';
import { type Block, type Inline, joined, type ListItem, type Marks, withBox } from './blocks.ts';

type AdfBlock = Block<AdfNode>;
type AdfInline = Inline<AdfNode>;

const INLINE_TYPES = [
  'text',
  'hardBreak',
  'mention',
  'emoji',
  'inlineCard',
  'date',
  'status',
  'placeholder',
  'mediaInline',
  'inlineExtension',
];

/**
 * Converts ADF nodes to blocks. A panel becomes a quote, an expand becomes its title and content,
 * columns become consecutive blocks, and media become images. A node of an unknown type becomes its
 * content.
 */
export function readAdfBlocks(nodes: readonly AdfNode[]): AdfBlock[] {
  const blocks: AdfBlock[] = [];
  let line: AdfNode[] = [];
  const endLine = () => {
    if (line.length > 0) blocks.push({ type: 'paragraph', inlines: readInlines(line) });
    line = [];
  };
  for (const node of nodes) {
    if (INLINE_TYPES.includes(node.type)) {
      line.push(node);
    } else {
      endLine();
      blocks.push(...readBlock(node));
    }
  }
  endLine();
  return blocks;
}

function readBlock(node: AdfNode): AdfBlock[] {
  const content = node.content ?? [];
  switch (node.type) {
    case 'paragraph':
      return [{ type: 'paragraph', inlines: readInlines(content) }];
    case 'heading':
      return [{ type: 'heading', level: Number(node.attrs?.level) || 1, inlines: readInlines(content) }];
    case 'codeBlock': {
      const text = content.map((child) => child.text ?? '').join('');
      return [{ type: 'code', language: stringOrEmpty(node.attrs?.language), text }];
    }
    case 'rule':
      return [{ type: 'rule' }];
    case 'blockquote':
    case 'panel':
      return [{ type: 'quote', blocks: readAdfBlocks(content) }];
    case 'expand':
    case 'nestedExpand':
      return [...titleOf(node), ...readAdfBlocks(content)];
    case 'bulletList':
    case 'decisionList':
      return [{ type: 'list', start: null, items: content.map(readItem) }];
    case 'orderedList':
      return [{ type: 'list', start: Number(node.attrs?.order ?? 1), items: content.map(readItem) }];
    case 'taskList':
      return [{ type: 'list', start: null, items: readTasks(content) }];
    case 'table':
      return [{ type: 'table', rows: content.map((row) => (row.content ?? []).map(readCell)) }];
    case 'media':
      return [{ type: 'paragraph', inlines: [mediaOf(node)] }];
    case 'mediaSingle':
    case 'mediaGroup':
      return readMedia(node, content);
    case 'blockCard':
    case 'embedCard':
      return [{ type: 'paragraph', inlines: readInlines([{ ...node, type: 'inlineCard' }]) }];
    default:
      return readAdfBlocks(content);
  }
}

function titleOf(node: AdfNode): AdfBlock[] {
  const text = stringOrEmpty(node.attrs?.title);
  return text === ''
    ? []
    : [{ type: 'paragraph', inlines: [{ type: 'text', text, marks: { strong: true } }] }];
}

function readItem(node: AdfNode): ListItem<AdfNode> {
  return withBox({ checked: null, blocks: readAdfBlocks(node.content ?? []) });
}

/**
 * Reads the items of a task list. In ADF, the subtasks of a task are a separate list directly after
 * it.
 */
function readTasks(nodes: readonly AdfNode[]): ListItem<AdfNode>[] {
  const items: ListItem<AdfNode>[] = [];
  for (const node of nodes) {
    const last = items.at(-1);
    if (node.type === 'taskList' && last !== undefined) last.blocks.push(...readBlock(node));
    else items.push({ checked: node.attrs?.state === 'DONE', blocks: readAdfBlocks(node.content ?? []) });
  }
  return items;
}

/** Converts the blocks of a table cell to a single line, as far as possible. */
function readCell(cell: AdfNode): AdfInline[] {
  return joined(linesOf(readAdfBlocks(cell.content ?? [])));
}

function linesOf(blocks: readonly AdfBlock[]): AdfInline[] {
  return blocks.flatMap((block, index): AdfInline[] => {
    const line = lineOf(block);
    return index === 0 || line.length === 0 ? line : [{ type: 'break' }, ...line];
  });
}

function lineOf(block: AdfBlock): AdfInline[] {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return block.inlines;
    case 'code':
      return [{ type: 'text', text: block.text, marks: { code: true } }];
    case 'quote':
      return linesOf(block.blocks);
    case 'list':
      return linesOf(block.items.flatMap(({ blocks }) => blocks));
    case 'table':
      return block.rows.flat(2);
    case 'rule':
      return [];
  }
}

function readMedia(node: AdfNode, content: readonly AdfNode[]): AdfBlock[] {
  const media = content.filter(({ type }) => type === 'media').map(mediaOf);
  const caption = content.find(({ type }) => type === 'caption')?.content ?? [];
  const inlines: AdfInline[] =
    node.type === 'mediaSingle' && caption.length > 0
      ? [...media, { type: 'break' }, ...readInlines(caption)]
      : media;
  return [{ type: 'paragraph', inlines }];
}

function mediaOf(node: AdfNode): AdfInline {
  const url =
    node.attrs?.type === 'external'
      ? stringOrEmpty(node.attrs.url)
      : `attachment:${stringOrEmpty(node.attrs?.id)}`;
  return { type: 'atom', text: stringOrEmpty(node.attrs?.alt), url, source: node };
}

function readInlines(nodes: readonly AdfNode[]): AdfInline[] {
  return joined(nodes.flatMap(readInline));
}

function readInline(node: AdfNode): AdfInline[] {
  const atom = (text: string): AdfInline[] => [{ type: 'atom', text, url: null, source: node }];
  const { attrs = {} } = node;
  switch (node.type) {
    case 'text':
      return readText(node);
    case 'hardBreak':
      return [{ type: 'break' }];
    case 'mention':
      return atom(stringOrEmpty(attrs.text) || `@${stringOrEmpty(attrs.id)}`);
    case 'emoji':
      return atom(stringOrEmpty(attrs.text) || stringOrEmpty(attrs.shortName));
    case 'date':
      return atom(dateOf(attrs.timestamp));
    case 'status':
      return atom(stringOrEmpty(attrs.text));
    case 'inlineCard': {
      const url = stringOrEmpty(attrs.url);
      return url === '' ? atom('') : atom(url);
    }
    case 'mediaInline':
      return [mediaOf(node)];
    default:
      return node.content === undefined ? atom(stringOrEmpty(attrs.text)) : readInlines(node.content);
  }
}

function readText(node: AdfNode): AdfInline[] {
  const marks: Marks = {};
  for (const { type, attrs } of node.marks ?? []) {
    if (type === 'strong' || type === 'em' || type === 'strike' || type === 'code') marks[type] = true;
    else if (type === 'link') marks.href = stringOrEmpty(attrs?.href);
  }
  return (node.text ?? '').split('\n').flatMap((text, index): AdfInline[] => {
    const piece: AdfInline = { type: 'text', text, marks };
    return index === 0 ? [piece] : [{ type: 'break' }, piece];
  });
}

/** Formats a date node. Its timestamp is a string of milliseconds. */
function dateOf(timestamp: unknown): string {
  const date = new Date(Number(timestamp));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
