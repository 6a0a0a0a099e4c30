import type { Block, Inline } from './blocks.ts';
import { TASK_BOX } from './read-markdown.ts';
import { linesIn, writeCell, writeHeading, writeLines } from './write-markdown-line.ts';

/**
 * Writes groups of blocks as Markdown, and returns one text per group. Join the texts with empty
 * lines to get a document in which no block merges with its neighbor. A group without visible
 * content becomes an empty text.
 */
export function writeMarkdown(groups: readonly (readonly Block<unknown>[])[]): string[] {
  const lists = new ListMarks();
  return groups.map((blocks) => writeBlocks(blocks, lists));
}

/**
 * Chooses the markers of lists. Two adjacent lists with the same marker would merge, so the second
 * list gets another marker.
 */
class ListMarks {
  #last: { ordered: boolean; isOther: boolean } | null = null;

  /** Returns the marker for the items of the next block, if that block is a list. */
  next(block: Block<unknown>): string {
    if (block.type !== 'list') {
      this.#last = null;
      return '';
    }
    const ordered = block.start !== null;
    const isOther = this.#last?.ordered === ordered && !this.#last.isOther;
    this.#last = { ordered, isOther };
    if (ordered) return isOther ? ')' : '.';
    return isOther ? '*' : '-';
  }
}

function writeBlocks(blocks: readonly Block<unknown>[], lists: ListMarks): string {
  return blocks
    .filter((block) => !isEmpty(block))
    .map((block) => writeBlock(block, lists.next(block)))
    .join('\n\n');
}

function isEmpty(block: Block<unknown>): boolean {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return linesIn(block.inlines).length === 0;
    case 'quote':
      return block.blocks.every(isEmpty);
    case 'list':
      return block.items.length === 0;
    case 'table':
      return block.rows.length === 0;
    case 'code':
    case 'rule':
      return false;
  }
}

function writeBlock(block: Block<unknown>, sign: string): string {
  switch (block.type) {
    case 'paragraph':
      return writeLines(block.inlines);
    case 'heading':
      return `${'#'.repeat(Math.min(6, Math.max(1, block.level)))} ${writeHeading(block.inlines)}`;
    case 'code':
      return fenced(block.language, block.text);
    case 'quote':
      return indent(writeBlocks(block.blocks, new ListMarks()), '> ', '> ').replace(/^> $/gm, '>');
    case 'rule':
      return '___';
    case 'list':
      return block.items
        .map(({ checked, blocks }, index) => {
          const lead = block.start === null ? `${sign} ` : `${block.start + index}${sign} `;
          const text = writeBlocks(blocks, new ListMarks());
          const quoted = TASK_BOX.test(text) ? '\\' : '';
          const box = checked === null ? quoted : `[${checked ? 'x' : ' '}] `;
          return indent(box + text, lead, ' '.repeat(lead.length)).trimEnd();
        })
        .join('\n');
    case 'table':
      return writeTable(block.rows);
  }
}

function indent(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first : line === '' && others.trim() === '' ? '' : others) + line)
    .join('\n');
}

function fenced(language: string, text: string): string {
  const runs = text.match(/^\s*(`{3,})/gm)?.map((run) => run.trim().length) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${fence}${language.replace(/[`\s]/g, '')}\n${text === '' ? '' : `${text}\n`}${fence}`;
}

function writeTable(rows: readonly (readonly Inline<unknown>[])[][]): string {
  const width = Math.max(1, ...rows.map((row) => row.length));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const written = rows.map((row) =>
    line(Array.from({ length: width }, (_, index) => writeCell(row[index] ?? []))),
  );
  return [written[0], line(Array.from({ length: width }, () => '---')), ...written.slice(1)].join('\n');
}
