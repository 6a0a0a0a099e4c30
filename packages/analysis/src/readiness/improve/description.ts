import { type Block, parseText, type Section } from '../../suggest/blocks.ts';
import { isQuestionLine, questionLine } from '../question-lines.ts';
import { topicOfWords } from '../topics.ts';
import { type Chunk, keepBlocks, sortBlocks } from './block-sections.ts';
import { formOf, type SectionForm, type SectionId, sectionOfTopic } from './sections.ts';

/** Origin of a line in an improved description: from the issue, or new. */
export type ImprovedLineSource = 'issue' | 'new';

export interface ImprovedDescription {
  text: string;
  sources: ImprovedLineSource[];
  changes: string[];
}

export interface DescriptionOptions {
  isBug: boolean;
  /**
   * True if text without a heading may be sorted into sections. Otherwise it stays together in the
   * first section.
   */
  isSorted: boolean;
  /** Returns true if this section should get its question when it is empty. */
  asks: (form: SectionForm) => boolean;
  /** Questions for criteria that belong to no section. */
  questions: readonly string[];
}

/** A heading of the new description and the text under it. */
interface Part {
  section: SectionId;
  /**
   * True if the heading has the highest level. New headings are inserted only before such a
   * heading.
   */
  isTop: boolean;
  heading: { block: Block; source: ImprovedLineSource };
  own: readonly Block[];
  /**
   * Text without a heading in the issue. It is inserted before the text that was under this
   * heading.
   */
  added: Chunk[];
  questions: string[];
}

const UNANSWERED = /^(?:_?no response_?|n\/?a|tb[dac]|to ?do|[-*_.…?]+)[.!]?$/i;

/**
 * Arranges a description in sections. Text under a heading stays where it is. Other text is moved
 * verbatim, sentence by sentence, to a matching section. Empty sections get a question.
 *
 * If the text already contains open questions, it gets no further ones. If it needs no change, it
 * is returned unchanged.
 */
export function improvedDescription(body: string, options: DescriptionOptions): ImprovedDescription {
  const { isBug, isSorted } = options;
  const { sections, tail } = parseText(body);
  const [lead, ...headed] = sections;
  const chunks = (isSorted ? sortBlocks : keepBlocks)(lead?.blocks ?? [], isBug);
  const plan = new Plan(headed, isBug);
  for (const chunk of chunks) plan.at(chunk.section)?.added.push(chunk);
  const isAsking = body.split('\n').some(isQuestionLine);
  const asked = isAsking ? [] : ask(plan, options);
  if (chunks.length === 0 && asked.length === 0) return unchanged(body);
  const page = new Page();
  for (const part of plan.parts) writePart(page, part);
  page.end(tail);
  const changes = [
    ...(chunks.length > 0 ? ['Sorted the description under headings.'] : []),
    ...(asked.length > 0 ? [`Asked for what is missing: ${asked.join(', ')}.`] : []),
    ...(page.closed ? ['Added the missing end of a block, such as a code block.'] : []),
  ];
  return { ...page.written(), changes };
}

function unchanged(body: string): ImprovedDescription {
  return { text: body, sources: body.split('\n').map(() => 'issue'), changes: [] };
}

/** Adds questions to empty sections. Returns the headings of the sections with questions. */
function ask(plan: Plan, { isBug, asks, questions }: DescriptionOptions): string[] {
  const asked: string[] = [];
  for (const form of formOf(isBug)) {
    if (form.question === null || !asks(form) || plan.says(form.id)) continue;
    plan.at(form.id)?.questions.push(form.question);
    asked.push(form.heading);
  }
  if (questions.length === 0) return asked;
  plan.at('notes')?.questions.push(...questions);
  return [...asked, 'Notes'];
}

/** The headings of the new description with their text, in order. */
class Plan {
  readonly parts: Part[];
  readonly #form: readonly SectionForm[];
  readonly #mark: string;

  constructor(headed: readonly Section[], isBug: boolean) {
    this.#form = formOf(isBug);
    const levels = headed.map(levelOf);
    const top = Math.min(...levels);
    this.#mark = '#'.repeat(Number.isFinite(top) ? top : 2);
    this.parts = headed.flatMap(({ heading, blocks }, index) => {
      if (heading === null) return [];
      const topic = topicOfWords(heading.words);
      return [
        {
          section: topic === null ? 'notes' : sectionOfTopic(topic, isBug),
          isTop: levels[index] === top,
          heading: { block: heading.block, source: 'issue' as const },
          own: blocks,
          added: [],
          questions: [],
        },
      ];
    });
  }

  /** Returns the part for a section. Creates it if it does not exist. */
  at(section: SectionId): Part | undefined {
    const there = this.parts.find((part) => part.section === section && part.isTop);
    if (there) return there;
    const order = this.#form.findIndex(({ id }) => id === section);
    const form = this.#form[order];
    if (form === undefined) return undefined;
    const made = newPart(form, this.#mark);
    const next = this.parts.findIndex((part) => part.isTop && this.#orderOf(part) > order);
    this.parts.splice(next < 0 ? this.parts.length : next, 0, made);
    return made;
  }

  says(section: SectionId): boolean {
    return this.parts.some(
      (part) => part.section === section && (part.added.length > 0 || isAnswered(part.own)),
    );
  }

  #orderOf({ section }: Part): number {
    return this.#form.findIndex(({ id }) => id === section);
  }
}

function newPart({ id, heading }: SectionForm, mark: string): Part {
  const block: Block = { kind: 'whole', blanks: [''], lines: [`${mark} ${heading}`], openEnd: null };
  return { section: id, isTop: true, heading: { block, source: 'new' }, own: [], added: [], questions: [] };
}

/** Returns the level of a heading, 1 to 6. A plain line used as a heading has level 2. */
function levelOf({ heading }: Section): number {
  const [first = '', underline] = heading?.block.lines ?? [];
  if (underline !== undefined) return underline.trim().startsWith('=') ? 1 : 2;
  return /^ {0,3}(#{1,6})/.exec(first)?.[1]?.length ?? 2;
}

function isAnswered(blocks: readonly Block[]): boolean {
  return blocks.some(({ lines }) => {
    const text = lines.join('\n').trim();
    return !UNANSWERED.test(text) && !/^<!--[\s\S]*-->$/.test(text);
  });
}

function writePart(page: Page, { heading, own, added, questions }: Part): void {
  page.put(heading.block.lines, heading.source, heading.block.blanks, null);
  for (const { lines, openEnd } of added) page.put(lines, 'issue', null, openEnd);
  for (const [index, { lines, blanks, openEnd }] of own.entries()) {
    page.put(lines, 'issue', index === 0 && added.length > 0 ? null : blanks, openEnd);
  }
  for (const question of questions) page.put([questionLine(question)], 'new', null, null);
}

/** The lines of the new description, with their origins. */
class Page {
  readonly #lines: string[] = [];
  readonly #sources: ImprovedLineSource[] = [];
  #openEnd: string | null = null;
  /** True if a block without an end, such as a code block, was closed. */
  closed = false;

  /** Adds lines. `blanks` are the empty lines before them; null inserts one empty line. */
  put(
    lines: readonly string[],
    source: ImprovedLineSource,
    blanks: readonly string[] | null,
    openEnd: string | null,
  ): void {
    if (this.#openEnd !== null) {
      this.#add(this.#openEnd, 'new');
      this.closed = true;
    }
    if (this.#lines.length > 0) {
      for (const blank of blanks ?? []) this.#add(blank, source);
      if (this.#lines.at(-1)?.trim() !== '' && (blanks === null || source === 'new')) this.#add('', 'new');
    }
    for (const line of lines) this.#add(line, source);
    this.#openEnd = openEnd;
  }

  end(tail: readonly string[]): void {
    for (const line of tail) this.#add(line, 'issue');
  }

  written(): { text: string; sources: ImprovedLineSource[] } {
    return { text: this.#lines.join('\n'), sources: this.#sources };
  }

  #add(line: string, source: ImprovedLineSource): void {
    this.#lines.push(line);
    this.#sources.push(source);
  }
}
