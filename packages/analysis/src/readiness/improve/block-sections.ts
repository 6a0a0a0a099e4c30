import { withoutLineMark } from '../../markup.ts';
import type { Block } from '../../suggest/blocks.ts';
import { itemsOf, runsOf, sentenceStarts } from '../../suggest/sentences.ts';
import { testability } from '../checks/acceptance.ts';
import { explanation } from '../checks/approach.ts';
import { namesIssue } from '../identifiers.ts';
import { contrastCue, dependenceCue, independenceCue, scopeLimitCue } from '../lexicon.ts';
import { labelOf, type Topic, topicOfLead, topicOfWords } from '../topics.ts';
import { countWords } from '../word-count.ts';
import { type SectionId, sectionOfTopic } from './sections.ts';

/** Lines of a description that stay together, and their section. */
export interface Chunk {
  section: SectionId;
  lines: string[];
  /** Line that closes the block, such as a code fence, if the block is not closed; else null. */
  openEnd: string | null;
}

/** Matches words at the start of a sentence that refer to the previous sentence. */
const REFERS_BACK =
  /^(?:it|its|this|that|they|these|those|then|but|so|and|or|also|otherwise|however|he|she|both|there|here|such|neither|either|because|in that case|for example|e\.g|es|das|dies\p{L}*|sie|dann|aber|denn|il|elle|cela|mais|esto|pero)(?!\p{L})|^(?:それ|これ|その|この|また|しかし)/iu;
/**
 * Minimum words of a sentence that may move to another section. A shorter sentence stays with the
 * previous one.
 */
const MIN_INDEPENDENT_SENTENCE_WORDS = 5;
/** Matches a line that only names the reporter's system. */
const SYSTEM_LINE =
  /^[^.!?]{0,30}(?:v?\d+\.\d+|windows|macos|linux|android|ios|chrome|firefox|safari)[^!?]{0,60}$/i;
/** Matches characters that start a Markdown block, such as a list or a quote. */
const OPENS_BLOCK = /^(?:[-*+•#>|=~`]|\d{1,9}[.)])/;
/** A sentence belongs to the approach if its `explanation` is at least this value. */
const MIN_EXPLANATION_SCORE = 0.4;
/** A list item is an acceptance criterion if its `testability` is at least this value. */
const MIN_TESTABILITY = 0.4;

/**
 * Sorts a description without headings into sections. Prose may be split between sentences. Other
 * blocks, such as lists and code, stay whole.
 */
export function sortBlocks(blocks: readonly Block[], isBug: boolean): Chunk[] {
  const chunks: Chunk[] = [];
  let at = 0;
  while (at < blocks.length) {
    const block = blocks[at];
    if (block === undefined) break;
    const before = chunks.at(-1)?.section ?? (isBug ? 'happens' : 'goal');
    const next = blocks[at + 1];
    const last = block.lines.at(-1) ?? '';
    const isLead = block.kind === 'prose' && next !== undefined && next.kind !== 'prose' && leads(last);
    if (isLead) {
      const section = sectionOfLead(last, isBug) ?? sectionOfBlock(next, before, isBug);
      const prose = { ...block, lines: block.lines.slice(0, -1) };
      if (prose.lines.length > 0) chunks.push(...sortProse(prose, chunks.at(-1)?.section, isBug));
      chunks.push({ section, lines: [last, ...next.blanks, ...next.lines], openEnd: next.openEnd });
      at += 2;
      continue;
    }
    if (block.kind === 'prose') chunks.push(...sortProse(block, chunks.at(-1)?.section, isBug));
    else
      chunks.push({
        section: sectionOfBlock(block, before, isBug),
        lines: block.lines,
        openEnd: block.openEnd,
      });
    at += 1;
  }
  return chunks;
}

/** Puts the whole text into the first section, without splitting it. */
export function keepBlocks(blocks: readonly Block[], isBug: boolean): Chunk[] {
  const lines = blocks.flatMap((block, index) =>
    index === 0 ? block.lines : [...block.blanks, ...block.lines],
  );
  const openEnd = blocks.at(-1)?.openEnd ?? null;
  return lines.length === 0 ? [] : [{ section: isBug ? 'happens' : 'goal', lines, openEnd }];
}

/** True if a line introduces the text after it, such as “Steps:”. */
function leads(line: string): boolean {
  const label = labelOf(line);
  if (label !== null) return line.slice(label.length).trim() === '';
  return /[:：]\s*$/.test(line) || topicOfLead(line) !== null;
}

function sectionOfLead(line: string, isBug: boolean): SectionId | null {
  const topic = labelOf(line)?.topic ?? topicOfWords(line.slice(-120));
  return topic === null ? null : sectionOfTopic(topic, isBug);
}

function sectionOfBlock(block: Block, before: SectionId, isBug: boolean): SectionId {
  switch (block.kind) {
    case 'prose':
    case 'whole':
      return before;
    case 'numbered':
      return isBug ? 'steps' : 'approach';
    case 'bullets': {
      const items = itemsOf(block.lines).map((lines) => statementOf(lines.join(' '), 'item', null));
      const testable = items.filter((item) => testability(item, isBug) >= MIN_TESTABILITY).length;
      if (testable * 2 > items.length) return 'acceptance';
      return isBug ? 'notes' : 'scope';
    }
  }
}

/**
 * Sorts sentences into sections. Joins consecutive sentences of the same section. The first
 * sentence always goes to the first section.
 */
function sortProse(block: Block, before: SectionId | undefined, isBug: boolean): Chunk[] {
  const first = isBug ? 'happens' : 'goal';
  const sorted: { section: SectionId; text: string }[] = [];
  let labeled: SectionId | null = null;
  for (const run of runsOf(block.lines)) {
    const [line = ''] = run;
    const label =
      run.length === 1 && labelOf(line) !== null && leads(line) ? sectionOfLead(line, isBug) : null;
    labeled = label ?? labeled;
    for (const [at, sentence] of sentencesOf(run.join('\n')).entries()) {
      const last = sorted.at(-1);
      const isOpening = before === undefined && last === undefined && labelOf(sentence) === null;
      const fitting = isOpening ? first : sectionOfSentence(sentence, isBug);
      const goesOn = fitting !== 'expected' && last !== undefined && continues(sentence.trimStart(), at > 0);
      const section = labeled ?? (goesOn ? last.section : fitting);
      if (last?.section !== section) sorted.push({ section, text: sentence.trimStart() });
      else last.text += at > 0 ? sentence : `\n${sentence}`;
    }
  }
  if (sorted.length < 2) {
    return [{ section: sorted[0]?.section ?? before ?? first, lines: block.lines, openEnd: block.openEnd }];
  }
  return sorted.map(({ section, text }) => ({ section, lines: text.trimEnd().split('\n'), openEnd: null }));
}

function continues(sentence: string, isInLine: boolean): boolean {
  if (REFERS_BACK.test(sentence) || /^[\p{Ll}(]/u.test(sentence)) return true;
  return isInLine && (SYSTEM_LINE.test(sentence) || countWords(sentence) < MIN_INDEPENDENT_SENTENCE_WORDS);
}

/**
 * Splits lines into sentences, each with the white space after it. If a sentence would start a
 * Markdown block, it is not split from the previous one.
 */
function sentencesOf(run: string): string[] {
  const starts = sentenceStarts(run).filter(
    (start) => !OPENS_BLOCK.test(run.slice(start, start + 20).trimStart()),
  );
  return [0, ...starts].map((start, index) => run.slice(start, starts[index]));
}

function sectionOfSentence(sentence: string, isBug: boolean): SectionId {
  const label = labelOf(sentence);
  if (label?.topic) return sectionOfTopic(label.topic, isBug);
  const text = sentence.trim();
  const statement = statementOf(text, 'prose', null);
  const isAsking = /[?？]$/.test(text);
  if (isBug) {
    if (!isAsking && contrastCue(text)) return 'expected';
    return SYSTEM_LINE.test(text) || explanation(statement, true) >= MIN_EXPLANATION_SCORE
      ? 'notes'
      : 'happens';
  }
  if (independenceCue(text) || (dependenceCue(text) && namesIssue(text))) return 'dependencies';
  if (isAsking) return 'goal';
  if (scopeLimitCue(text) && statement.words <= 20) return 'scope';
  if (explanation(statement, false) >= MIN_EXPLANATION_SCORE) return 'approach';
  return 'goal';
}

function statementOf(written: string, kind: 'prose' | 'item', topic: Topic | null) {
  const text = withoutLineMark(written).trim();
  return { text, kind, topic, words: countWords(text) };
}
