import { MIN_WRAPPED_LINE_CHARS } from '../suggest/sentences.ts';
import { MENTION } from './masked-mentions.ts';

/** A sentence that mentions an issue, and the heading above it. */
export interface Statement {
  start: number;
  end: number;
  /**
   * The words that introduce the sentence: the parent list item, a line that ends with a colon, or
   * the heading. Empty if there are none.
   */
  lead: string;
  /**
   * Kind of the list item that begins with this sentence. `task` has a checkbox. Null if no item
   * begins here.
   */
  item: 'task' | 'plain' | null;
}

const HEADING = /^[ \t]{0,3}(?:#{1,6}[ \t]+|h[1-6]\.[ \t]+)(?=\S)/;
const BOLD_LINE = /^[ \t]{0,3}(?:\*\*|__)[^*_]{1,80}(?:\*\*|__)[ \t]*:?[ \t]*$/;
const UNDERLINE = /^[ \t]{0,3}(?:={2,}|-{2,})[ \t]*$/;
const LIST_ITEM = /^([ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+(\[[ xX]\][ \t]+)?/;
const ENDS_WITH_COLON = /:[ \t]*(?:\*\*|__)?[ \t]*$/;
/** Maximum length of a heading or label that introduces the text below it. */
const MAX_LEAD_CHARS = 80;

const SENTENCE_END = /[.!?]{1,3}[)'’]{0,3}\s+|[。！？]|;\s|\n/gu;
const ABBREVIATED =
  /(?:^|[\s(])(?:approx|bzw|ca|cf|e\.g|etc|i\.e|incl|no|nr|resp|vgl|vs|z\.\s?b|p\. ?ej|d\.h)\.$/i;
const OPENS_STATEMENT = new RegExp(`^[\\p{Lu}\\p{Lo}\\p{N}(¿¡${MENTION}-]`, 'u');

/** A paragraph, list item or heading. */
interface Block {
  start: number;
  end: number;
  lead: string;
  item: Statement['item'];
}

/**
 * Returns the sentences of a text that mention an issue, in order. `prose` is the result of
 * `proseOf`, and `view` is the result of `maskMentions`. Runs in linear time.
 */
export function statementsIn(prose: string, view: string): Statement[] {
  const statements: Statement[] = [];
  for (const block of blocksIn(prose, view)) {
    if (!view.slice(block.start, block.end).includes(MENTION)) continue;
    let item = block.item;
    for (const [start, end] of sentencesIn(view, block)) {
      if (view.slice(start, end).includes(MENTION)) statements.push({ start, end, lead: block.lead, item });
      item = null;
    }
  }
  return statements;
}

function blocksIn(prose: string, view: string): Block[] {
  const lines = linesOf(prose);
  const blocks: Block[] = [];
  let block: Block | null = null;
  let heading = '';
  let label = '';
  let parents: { indent: number; words: string }[] = [];
  for (const [at, { start, end }] of lines.entries()) {
    const line = prose.slice(start, end);
    const next = lines[at + 1];
    const marked = HEADING.exec(line)?.[0];
    const isUnderlined =
      block === null && next !== undefined && UNDERLINE.test(prose.slice(next.start, next.end));
    if (line.trim() === '' || UNDERLINE.test(line)) {
      block = null;
    } else if (marked !== undefined || BOLD_LINE.test(line) || (isUnderlined && !LIST_ITEM.test(line))) {
      heading = leadOf(view.slice(start + (marked?.length ?? 0), end));
      [block, label, parents] = [null, '', []];
      blocks.push({ start, end, lead: '', item: null });
    } else if (LIST_ITEM.test(line)) {
      const [mark = '', indent = '', box] = LIST_ITEM.exec(line) ?? [];
      parents = parents.filter((parent) => parent.indent < indent.length);
      const lead = parents.findLast(({ words }) => words !== '')?.words ?? (label || heading);
      block = { start: start + mark.length, end, lead, item: box === undefined ? 'plain' : 'task' };
      blocks.push(block);
      parents.push({
        indent: indent.length,
        words: ENDS_WITH_COLON.test(line) ? leadOf(view.slice(block.start, end)) : '',
      });
    } else if (block !== null) {
      block.end = end;
      if (block.item === null) label = ENDS_WITH_COLON.test(line) ? leadOf(view.slice(start, end)) : '';
    } else {
      const isUnderItem = parents.length > 0 && /^[ \t]/.test(line);
      if (!isUnderItem && parents.length > 0) [parents, label] = [[], ''];
      block = { start, end, lead: label || heading, item: null };
      label = ENDS_WITH_COLON.test(line) ? leadOf(view.slice(start, end)) : '';
      blocks.push(block);
    }
  }
  return blocks;
}

/** Returns a heading or label in lower case. Empty if it is too long or mentions an issue. */
function leadOf(written: string): string {
  const words = written.replace(/\s+/g, ' ').trim().toLowerCase();
  if (words.length > MAX_LEAD_CHARS || words.includes(MENTION)) return '';
  return words.replace(/^[^\p{L}\p{N}]{1,20}/u, '').replace(/[^\p{L}\p{N}]{1,20}$/u, '');
}

function linesOf(text: string): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

function sentencesIn(view: string, block: Block): [number, number][] {
  const text = view.slice(block.start, block.end);
  const sentences: [number, number][] = [];
  let from = 0;
  let lineStart = 0;
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) {
    const end = index + mark.length;
    const isShortLine = index - lineStart < MIN_WRAPPED_LINE_CHARS;
    if (mark.includes('\n')) lineStart = end;
    if (mark === '\n' && !isShortLine && !text.slice(lineStart - 2, index).endsWith(MENTION)) continue;
    if (/^[.!?\n]/.test(mark) && !OPENS_STATEMENT.test(text.slice(end, end + 2).trimStart())) continue;
    if (mark === '\n' && text.startsWith(MENTION, end)) continue;
    if (mark.startsWith('.') && ABBREVIATED.test(text.slice(Math.max(from, index - 12), index + 1))) continue;
    sentences.push([block.start + from, block.start + end]);
    from = end;
  }
  sentences.push([block.start + from, block.end]);
  return sentences;
}
