import type { Block, Section } from './blocks.ts';
import { ITEM_MARK, itemsOf, runsOf, sentenceStarts } from './sentences.ts';

/** A sentence of fewer words may say something else elsewhere ("No.", "Still there."), so it is never cut out. */
const FEWEST_WORDS = 4;
const FEWEST_UNSPACED = 8;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Text written in one go that says one thing: it is said twice when its key is. */
interface Statement {
  /** As written, with the white space after it. */
  text: string;
  key: string;
  isShort: boolean;
}

/** What a text says, to look up whether the other one says it too. */
export type Said = ReadonlySet<string>;

/** The keys of all that sections say. */
export function saidIn(sections: readonly Section[]): Said {
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
        ...item.map((line) => keyOf(line, topic)),
      ]);
  }
}

/** A block without what is said already; null when nothing is left of it. */
export function withoutSaid(block: Block, topic: string, said: Said): Block | null {
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

/** Whether all of a block is said. */
export function isSaid(block: Block, topic: string, said: Said): boolean {
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

/** Of each line of a block, whether it is said. */
export function saidLines(block: Block, topic: string, said: Said): boolean[] {
  const all = isSaid(block, topic, said);
  if (all || block.kind === 'whole' || block.kind === 'numbered') return block.lines.map(() => all);
  const parts = block.kind === 'bullets' ? itemsOf(block.lines) : runsOf(block.lines);
  return parts.flatMap((lines) => {
    const part = { ...block, lines };
    const partSaid = isSaid(part, topic, said);
    return lines.map(() => partSaid);
  });
}

function isItemSaid(item: string[], topic: string, said: Said): boolean {
  return (
    said.has(itemKey(item, topic)) || item.every((line) => line.trim() === '' || said.has(keyOf(line, topic)))
  );
}

function linesLeft(run: string[], topic: string, said: Said): string[] {
  const statements = statementsOf(run, topic);
  const left = statements.filter(({ key, isShort }) => isShort || !said.has(key));
  if (left.length === statements.length) return run;
  const text = left
    .map((statement) => statement.text)
    .join('')
    .trimEnd();
  return text === '' ? [] : text.split('\n');
}

/** Sentences, cut only where nothing in marks or brackets is open. */
function statementsOf(run: readonly string[], topic: string): Statement[] {
  const text = run.join('\n');
  const found: Statement[] = [];
  const add = (from: number, to: number) => {
    const written = text.slice(from, to);
    if (written.trim() !== '')
      found.push({ text: written, key: keyOf(written, topic), isShort: isShort(written) });
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
  if (UNSPACED.test(text)) return text.trim().length < FEWEST_UNSPACED;
  return text.trim().split(/\s+/, FEWEST_WORDS).length < FEWEST_WORDS;
}

function itemKey(item: readonly string[], topic: string): string {
  return keyOf(item.join('\n'), topic);
}

/** Two statements are one when they agree in all but white space, the list's mark, the first capital and the last dot. */
function keyOf(text: string, topic: string): string {
  const plain = text.replace(ITEM_MARK, '').replace(/\s+/g, ' ').trim().normalize('NFC');
  const undotted = plain.replace(/[.,;]$/, '');
  const opening = /^\p{Lu}(?=[\p{Ll} ])/u.exec(undotted)?.[0] ?? '';
  return `${topic}\n${opening.toLowerCase()}${undotted.slice(opening.length)}`;
}

/** A log or a picture is the same under any heading. */
function wholeKey(lines: readonly string[]): string {
  return `\n${lines.map((line) => line.trimEnd()).join('\n')}`;
}

function trimmedEnd(lines: string[]): string[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.trim() === '') end -= 1;
  return lines.slice(0, end);
}
