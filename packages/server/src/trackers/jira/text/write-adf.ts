import { createHash } from 'node:crypto';
import type { AdfNode } from './adf.ts';
import {
  asLine,
  type Block,
  boxOf,
  type Inline,
  joined,
  type ListItem,
  type Marks,
  strongLine,
} from './blocks.ts';

type AdfBlock = Block<AdfNode>;
type AdfInline = Inline<AdfNode>;

/**
 * Converts blocks to ADF nodes that Jira accepts. Jira refuses a document with empty texts, or with
 * a node at a place where its schema does not allow it.
 */
export function writeAdfBlocks(blocks: readonly AdfBlock[]): AdfNode[] {
  return blocks.flatMap(writeBlock);
}

function writeBlock(block: AdfBlock): AdfNode[] {
  switch (block.type) {
    case 'paragraph':
      return writeParagraph(block.inlines);
    case 'heading':
      return [
        {
          type: 'heading',
          attrs: { level: block.level },
          content: writeInlines(asLine(block.inlines)),
        },
      ];
    case 'code':
      return [codeBlock(block.language, block.text)];
    case 'rule':
      return [{ type: 'rule' }];
    case 'quote':
      return [{ type: 'blockquote', content: orEmpty(block.blocks.flatMap(inQuote)) }];
    case 'list':
      return [writeTasksOrList(block.start, block.items)];
    case 'table':
      return [writeTable(block.rows)];
  }
}

function codeBlock(language: string, text: string): AdfNode {
  return {
    type: 'codeBlock',
    attrs: language === '' ? {} : { language },
    content: text === '' ? [] : [{ type: 'text', text }],
  };
}

/**
 * Writes a paragraph. If it contains only images, they become media nodes, which are separate
 * blocks in ADF.
 */
function writeParagraph(inlines: readonly AdfInline[]): AdfNode[] {
  const media = inlines.filter(({ type }) => type !== 'break');
  const nodes = media.flatMap(mediaNode);
  if (media.length > 0 && nodes.length === media.length) return nodes;
  return [{ type: 'paragraph', content: writeInlines(inlines) }];
}

function mediaNode(inline: AdfInline): AdfNode[] {
  const single = (media: AdfNode): AdfNode => {
    return { type: 'mediaSingle', attrs: { layout: 'align-start' }, content: [media] };
  };
  if (inline.type === 'atom' && inline.source.type === 'media') return [single(inline.source)];
  if (inline.type !== 'image' || !/^https?:/.test(inline.url)) return [];
  const attrs = { type: 'external', url: inline.url, ...(inline.alt === '' ? {} : { alt: inline.alt }) };
  return [single({ type: 'media', attrs })];
}

/** Returns a block in a form that a quote may contain: only paragraphs, lists, code and media. */
function inQuote(block: AdfBlock): AdfNode[] {
  switch (block.type) {
    case 'heading':
      return [{ type: 'paragraph', content: writeInlines(strongLine(block.inlines)) }];
    case 'quote':
      return block.blocks.flatMap(inQuote);
    case 'table':
      return block.rows.map((row) => ({ type: 'paragraph', content: writeInlines(rowAsLine(row)) }));
    case 'rule':
      return [];
    case 'list':
      return [writeList(block.start, block.items)];
    default:
      return writeBlock(block);
  }
}

/**
 * Returns blocks in a form that a list item may contain. A quote is replaced by its content. If the
 * first block is not a paragraph, code or media, an empty paragraph is added before it.
 */
function inItem(blocks: readonly AdfBlock[]): AdfNode[] {
  const nodes = blocks.flatMap((block) =>
    block.type === 'quote' ? block.blocks.flatMap(inQuote) : inQuote(block),
  );
  const leads = ['paragraph', 'codeBlock', 'mediaSingle'];
  return leads.includes(nodes[0]?.type ?? '') ? nodes : [{ type: 'paragraph', content: [] }, ...nodes];
}

/**
 * Writes a list. If all its items are tasks, writes a task list. Jira allows task lists only at the
 * top level of a document, so quotes and list items get a plain list.
 */
function writeTasksOrList(start: number | null, items: readonly ListItem<AdfNode>[]): AdfNode {
  return start === null && items.every(isTask) ? writeTasks(items, '') : writeList(start, items);
}

function writeList(start: number | null, items: readonly ListItem<AdfNode>[]): AdfNode {
  const content = items.map(({ checked, blocks }): AdfNode => {
    const [first, ...rest] = blocks;
    const lead = first?.type === 'paragraph' ? first.inlines : [];
    const others = first === undefined || first.type === 'paragraph' ? rest : blocks;
    const boxed: AdfBlock[] =
      checked === null
        ? [...blocks]
        : [{ type: 'paragraph', inlines: joined([boxOf(checked), ...lead]) }, ...others];
    return { type: 'listItem', content: inItem(boxed) };
  });
  return start === null
    ? { type: 'bulletList', content }
    : { type: 'orderedList', attrs: { order: start }, content };
}

/**
 * True if a task of Jira can represent the item: the item has one line of text, and below it only
 * tasks.
 */
function isTask({ checked, blocks }: ListItem<AdfNode>): boolean {
  const [first, second, ...others] = blocks;
  const isLine = first?.type === 'paragraph' && writeParagraph(first.inlines)[0]?.type === 'paragraph';
  const isParent =
    second === undefined || (second.type === 'list' && second.start === null && second.items.every(isTask));
  return checked !== null && isLine && isParent && others.length === 0;
}

/**
 * Writes a task list. In ADF, subtasks come directly after their task. `place` is included in the
 * ids, so that equal tasks have different ids.
 */
function writeTasks(items: readonly ListItem<AdfNode>[], place: string): AdfNode {
  const content = items.flatMap(({ checked, blocks }, index): AdfNode[] => {
    const [first, second] = blocks;
    const line = first?.type === 'paragraph' ? writeInlines(first.inlines) : [];
    const at = `${place}.${index}`;
    const attrs = { localId: localId(at, line), state: checked ? 'DONE' : 'TODO' };
    const below = second?.type === 'list' ? [writeTasks(second.items, at)] : [];
    return [{ type: 'taskItem', attrs, content: line }, ...below];
  });
  return { type: 'taskList', attrs: { localId: localId(place, content) }, content };
}

/** Returns an id for a task. Jira requires ids for tasks. */
function localId(place: string, content: readonly AdfNode[]): string {
  return createHash('sha256')
    .update(JSON.stringify([place, content]))
    .digest('hex')
    .slice(0, 32);
}

function writeTable(rows: readonly (readonly AdfInline[])[][]): AdfNode {
  const content = rows.map((row, index): AdfNode => {
    const type = index === 0 ? 'tableHeader' : 'tableCell';
    const cells = row.map((cell): AdfNode => {
      return { type, attrs: {}, content: [{ type: 'paragraph', content: writeInlines(cell) }] };
    });
    return { type: 'tableRow', content: cells };
  });
  return { type: 'table', attrs: { isNumberColumnEnabled: false, layout: 'default' }, content };
}

function rowAsLine(row: readonly (readonly AdfInline[])[]): AdfInline[] {
  return row.flatMap((cell, index): AdfInline[] =>
    index === 0 ? [...cell] : [{ type: 'text', text: ' | ', marks: {} }, ...cell],
  );
}

function orEmpty(nodes: AdfNode[]): AdfNode[] {
  return nodes.length === 0 ? [{ type: 'paragraph', content: [] }] : nodes;
}

function writeInlines(inlines: readonly AdfInline[]): AdfNode[] {
  return inlines.flatMap((inline, index) => {
    const address = refusedAddress(inline);
    const next = inlines[index + 1];
    if (address === null || (next !== undefined && refusedAddress(next) === address))
      return writeInline(inline);
    return [...writeInline(inline), textNode(` (${address})`, {})];
  });
}

/**
 * Returns the URL of a link or image if Jira refuses the URL as unsafe. Returns null if Jira
 * accepts it, or if the text already contains it.
 */
function refusedAddress(inline: AdfInline): string | null {
  if (inline.type === 'image') return refused(inline.url, inline.alt);
  return inline.type === 'text' ? refused(inline.marks.href ?? '', inline.text) : null;
}

function refused(address: string, text: string): string | null {
  return address === '' || text === '' || isAddress(address) || address.endsWith(text) ? null : address;
}

function writeInline(inline: AdfInline): AdfNode[] {
  switch (inline.type) {
    case 'break':
      return [{ type: 'hardBreak' }];
    case 'text':
      return inline.text === '' ? [] : [textNode(inline.text, inline.marks)];
    case 'image': {
      const text = inline.alt || inline.url;
      return text === '' ? [] : [textNode(text, { href: inline.url })];
    }
    case 'atom':
      return inline.source.type === 'media' ? [mediaInline(inline.source)] : [inline.source];
  }
}

/** Converts a media node to the form that is used within a line, for the same file. */
function mediaInline(node: AdfNode): AdfNode {
  if (node.attrs?.type === 'external')
    return textNode(String(node.attrs.url), { href: String(node.attrs.url) });
  const { id, collection } = node.attrs ?? {};
  return { type: 'mediaInline', attrs: { type: 'file', id, collection } };
}

/** Creates a text node. On code, Jira allows a link but no other formatting. */
function textNode(text: string, { strong, em, strike, code, href }: Marks): AdfNode {
  const emphasis = code
    ? [{ type: 'code' }]
    : [strong && 'strong', em && 'em', strike && 'strike'].flatMap(named);
  const link = href === undefined || !isAddress(href) ? [] : [{ type: 'link', attrs: { href } }];
  const marks = [...emphasis, ...link];
  return { type: 'text', text, ...(marks.length === 0 ? {} : { marks }) };
}

function named(type: string | undefined | false | true): { type: string }[] {
  return typeof type === 'string' ? [{ type }] : [];
}

/**
 * True if Jira accepts the link. Jira refuses a whole document because of one link that it
 * considers unsafe.
 */
function isAddress(href: string): boolean {
  return /^(?:https?:|mailto:|ftps?:|tel:|\/|#)/i.test(href);
}
