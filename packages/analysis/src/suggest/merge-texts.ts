import { type Block, type ParsedText, parseText, type Section } from './blocks.ts';
import { FACTS, isFormHeading } from './headings.ts';
import { repeatedLines, type StatementKeys, statementKeysIn, withoutRepeated } from './statements.ts';

/** Origin of a line in a merged text: the first issue, the second, both, or none of them. */
export type LineSource = 'issue1' | 'issue2' | 'both' | 'new';

/**
 * A merged text with the origin of each line. The counts say what happened to parts of the second
 * issue.
 */
export interface MergedText {
  text: string;
  sources: LineSource[];
  /** Number of parts added from the second issue. */
  added: number;
  /** Number of parts of the second issue that the first issue already contains. */
  repeated: number;
  /** Number of parts left out because the text would exceed `longest`. */
  leftOut: number;
}

export interface MergeOptions {
  /** Name of the second issue, used in the merged text. */
  secondName: string;
  /** Maximum length of the text, in UTF-16 code units. */
  longest: number;
}

/** Matches the text of a form field that was left empty. */
const NO_ANSWER = /^_?no response_?\.?$/i;

/**
 * Merges two texts without rewording. Retains the first text line by line. Inserts the parts that
 * only the second text contains under matching headings of the first. Parts in both texts appear
 * once. Merging a text with itself returns the same text.
 */
export function mergeTexts(first: string, second: string, { secondName, longest }: MergeOptions): MergedText {
  const [one, other] = [parseText(first), parseText(second)];
  const plan = new MergePlan(one, secondName);
  plan.take(other, statementKeysIn(one.sections));
  const saidBySecond = statementKeysIn(other.sections);
  const topicsOfSecond = new Set(other.sections.flatMap(({ heading, topic }) => (heading ? [topic] : [])));
  const { additions, added, repeated } = plan;
  // If the text is too long, drops the last parts first. The others then still read as in the
  // source.
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

/** Returns the first text without additions. */
function unchanged(text: string): { text: string; sources: LineSource[] } {
  return { text, sources: text === '' ? [] : text.split('\n').map(() => 'issue1') };
}

/**
 * A block of the second issue. `at` is the section of the merged text at whose end it is inserted.
 */
interface Addition {
  at: Section;
  block: Block;
  source: LineSource;
  /** The previous block in the second issue. The empty lines between them are preserved. */
  follows: Block | null;
  /** True for a part of the second issue. False for a heading or an introductory line. */
  counts: boolean;
}

/** Selects the blocks of the second issue to insert, and the sections that receive them. */
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

  take({ sections }: ParsedText, said: StatementKeys): void {
    for (const section of sections) this.#takeSection(section, said);
  }

  #takeSection(section: Section, said: StatementKeys): void {
    const { topic, heading, blocks } = section;
    const left = blocks.flatMap((block, index) => {
      const rest = isUnanswered(block) ? null : withoutRepeated(block, topic, said);
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

  /** Finds the section of the merged text with the same topic. */
  #placeOf({ topic, heading }: Section): Section | undefined {
    return this.#byTopic.get(topic) ?? (heading === null ? this.sections[0] : undefined);
  }

  /** Adds a section of the second issue after the section that last received text. */
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

/** Writes the text of the first issue, with the first `kept` additions inserted. */
function write(
  first: ParsedText,
  plan: MergePlan,
  kept: number,
  { saidBySecond, topicsOfSecond }: { saidBySecond: StatementKeys; topicsOfSecond: ReadonlySet<string> },
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
      // If the second issue adds text here, leaves out the first issue's empty form field.
      if (additions.length > 0 && isUnanswered(block)) continue;
      page.put(block, 'own', repeatedLines(block, topic, saidBySecond).map(sourceOf));
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

/** The lines of the merged text, with their origins. */
class Page {
  readonly #lines: string[] = [];
  readonly #sources: LineSource[] = [];
  #last: Block | null = null;
  #lastIsAdded = false;

  /** Adds a block. `own` keeps the empty lines before it, and `apart` inserts one empty line. */
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
