import { normalized } from '../normalized.ts';
import type { Block, Section } from './blocks.ts';
import { ITEM_MARK, itemsOf, runsOf, sentenceStarts } from './sentences.ts';

/**
 * Minimum words of a sentence that may be left out as a repetition. The meaning of a shorter one,
 * such as "No.", depends on the text around it.
 */
const MIN_REMOVABLE_WORDS = 4;
/** Minimum characters of such a sentence in a script without spaces. */
const MIN_REMOVABLE_UNSPACED_CHARS = 8;
const HAS_UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** A sentence or a list item. Two statements with the same key are repetitions. */
interface Statement {
  /** The original text, including the white space after it. */
  text: string;
  key: string;
  isShort: boolean;
}

/** Keys of all statements of a text. Another text is searched for the same keys. */
export type StatementKeys = ReadonlySet<string>;

/** Returns the keys of all statements in these sections. */
export function statementKeysIn(sections: readonly Section[]): StatementKeys {
  const said = new Set<string>();
  for (const { topic, blocks } of sections) {
    for (const block of blocks) {
      for (const key of keysOf(block, topic)) said.add(key);
    }
  }
  return said;
}

function keysOf(block: Block, topic: string): string[] {
  switch (block.kind) {
    case 'whole':
      return [wholeKey(block.lines)];
    case 'prose':
      return runsOf(block.lines).flatMap((run) => statementsOf(run, topic).map(({ key }) => key));
    case 'bullets':
    case 'numbered':
      return itemsOf(block.lines).flatMap((item) => [
        itemKey(item, topic),
        ...item.map((line) => statementKey(line, topic)),
      ]);
  }
}

/**
 * Removes statements from a block if the other text contains them. Returns null if no statement is
 * left.
 */
export function withoutRepeated(block: Block, topic: string, said: StatementKeys): Block | null {
  switch (block.kind) {
    case 'whole':
    case 'numbered':
      return isSaid(block, topic, said) ? null : block;
    case 'bullets': {
      const kept = itemsOf(block.lines).filter((item) => !isItemSaid(item, topic, said));
      return kept.length === 0 ? null : { ...block, lines: trimmedEnd(kept.flat()) };
    }
    case 'prose': {
      if (isSaid(block, topic, said)) return null;
      return { ...block, lines: runsOf(block.lines).flatMap((run) => linesLeft(run, topic, said)) };
    }
  }
}

/** True if the other text contains all statements of this block. */
function isSaid(block: Block, topic: string, said: StatementKeys): boolean {
  switch (block.kind) {
    case 'whole':
      return said.has(wholeKey(block.lines));
    case 'bullets':
    case 'numbered':
      return itemsOf(block.lines).every((item) => isItemSaid(item, topic, said));
    case 'prose':
      return keysOf(block, topic).every((key) => said.has(key));
  }
}

/** Returns, for each line of a block, true if the other text contains it. */
export function repeatedLines(block: Block, topic: string, said: StatementKeys): boolean[] {
  const all = isSaid(block, topic, said);
  if (all || block.kind === 'whole' || block.kind === 'numbered') return block.lines.map(() => all);
  const parts = block.kind === 'bullets' ? itemsOf(block.lines) : runsOf(block.lines);
  return parts.flatMap((lines) => {
    const part = { ...block, lines };
    const partSaid = isSaid(part, topic, said);
    return lines.map(() => partSaid);
  });
}

function isItemSaid(item: string[], topic: string, said: StatementKeys): boolean {
  return (
    said.has(itemKey(item, topic)) ||
    item.every((line) => line.trim() === '' || said.has(statementKey(line, topic)))
  );
}

function linesLeft(run: string[], topic: string, said: StatementKeys): string[] {
  const statements = statementsOf(run, topic);
  const left = statements.filter(({ key, isShort }) => isShort || !said.has(key));
  if (left.length === statements.length) return run;
  const text = left
    .map((statement) => statement.text)
    .join('')
    .trimEnd();
  return text === '' ? [] : text.split('\n');
}

/** Splits text into sentences. Never splits inside code or brackets. */
function statementsOf(run: readonly string[], topic: string): Statement[] {
  const text = run.join('\n');
  const found: Statement[] = [];
  const add = (from: number, to: number) => {
    const written = text.slice(from, to);
    if (written.trim() !== '')
      found.push({ text: written, key: statementKey(written, topic), isShort: isShort(written) });
  };
  let from = 0;
  for (const start of sentenceStarts(text)) {
    add(from, start);
    from = start;
  }
  add(from, text.length);
  return found;
}

function isShort(text: string): boolean {
  if (HAS_UNSPACED_SCRIPT.test(text)) return text.trim().length < MIN_REMOVABLE_UNSPACED_CHARS;
  return text.trim().split(/\s+/, MIN_REMOVABLE_WORDS).length < MIN_REMOVABLE_WORDS;
}

function itemKey(item: readonly string[], topic: string): string {
  return statementKey(item.join('\n'), topic);
}

/**
 * Returns the key of a statement. It ignores white space, the list mark, the case of the first
 * letter, and a final period, comma or semicolon.
 */
function statementKey(text: string, topic: string): string {
  const plain = normalized(text.replace(ITEM_MARK, '').replace(/\s+/g, ' ').trim(), 'NFC');
  const undotted = plain.replace(/[.,;]$/, '');
  const opening = /^\p{Lu}(?=[\p{Ll} ])/u.exec(undotted)?.[0] ?? '';
  return `${topic}\n${opening.toLowerCase()}${undotted.slice(opening.length)}`;
}

/**
 * Returns the key of a block that is never split. The heading has no influence: a log or an image
 * means the same in any section.
 */
function wholeKey(lines: readonly string[]): string {
  return `\n${lines.map((line) => line.trimEnd()).join('\n')}`;
}

function trimmedEnd(lines: string[]): string[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.trim() === '') end -= 1;
  return lines.slice(0, end);
}
