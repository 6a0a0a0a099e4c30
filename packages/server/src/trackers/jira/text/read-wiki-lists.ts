import { type Block, type Inline, joined, type ListItem, withBox } from './blocks.ts';
import { readWikiLine } from './read-wiki-line.ts';

type WikiBlock = Block<string>;
type WikiInline = Inline<string>;
type WikiList = Extract<WikiBlock, { type: 'list' }>;

const LIST_ITEM = /^\s*([*#]+|-+)\s+(.*)$/;

/**
 * A list item as written in the markup: one list character per nesting level, then its text and
 * blocks in order.
 */
interface Item {
  signs: string;
  parts: (string | WikiBlock)[];
}

/** True if the line starts a list item. */
export function isItem(line: string): boolean {
  return LIST_ITEM.test(line);
}

/** Collects list items, then builds nested lists from them. */
export class ItemReader {
  readonly #items: Item[] = [];

  get count(): number {
    return this.#items.length;
  }

  addLine(line: string): void {
    const [, signs, text = ''] = LIST_ITEM.exec(line) ?? [];
    const last = this.#items.at(-1);
    const before = last?.parts.at(-1);
    if (signs !== undefined) this.#items.push({ signs, parts: [text] });
    else if (typeof before === 'string') last?.parts.splice(-1, 1, `${before}\n${line.trim()}`);
    else last?.parts.push(line.trim());
  }

  /** Appends blocks to the latest item. */
  addBlocks(blocks: readonly WikiBlock[]): void {
    this.#items.at(-1)?.parts.push(...blocks);
  }

  lists(): WikiBlock[] {
    return listsOf(this.#items, 0);
  }
}

/**
 * Builds the lists at one nesting depth. Adjacent items with the same list character form one list.
 */
function listsOf(items: readonly Item[], depth: number): WikiBlock[] {
  const lists: WikiList[] = [];
  let deeper: Item[] = [];
  const endItem = () => {
    const item = lists.at(-1)?.items.at(-1);
    item?.blocks.push(...listsOf(deeper, depth + 1));
    deeper = [];
  };
  for (const { signs, parts } of items) {
    const start = signs[depth] === '#' ? 1 : null;
    const isDeeper = signs.length > depth + 1 && !/^-+$/.test(signs.slice(0, depth + 1));
    if (isDeeper && lists.length > 0) {
      deeper.push({ signs, parts });
      continue;
    }
    endItem();
    const blocks = parts.flatMap((part): WikiBlock[] =>
      typeof part === 'string' ? paragraphsOf(part) : [part],
    );
    const item: ListItem<string> = withBox({ checked: null, blocks });
    const last = lists.at(-1);
    if (last !== undefined && last.start === start) last.items.push(item);
    else lists.push({ type: 'list', start, items: [item] });
  }
  endItem();
  return lists;
}

/**
 * Splits the text of an item into paragraphs at each pair of line breaks. Authors use these because
 * an empty line would end the list.
 */
function paragraphsOf(text: string): WikiBlock[] {
  const paragraphs: WikiInline[][] = [[]];
  let breaks: WikiInline[] = [];
  for (const inline of readWikiLine(text)) {
    if (inline.type === 'break') {
      breaks.push(inline);
      continue;
    }
    const last = paragraphs.at(-1);
    if (breaks.length > 1 && last?.length !== 0) paragraphs.push([inline]);
    else last?.push(...(last.length === 0 ? [] : breaks), inline);
    breaks = [];
  }
  return paragraphs.map((inlines) => ({ type: 'paragraph', inlines: joined(inlines) }));
}
