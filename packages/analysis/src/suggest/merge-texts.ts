import { type Block, type ParsedText, parseText, type Section } from './blocks.ts';
import { FACTS, isFormHeading } from './headings.ts';
import { type Said, saidIn, saidLines, withoutSaid } from './statements.ts';

/** Where a line of a merged text came from: one of the issues, both, or neither. */
export type LineSource = 'issue1' | 'issue2' | 'both' | 'new';

/** A text with the source of each of its lines, and what the second issue had to add to the first. */
export interface MergedText {
  text: string;
  sources: LineSource[];
  /** Parts that were taken over from the second issue. */
  added: number;
  /** Parts of the second issue that the first one says too. */
  repeated: number;
  /** Parts that would have made the text longer than `longest`. */
  leftOut: number;
}

export interface MergeOptions {
  /** How the second issue is named in the text. */
  secondName: string;
  /** The most characters a text may have. */
  longest: number;
}

/** What a form's field says that nobody filled in. */
const NO_ANSWER = /^_?no response_?\.?$/i;

/**
 * One text that says all that two texts say. The first one stays as it is, line for line; what only the second one says goes
 * where the first one speaks of the same, under the headings that are there, and what both say stands once. Nothing is put
 * in other words. Merging a text with itself is that text.
 */
export function mergeTexts(first: string, second: string, { secondName, longest }: MergeOptions): MergedText {
  const [one, other] = [parseText(first), parseText(second)];
  const plan = new MergePlan(one, secondName);
  plan.take(other, saidIn(one.sections));
  const saidBySecond = saidIn(other.sections);
  const topicsOfSecond = new Set(other.sections.flatMap(({ heading, topic }) => (heading ? [topic] : [])));
  const { additions, added, repeated } = plan;
  // The last parts are left out first, so that what is kept reads on as the issue that it comes from.
  let [kept, tooMany] = [-1, additions.length + 1];
  let written = unchanged(first);
  for (let tried = additions.length; kept + 1 < tooMany; tried = (kept + tooMany) >> 1) {
    const candidate = write(one, plan, tried, { saidBySecond, topicsOfSecond });
    if (candidate.text.length <= longest) [kept, written] = [tried, candidate];
    else tooMany = tried;
  }
  const taken = additions.slice(0, Math.max(0, kept)).filter(({ counts }) => counts).length;
  return { ...written, added: taken, repeated, leftOut: added - taken };
}

/** A text that nothing could be added to. */
function unchanged(text: string): { text: string; sources: LineSource[] } {
  return { text, sources: text === '' ? [] : text.split('\n').map(() => 'issue1') };
}

/** A block of the second issue, and the section of the first one at whose end it goes. */
interface Addition {
  at: Section;
  block: Block;
  source: LineSource;
  /** It stood right behind the block before it, so that it keeps its distance from that one. */
  follows: Block | null;
  /** It is a part of the second issue, not a heading or words that lead to one. */
  counts: boolean;
}

/** Decides which blocks of the second issue are taken over, and where they go. */
class MergePlan {
  readonly sections: Section[];
  readonly additions: Addition[] = [];
  added = 0;
  repeated = 0;
  readonly #secondName: string;
  readonly #byTopic = new Map<string, Section>();
  readonly #withNumbered: Set<Section>;
  #cursor: Section;

  constructor(first: ParsedText, secondName: string) {
    this.sections = [...first.sections];
    this.#secondName = secondName;
    this.#cursor = this.sections[0] ?? emptySection(FACTS);
    for (const section of this.sections) {
      const isThere = section.heading !== null || section.blocks.length > 0;
      if (isThere && !this.#byTopic.has(section.topic)) this.#byTopic.set(section.topic, section);
    }
    this.#withNumbered = new Set(this.sections.filter(({ blocks }) => blocks.some(isNumbered)));
  }

  take({ sections }: ParsedText, said: Said): void {
    for (const section of sections) this.#takeSection(section, said);
  }

  #takeSection(section: Section, said: Said): void {
    const { topic, heading, blocks } = section;
    const left = blocks.flatMap((block, index) => {
      const rest = isUnanswered(block) ? null : withoutSaid(block, topic, said);
      if (rest?.lines.join('\n') !== block.lines.join('\n')) this.repeated += 1;
      return rest === null ? [] : [{ rest, index }];
    });
    const place = this.#placeOf(section);
    if (place) this.#cursor = place;
    if (left.length === 0 && (heading === null || isFormHeading(heading.words))) return;
    let [before, beforeIndex]: [Block | null, number] = [null, -1];
    if (!place && heading) {
      this.#open(section, heading.block);
      before = heading.block;
    }
    const at = this.#cursor;
    for (const { rest, index } of left) {
      let follows = index === beforeIndex + 1 ? before : null;
      if (isNumbered(rest) && this.#withNumbered.has(at)) {
        const lead: Block = { kind: 'prose', blanks: [], lines: [`In ${this.#secondName}:`], openEnd: null };
        this.additions.push({ at, block: lead, source: 'new', follows: null, counts: false });
        follows = null;
      }
      this.additions.push({ at, block: rest, source: 'issue2', follows, counts: true });
      this.added += 1;
      if (isNumbered(rest)) this.#withNumbered.add(at);
      [before, beforeIndex] = [rest, index];
    }
  }

  /** Where the first issue speaks of the same; undefined where it does not. */
  #placeOf({ topic, heading }: Section): Section | undefined {
    return this.#byTopic.get(topic) ?? (heading === null ? this.sections[0] : undefined);
  }

  /** Opens a section of the second issue behind the one where its text was put last. */
  #open({ topic }: Section, heading: Block): void {
    const opened = emptySection(topic);
    this.sections.splice(this.sections.indexOf(this.#cursor) + 1, 0, opened);
    this.#byTopic.set(topic, opened);
    this.additions.push({ at: opened, block: heading, source: 'issue2', follows: null, counts: false });
    this.#cursor = opened;
  }
}

function isNumbered({ kind }: Block): boolean {
  return kind === 'numbered';
}

function emptySection(topic: string): Section {
  return { topic, heading: null, blocks: [] };
}

function isUnanswered({ lines }: Block): boolean {
  return lines.length === 1 && NO_ANSWER.test(lines[0]?.trim() ?? '');
}

/** Writes the first issue's text with the first `kept` additions in their places. */
function write(
  first: ParsedText,
  plan: MergePlan,
  kept: number,
  { saidBySecond, topicsOfSecond }: { saidBySecond: Said; topicsOfSecond: ReadonlySet<string> },
): { text: string; sources: LineSource[] } {
  const bySection = Map.groupBy(plan.additions.slice(0, kept), ({ at }) => at);
  const page = new Page();
  for (const section of plan.sections) {
    const { topic, heading, blocks } = section;
    const additions = bySection.get(section) ?? [];
    const ofHeading = sourceOf(topicsOfSecond.has(topic));
    if (heading)
      page.put(
        heading.block,
        'own',
        heading.block.lines.map(() => ofHeading),
      );
    for (const block of blocks) {
      // An unanswered field is answered by the other issue.
      if (additions.length > 0 && isUnanswered(block)) continue;
      page.put(block, 'own', saidLines(block, topic, saidBySecond).map(sourceOf));
    }
    for (const { block, source, follows } of additions) {
      page.put(
        block,
        follows !== null && page.endsWith(follows) ? 'own' : 'apart',
        block.lines.map(() => source),
      );
    }
  }
  page.end(first.tail);
  return page.written();
}

function sourceOf(isSaidByBoth: boolean): LineSource {
  return isSaidByBoth ? 'both' : 'issue1';
}

/** Lines as they are written, each with its source. */
class Page {
  readonly #lines: string[] = [];
  readonly #sources: LineSource[] = [];
  #last: Block | null = null;
  #lastIsAdded = false;

  /** Adds a block with the empty lines it had, or apart from what stands before it by one. */
  put(block: Block, distance: 'own' | 'apart', sources: readonly LineSource[]): void {
    const isAdded = distance === 'apart' || sources.includes('issue2');
    if (this.#last?.openEnd) this.#add(this.#last.openEnd, 'new');
    const joins = this.#last?.kind === 'bullets' && block.kind === 'bullets' && distance === 'apart';
    const own = sources[0] ?? 'new';
    if (distance === 'own') for (const blank of block.blanks) this.#add(blank, own);
    const isTooClose = (distance === 'apart' || (this.#lastIsAdded && !isAdded)) && !this.#endsBlank();
    if (isTooClose && this.#last !== null && !joins) this.#add('', 'new');
    for (const [index, line] of block.lines.entries()) this.#add(line, sources[index] ?? own);
    this.#last = block;
    this.#lastIsAdded = isAdded;
  }

  endsWith(block: Block): boolean {
    return this.#last === block;
  }

  end(tail: readonly string[]): void {
    for (const line of tail) this.#add(line, 'issue1');
  }

  written(): { text: string; sources: LineSource[] } {
    return { text: this.#lines.join('\n'), sources: this.#sources };
  }

  #endsBlank(): boolean {
    return this.#lines.at(-1)?.trim() === '';
  }

  #add(line: string, source: LineSource): void {
    this.#lines.push(line);
    this.#sources.push(source);
  }
}
