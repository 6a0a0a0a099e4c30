import {
  DeliverableIndex,
  type Delivery,
  type Holders,
  isRareThing,
  occurCloseTogether,
} from './deliverable-index.ts';
import type { ImplyingTexts, Passage } from './implying-texts.ts';
import { distinctivePassageTerms, MIN_SHARED_TERMS, PassageMatcher } from './passages.ts';
import { quoted } from './quote.ts';
import type { RequirementStrength } from './requirements.ts';

/**
 * A dependency implied by the texts of two issues, although neither text mentions the other issue.
 * `source` and `dependent` are ids.
 */
export interface ImpliedDependency {
  source: string;
  dependent: string;
  /** Explains the dependency and its direction, and quotes the words that imply it. */
  reason: string;
  /** Always below 0.7. */
  confidence: number;
}

/** The extract of an issue's texts, with the id and the key of the issue. */
export interface ReadIssue extends ImplyingTexts {
  id: string;
  key: string;
}

/** Word index of the issues that are searched. */
export interface ImplyingWords {
  /** Number of issues. */
  readonly issues: number;
  /** Returns the weight of a term, like `termWeights`. */
  idf(term: string): number;
  /** Returns, per term, the issues that contain it. */
  holdersOf(terms: ReadonlySet<string>): ReadonlyMap<string, Holders>;
  /** True if two issues are about the same thing. Takes their ids. */
  areOnSameTopic(first: string, second: string): boolean;
}

const CONFIDENCE: Readonly<Record<RequirementStrength, number>> = { first: 0.65, needed: 0.6, used: 0.55 };
const PASSAGE_CONFIDENCE = 0.6;
/** Maximum number of shared terms quoted in the reason of a dependency. */
const MAX_QUOTED_TERMS = 5;
const NO_HOLDERS: Holders = new Map();

interface Candidate {
  source: ReadIssue;
  dependent: ReadIssue;
  confidence: number;
  /** Explains what the dependent requires and how the source matches it. */
  shown: string;
}

/**
 * Finds implied dependencies for some of the given issues at a time. An index of terms keeps the
 * time proportional to the number of requested issues, not of pairs.
 */
export class ImpliedSearch {
  readonly #words: ImplyingWords;
  readonly #byId: ReadonlyMap<string, ReadIssue>;
  readonly #things: DeliverableIndex<ReadIssue>;
  readonly #makers: ReadonlySet<string>;

  constructor(issues: readonly ReadIssue[], words: ImplyingWords) {
    this.#words = words;
    this.#byId = new Map(issues.map((issue) => [issue.id, issue]));
    this.#things = new DeliverableIndex(issues);
    this.#makers = new Set(issues.filter(({ makes }) => makes).map(({ id }) => id));
  }

  /**
   * Finds the issues that the given issues depend on. Further issues are examined to rule out that
   * two issues depend on each other. `looked` contains the ids of all examined issues. `found` is
   * complete for each of them.
   */
  findImpliedBy(ids: readonly string[]): { looked: string[]; found: ImpliedDependency[] } {
    const waiting = new Map<string, Candidate[]>();
    for (let next: readonly string[] = ids; next.length > 0; ) {
      const dependents = next.flatMap((id) => this.#byId.get(id) ?? []);
      for (const { id } of dependents) waiting.set(id, []);
      for (const candidate of this.#candidates(dependents)) {
        waiting.get(candidate.dependent.id)?.push(candidate);
      }
      const sources = next.flatMap((id) => waiting.get(id)?.map(({ source }) => source.id) ?? []);
      next = [...new Set(sources)].filter((id) => !waiting.has(id));
    }
    const waitsFor = (id: string, other: string) =>
      waiting.get(id)?.some(({ source }) => source.id === other) === true;
    const found = [...waiting.values()]
      .flat()
      .filter(({ source, dependent }) => !waitsFor(source.id, dependent.id))
      .map(presented);
    return { looked: [...waiting.keys()], found };
  }

  /**
   * Returns the ids of issues that may depend on one of `ids`: they require something that these
   * issues deliver or describe. `holders` returns, per term, which of `ids` contain it.
   */
  affectedBy(
    ids: readonly string[],
    holders: (terms: ReadonlySet<string>) => ReadonlyMap<string, Holders>,
  ): string[] {
    const asking = [...this.#byId.values()].filter(
      ({ asks, passages }) => asks.length > 0 || passages.length > 0,
    );
    const things = ids.flatMap((id) => this.#byId.get(id)?.delivers.map(({ terms }) => terms) ?? []);
    const among = holders(
      new Set(asking.flatMap(({ passages }) => passages.flatMap(({ terms }) => terms.map(([term]) => term)))),
    );
    return asking
      .filter(
        ({ asks, passages }) =>
          asks.some(({ terms }) => things.some((thing) => occurCloseTogether(thing, terms))) ||
          passages.some(({ terms }) => sharesEnough(terms, among)),
      )
      .map(({ id }) => id);
  }

  /** Returns, per pair of issues, the candidate with the highest confidence. */
  #candidates(dependents: readonly ReadIssue[]): Candidate[] {
    const asked = dependents.flatMap((dependent) =>
      dependent.asks.map((ask) => ({ dependent, ask, by: this.#things.deliveredAmong(ask.terms) })),
    );
    const passages = dependents.flatMap((dependent) =>
      dependent.passages.flatMap((passage) => {
        const terms = distinctivePassageTerms(passage, (term) => this.#words.idf(term));
        return terms === null ? [] : [{ dependent, words: passage.words, terms }];
      }),
    );
    const holders = this.#words.holdersOf(
      new Set([
        ...asked.flatMap(({ by }) => by.flatMap(({ delivered }) => delivered.terms)),
        ...passages.flatMap(({ terms }) => [...terms.keys()]),
      ]),
    );
    const holdersOf = (term: string) => holders.get(term) ?? NO_HOLDERS;
    const idf = (term: string) => this.#words.idf(term);
    const answers = new PassageMatcher({ idf, holdersOf, makers: this.#makers });
    const best = new Map<string, Candidate>();
    const take = (candidate: Candidate | null) => {
      if (candidate === null || isNamed(candidate)) return;
      const { source, dependent, confidence } = candidate;
      const pair = `${source.id} ${dependent.id}`;
      if ((best.get(pair)?.confidence ?? 0) < confidence) best.set(pair, candidate);
    };
    for (const { dependent, ask, by } of asked) take(this.#byThing(dependent, ask, by, holdersOf));
    for (const { dependent, words, terms } of passages) {
      const answer = answers.matchOf(terms, dependent.id);
      const source = answer && this.#byId.get(answer.id);
      if (source) take(byPassage(dependent, source, words, answer.shared));
    }
    return [...best.values()].filter(
      ({ source, dependent }) => !this.#words.areOnSameTopic(source.id, dependent.id),
    );
  }

  /** Finds the issue that delivers what `ask` names. Returns null if several issues qualify. */
  #byThing(
    dependent: ReadIssue,
    ask: ReadIssue['asks'][number],
    by: readonly Delivery<ReadIssue>[],
    holdersOf: (term: string) => Holders,
  ): Candidate | null {
    const found = new Map<ReadIssue, ReadIssue['delivers'][number]>();
    for (const { source, delivered } of by) {
      if (source === dependent || !isRareThing(delivered.terms, holdersOf, this.#words.issues)) continue;
      const isOwn = delivered.terms.every((term) => holdersOf(term).get(dependent.id) === true);
      if (ask.need !== 'first' && (isOwn || delivered.terms.length < 2)) continue;
      if (delivered.terms.length > (found.get(source)?.terms.length ?? 0)) found.set(source, delivered);
    }
    const most = Math.max(0, ...[...found.values()].map(({ terms }) => terms.length));
    const [best, ...others] = [...found].filter(([, { terms }]) => terms.length === most);
    if (best === undefined || others.length > 0) return null;
    const [source, delivered] = best;
    const shown = `The ${ask.where} of ${dependent.key} says “${quoted(ask.words)}”, and ${source.key} delivers “${quoted(delivered.words)}” according to its ${delivered.where}`;
    return { source, dependent, confidence: CONFIDENCE[ask.need], shown };
  }
}

/**
 * Creates a candidate for an issue that matches a passage, although the passage names none of its
 * deliverables.
 */
function byPassage(dependent: ReadIssue, source: ReadIssue, words: string, shared: string[]): Candidate {
  const both = shared.slice(0, MAX_QUOTED_TERMS).map((word) => `“${word}”`);
  const shown = `The description of ${dependent.key} says “${quoted(words)}”, and ${source.key} covers this: both mention ${both.join(', ')}`;
  return { source, dependent, confidence: PASSAGE_CONFIDENCE, shown };
}

/** True if at least one issue contains at least `MIN_SHARED_TERMS` terms of a passage. */
function sharesEnough(terms: Passage['terms'], holders: ReadonlyMap<string, Holders>): boolean {
  const shared = new Map<string, number>();
  for (const [term] of terms) {
    for (const id of holders.get(term)?.keys() ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
  }
  return [...shared.values()].some((count) => count >= MIN_SHARED_TERMS);
}

function isNamed({ source, dependent }: Candidate): boolean {
  return source.named.includes(dependent.key) || dependent.named.includes(source.key);
}

function presented({ source, dependent, confidence, shown }: Candidate): ImpliedDependency {
  const reason = `${shown}. So ${source.key} has to be finished before ${dependent.key}.`;
  return { source: source.id, dependent: dependent.id, confidence, reason };
}
