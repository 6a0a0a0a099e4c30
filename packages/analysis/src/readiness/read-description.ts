import { maskedMarkup, withoutLineMark } from '../markup.ts';
import { isTraceLine } from '../stack-lines.ts';
import { type Block, parseText, type Section } from '../suggest/blocks.ts';
import { ITEM_MARK, runsOf, sentenceStarts } from '../suggest/sentences.ts';
import { isQuestionLine } from './question-lines.ts';
import { passageOf, type Statement, statementOf } from './statement.ts';
import { labelOf, type Topic, topicOfLead, topicOfWords } from './topics.ts';
import type { Evidence } from './types.ts';
import { countWords } from './word-count.ts';

/** Maximum characters of a description that are read. No supported tracker permits longer ones. */
export const MAX_READ_CHARS = 65_536;
const MAX_STATEMENTS = 500;
const RULE = /^[|+=\-: _*#~^]{3,}$/;
/** Matches the tags around code in Jira's wiki markup. */
const WIKI_CODE = /\{(?:code|noformat)(?:[:=][^{}\n]{0,300})?\}/gi;
/** Minimum words of a heading that counts as a sentence. Questions never count as one. */
const MIN_HEADING_SENTENCE_WORDS = 7;

/** A block of code, a log or a stack trace. */
export interface CodeBlock extends Evidence {
  isTrace: boolean;
}

/** Splits a description into statements, each with its position in the text. */
export class DescriptionReader {
  readonly statements: Statement[] = [];
  readonly code: CodeBlock[] = [];
  readonly #text: string;
  readonly #lineStarts: number[] = [0];
  readonly #seenKeys = new Set<string>();
  #line = 0;
  #topic: Topic | null = null;

  constructor(body: string) {
    this.#text = maskedMarkup(this.#withoutWikiCode(body.slice(0, MAX_READ_CHARS)));
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1)) {
      this.#lineStarts.push(at + 1);
    }
  }

  read(): void {
    for (const { heading, blocks } of parseText(this.#text).sections) {
      if (heading) {
        this.#line += heading.block.blanks.length;
        if (blocks.length === 0 && isWikiItem(heading)) {
          this.#addItem(this.#startOf(this.#line), this.#endOf(this.#line), 'step');
        }
        this.#line += heading.block.lines.length;
        this.#topic = topicOfWords(heading.words);
      }
      const ofSection = this.#topic;
      for (const [index, block] of blocks.entries()) {
        const next = blocks[index + 1];
        this.#line += block.blanks.length;
        this.#readBlock(block, ofSection, next !== undefined && next.kind !== 'prose');
        this.#line += block.lines.length;
      }
      this.#topic = null;
    }
  }

  /** Replaces code blocks in wiki markup by blanks. Offsets stay valid. */
  #withoutWikiCode(text: string): string {
    const marks = text.includes('{') ? [...text.matchAll(WIKI_CODE)] : [];
    let kept = '';
    let from = 0;
    for (let index = 0; index + 1 < marks.length; index += 2) {
      const [open, close] = [marks[index], marks[index + 1]];
      if (open === undefined || close === undefined) break;
      const inside = text.slice(open.index + open[0].length, close.index);
      // Text between two code tags on one line is part of a sentence, usually a name.
      if (!inside.includes('\n')) continue;
      const end = close.index + close[0].length;
      if (/\S/.test(inside)) {
        const isTrace = inside.split('\n').some(isTraceLine);
        this.code.push({ ...passageOf('body', text, open.index, end), isTrace });
      }
      kept += text.slice(from, open.index) + text.slice(open.index, end).replace(/[^\n]/g, ' ');
      from = end;
    }
    return kept + text.slice(from);
  }

  #readBlock(block: Block, ofSection: Topic | null, isLead: boolean): void {
    const [first = ''] = block.lines;
    switch (block.kind) {
      case 'prose': {
        this.#topic = ofSection;
        this.#readProse(block.lines, isLead);
        break;
      }
      case 'bullets':
      case 'numbered':
        this.#readList(block.lines, block.kind === 'numbered' ? 'step' : 'item');
        break;
      case 'whole':
        if (/^ {0,3}[>|]/.test(first)) this.#readRows(block.lines);
        else this.#addCode(block.lines);
    }
  }

  /**
   * Reads the sentences of lines of prose. A line that is only a label sets the topic of the lines
   * and the list after it.
   */
  #readProse(lines: readonly string[], isLead: boolean): void {
    let at = this.#line;
    const runs = runsOf(lines);
    for (const [index, run] of runs.entries()) {
      const first = run[0] ?? '';
      const lead = isLead && index === runs.length - 1 && run.length === 1 ? topicOfLead(first) : null;
      const label = labelOf(first) ?? (lead === null ? null : { topic: lead, length: first.length });
      const from = this.#startOf(at);
      const to = this.#endOf(at + run.length - 1);
      at += run.length;
      if (run.every(isTraceLine)) {
        this.#pushCode(from, to, true);
        continue;
      }
      if (isQuestionLine(first)) continue;
      const isLabelAlone = label !== null && first.slice(label.length).trim() === '';
      const before = this.#topic;
      if (label?.topic) this.#topic = label.topic;
      else if (/[:：]\s*$/.test(first)) this.#topic = topicOfWords(first.slice(-120)) ?? before;
      if (!isLabelAlone || run.length > 1) this.#addSentences(from + (label?.length ?? 0), to);
      if (label !== null && !isLabelAlone) this.#topic = before;
    }
  }

  #addSentences(from: number, to: number): void {
    let start = from;
    for (const next of sentenceStarts(this.#text.slice(from, to))) {
      this.#add(start, from + next, 'prose');
      start = from + next;
    }
    this.#add(start, to, 'prose');
  }

  /** Reads list items of all levels, each together with the lines that continue it. */
  #readList(lines: readonly string[], kind: 'item' | 'step'): void {
    let start = -1;
    let fence = -1;
    const close = (line: number) => {
      if (start >= 0 && line > 0) this.#addItem(start, this.#endOf(line - 1), kind);
      start = -1;
    };
    for (const [index, line] of lines.entries()) {
      const at = this.#line + index;
      if (/^\s*(?:`{3,}|~{3,})/.test(line)) {
        if (fence < 0) close(at);
        else this.#pushCode(this.#startOf(fence), this.#endOf(at), false);
        fence = fence < 0 ? at : -1;
      } else if (fence < 0 && (ITEM_MARK.test(line) || start < 0)) {
        close(at);
        start = this.#startOf(at);
      }
    }
    if (fence < 0) close(this.#line + lines.length);
  }

  #addItem(start: number, end: number, kind: 'item' | 'step'): void {
    const written = this.#text.slice(start, end);
    const mark = written.length - withoutLineMark(written).length;
    const label = labelOf(written.slice(mark).split('\n', 1)[0] ?? '');
    if (isQuestionLine(written.slice(mark))) return;
    const before = this.#topic;
    if (label?.topic) this.#topic = label.topic;
    this.#add(start + mark, end, kind);
    this.#topic = before;
  }

  #readRows(lines: readonly string[]): void {
    for (const [index, line] of lines.entries()) {
      const at = this.#line + index;
      const mark = /^[\s>|]*/.exec(line)?.[0].length ?? 0;
      if (!RULE.test(line.trim()) && !isTraceLine(line))
        this.#add(this.#startOf(at) + mark, this.#endOf(at), 'prose');
    }
  }

  #addCode(lines: readonly string[]): void {
    const [start, end] = [this.#startOf(this.#line), this.#endOf(this.#line + lines.length - 1)];
    const isEmpty = !/\S/.test(this.#text.slice(start, end).replace(/[`~]{3,}/g, ''));
    if (!isEmpty) this.#pushCode(start, end, lines.some(isTraceLine));
  }

  #pushCode(start: number, end: number, isTrace: boolean): void {
    this.code.push({ ...passageOf('body', this.#text, start, end), isTrace });
  }

  #add(start: number, end: number, kind: Statement['kind']): void {
    if (this.statements.length === MAX_STATEMENTS) return;
    const statement = statementOf('body', this.#text, { start, end }, kind, this.#topic);
    if (statement === null) return;
    const key = statement.text.toLowerCase();
    if (this.#seenKeys.has(key)) return;
    this.#seenKeys.add(key);
    this.statements.push(statement);
  }

  #startOf(line: number): number {
    return this.#lineStarts[line] ?? this.#text.length;
  }

  #endOf(line: number): number {
    const next = this.#lineStarts[line + 1];
    return next === undefined ? this.#text.length : next - 1;
  }
}

/**
 * True if a `#` heading is in fact a numbered item of Jira's wiki markup. Such an item is a long
 * sentence without text under it.
 */
function isWikiItem({ words, block }: NonNullable<Section['heading']>): boolean {
  const line = block.lines[0]?.trim() ?? '';
  return line.startsWith('# ') && !/[?？]$/.test(line) && countWords(words) >= MIN_HEADING_SENTENCE_WORDS;
}
