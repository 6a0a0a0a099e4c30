import MarkdownIt, { type Token } from 'markdown-it';
import { type Block, type Inline, joined, type ListItem, type Marks } from './blocks.ts';

// Treats HTML as plain text, because neither of Jira's text formats supports HTML.
const markdown = new MarkdownIt('commonmark', { html: false, linkify: true }).enable([
  'table',
  'strikethrough',
  'linkify',
]);
// Keeps links with any scheme, because Winnow never opens them. Bare URLs stay text: trackers turn
// them into links themselves. As on GitHub and GitLab, a bare URL contains no markup.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
markdown.validateLink = () => true;
markdown.normalizeLink = (url) => url;
markdown.normalizeLinkText = (text) => text;

/** Start of a task in a list: its checkbox. */
export const TASK_BOX = /^\[([ xX])\](?:\s|$)/;

/** A top-level block and the Markdown lines it was read from. */
export interface MarkdownPart {
  block: Block;
  source: string;
}

/** Parses a Markdown text into blocks. */
export function readMarkdown(text: string): MarkdownPart[] {
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  const reader = new Reader(markdown.parse(lines.join('\n'), {}));
  return reader.parts().map(({ block, from, to }) => {
    return { block, source: lines.slice(from, to).join('\n').trimEnd() };
  });
}

/** Parses a single line of Markdown. */
export function readMarkdownLine(text: string): Inline[] {
  return inlinesOf(markdown.parseInline(text, {})[0]);
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parts(): { block: Block; from: number; to: number }[] {
    const parts: { block: Block; from: number; to: number }[] = [];
    while (this.#at < this.#tokens.length) {
      const [from, to] = this.#tokens[this.#at]?.map ?? [0, 0];
      const block = this.#block();
      if (block !== null) parts.push({ block, from, to });
    }
    return parts;
  }

  #next(): Token | undefined {
    this.#at += 1;
    return this.#tokens[this.#at - 1];
  }

  /** Reads blocks until the closing token, and consumes that token. */
  #blocksUntil(close: string): Block[] {
    const blocks: Block[] = [];
    while (this.#at < this.#tokens.length && this.#tokens[this.#at]?.type !== close) {
      const block = this.#block();
      if (block !== null) blocks.push(block);
    }
    this.#at += 1;
    return blocks;
  }

  #block(): Block | null {
    const token = this.#next();
    switch (token?.type) {
      case 'paragraph_open':
        return { type: 'paragraph', inlines: this.#line() };
      case 'heading_open':
        return { type: 'heading', level: Number(token.tag.slice(1)), inlines: this.#line() };
      case 'fence':
      case 'code_block': {
        const [language = ''] = token.info.trim().split(/\s/, 1);
        return { type: 'code', language, text: token.content.replace(/\n$/, '') };
      }
      case 'hr':
        return { type: 'rule' };
      case 'blockquote_open':
        return { type: 'quote', blocks: this.#blocksUntil('blockquote_close') };
      case 'bullet_list_open':
        return { type: 'list', start: null, items: this.#items('bullet_list_close') };
      case 'ordered_list_open': {
        const start = Number(token.attrGet('start') ?? 1);
        return { type: 'list', start, items: this.#items('ordered_list_close') };
      }
      case 'table_open':
        return { type: 'table', rows: this.#rows() };
      default:
        return null;
    }
  }

  /** Consumes the token with inline content, and the token that closes its block. */
  #line(): Inline[] {
    const inline = this.#next();
    this.#at += 1;
    return inlinesOf(inline);
  }

  #items(close: string): ListItem[] {
    const items: ListItem[] = [];
    while (this.#at < this.#tokens.length && this.#tokens[this.#at]?.type !== close) {
      this.#at += 1;
      // Only the source shows that a checkbox is escaped. An escaped checkbox is plain text, not a
      // task.
      const [paragraph, line] = this.#tokens.slice(this.#at, this.#at + 2);
      const source = paragraph?.type === 'paragraph_open' ? (line?.content ?? '') : '';
      items.push(taskOf(source, this.#blocksUntil('list_item_close')));
    }
    this.#at += 1;
    return items;
  }

  #rows(): Inline[][][] {
    const rows: Inline[][][] = [];
    for (
      let token = this.#next();
      token !== undefined && token.type !== 'table_close';
      token = this.#next()
    ) {
      if (token.type === 'tr_open') rows.push([]);
      else if (token.type === 'inline') rows.at(-1)?.push(readCell(token.content));
    }
    return rows;
  }
}

function inlinesOf(token: Token | undefined): Inline[] {
  const inlines: Inline[] = [];
  const marks: Marks[] = [{}];
  const open = (more: Marks) => marks.push({ ...marks.at(-1), ...more });
  const add = (text: string, more: Marks = {}) =>
    inlines.push({ type: 'text', text, marks: { ...marks.at(-1), ...more } });
  for (const child of token?.children ?? []) {
    switch (child.type) {
      case 'strong_open':
        open({ strong: true });
        break;
      case 'em_open':
        open({ em: true });
        break;
      case 's_open':
        open({ strike: true });
        break;
      case 'link_open':
        open(child.markup === 'linkify' ? {} : { href: String(child.attrGet('href') ?? '') });
        break;
      case 'strong_close':
      case 'em_close':
      case 's_close':
      case 'link_close':
        marks.pop();
        break;
      case 'code_inline':
        add(child.content, { code: true });
        break;
      // Line breaks in the Markdown source become line breaks of the text, as in Jira.
      case 'softbreak':
      case 'hardbreak':
        inlines.push({ type: 'break' });
        break;
      case 'image':
        inlines.push({ type: 'image', alt: altOf(child), url: String(child.attrGet('src') ?? '') });
        break;
      default:
        add(child.content.replace(/\s*\n\s*/g, ' '));
    }
  }
  return joined(inlines);
}

/** Returns the alternative text of an image, without markup. */
function altOf(image: Token): string {
  return markdown.renderer.renderInlineAsText(image.children ?? [], markdown.options, {});
}

/**
 * Reads a table cell. A cell is a single line in Markdown, so its line breaks are written as HTML
 * tags.
 */
export function readCell(text: string): Inline[] {
  return text.split(/(?<=(?<!\\)(?:\\\\)*)<br ?\/?>/).flatMap((line, index): Inline[] => {
    const inlines = readMarkdownLine(line);
    return index === 0 ? inlines : [{ type: 'break' }, ...inlines];
  });
}

/** Returns a list item. It is a task if its source starts with a checkbox. */
function taskOf(source: string, blocks: Block[]): ListItem {
  const [first, ...rest] = blocks;
  const [lead, ...others] = first?.type === 'paragraph' ? first.inlines : [];
  const box = TASK_BOX.exec(source);
  if (lead?.type !== 'text' || box === null) return { checked: null, blocks };
  const inlines = joined([{ ...lead, text: lead.text.slice(box[0].length) }, ...others]);
  return { checked: box[1] !== ' ', blocks: [{ type: 'paragraph', inlines }, ...rest] };
}
