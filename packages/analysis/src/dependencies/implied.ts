import { cleanWithErrors } from '../clean.ts';
import { type ReferringIssue, referencesInProse } from '../references.ts';
import { termsIn } from '../tokenize.ts';
import { asksElsewhere, asksIn, type Need } from './asks.ts';
import { deliveredByText, deliveredByTitle, makesSomething, type Thing, tellingTerms } from './delivers.ts';
import { Likeness } from './likeness.ts';
import { PassageIndex } from './passages.ts';
import { proseOf } from './prose.ts';
import { ThingIndex } from './thing-index.ts';

/** An issue among which implied dependencies are looked for. */
export interface ImplyingIssue extends ReferringIssue {
  title: string;
  body: string;
  /** Such as "bug" or "task"; null when its tracker does not tell. */
  type: string | null;
}

/** A dependency that two texts imply, though neither names the other. */
export interface ImpliedDependency {
  source: string;
  dependent: string;
  /** Which words of which text show it, and why in this direction. */
  reason: string;
  /** Below 0.7. */
  confidence: number;
}

const CONFIDENCE: Readonly<Record<Need, number>> = { first: 0.65, needed: 0.6, used: 0.55 };
const PASSAGE_CONFIDENCE = 0.6;
/** So far into a description things are looked for. */
const READ = 10_000;
const MOST_SENTENCES = 200;
const MOST_PASSAGES = 30;
const SENTENCE = /[^.!?\n;]{1,1000}(?:[.!?;]+|\n|$)/g;
const TITLE_TERMS = 64;
const BODY_TERMS = 600;
const MOST_QUOTED = 5;
const LONGEST_QUOTE = 160;

/** An issue as it is read, once. */
interface Reading {
  issue: ImplyingIssue;
  terms: Set<string>;
  titleTerms: Set<string>;
  delivers: (Thing & { words: string; where: string })[];
  asks: { need: Need; terms: string[]; words: string; where: string }[];
  /** Sentences that ask something of somebody else, each with the one after it. */
  passages: string[];
  /** The issues that it names. */
  named: Set<string>;
}

interface Candidate {
  source: Reading;
  dependent: Reading;
  confidence: number;
  /** What the dependent asks for, and how the source answers it. */
  shown: string;
}

/**
 * Dependencies that the texts of issues imply: one asks for what the other delivers, in words that say it must be there
 * first, and neither names the other. Rather too few than wrong ones: none between issues that are alike, none both ways,
 * none where several deliver the thing. `idf` weighs a term as `termWeights` gives it. Things are found by an index of
 * their terms, so that time grows with the length of the texts and not with the number of pairs. English only.
 */
export function impliedDependencies(
  issues: readonly ImplyingIssue[],
  { idf }: { idf: (term: string) => number },
): ImpliedDependency[] {
  const keys = new Set(issues.map(({ key }) => key));
  const readings = issues.map((issue) => read(issue, (key) => keys.has(key)));
  const things = new ThingIndex(readings);
  const makers = new PassageIndex(
    readings.filter(({ issue }) => makesSomething(issue.type)),
    idf,
  );
  const byPair = new Map<string, Candidate>();
  for (const dependent of readings) {
    for (const candidate of [...byThings(dependent, things), ...byPassages(dependent, makers)]) {
      if (isNamed(candidate)) continue;
      const pair = `${candidate.source.issue.key} ${dependent.issue.key}`;
      if ((byPair.get(pair)?.confidence ?? 0) < candidate.confidence) byPair.set(pair, candidate);
    }
  }
  const likeness = new Likeness(idf);
  return [...byPair.values()]
    .filter(({ source, dependent }) => !byPair.has(`${dependent.issue.key} ${source.issue.key}`))
    .filter(({ source, dependent }) => !likeness.areAlike(source.issue, dependent.issue))
    .map(presented);
}

function isNamed({ source, dependent }: Candidate): boolean {
  return source.named.has(dependent.issue.key) || dependent.named.has(source.issue.key);
}

function read(issue: ImplyingIssue, isKnown: (key: string) => boolean): Reading {
  const body = issue.body.slice(0, READ);
  const prose = proseOf(body);
  const named = [issue.title, prose].flatMap((text) => referencesInProse(text, issue, isKnown));
  const sentences = [...prose.matchAll(SENTENCE)].slice(0, MOST_SENTENCES).map(([sentence]) => sentence);
  const titleTerms = new Set(termsIn(issue.title, TITLE_TERMS));
  return {
    issue,
    titleTerms,
    terms: new Set([...titleTerms, ...termsIn(cleanWithErrors(body).text, BODY_TERMS)]),
    delivers: [
      ...deliveredByTitle(issue.title, issue.type).map((thing) => withWords(thing, issue.title, 'title')),
      ...sentences.flatMap((sentence) =>
        deliveredByText(sentence).map((thing) => withWords(thing, sentence, 'description')),
      ),
    ],
    asks: [
      ...asksOf(issue.title, 'title'),
      ...sentences.flatMap((sentence) => asksOf(sentence, 'description')),
    ],
    passages: sentences
      .flatMap((sentence, at) => (asksElsewhere(sentence) ? [`${sentence} ${sentences[at + 1] ?? ''}`] : []))
      .slice(0, MOST_PASSAGES),
    named: new Set(named.map(({ key }) => key)),
  };
}

function withWords(thing: Thing, text: string, where: string): Reading['delivers'][number] {
  return { ...thing, words: text.slice(thing.start, thing.end), where };
}

function asksOf(sentence: string, where: string): Reading['asks'] {
  return asksIn(sentence).map(({ need, start, from, end }) => ({
    need,
    terms: tellingTerms(sentence.slice(from, end)),
    words: sentence.slice(start, end),
    where,
  }));
}

/** Who delivers a thing that an issue asks for by its name. */
function byThings(dependent: Reading, index: ThingIndex<Reading>): Candidate[] {
  return dependent.asks.flatMap((asked) => {
    const found = new Map<Reading, Reading['delivers'][number]>();
    for (const { source, delivered } of index.deliveredAmong(asked.terms)) {
      if (source === dependent) continue;
      const isOwn = delivered.terms.every((term) => dependent.titleTerms.has(term));
      if (asked.need !== 'first' && (isOwn || delivered.terms.length < 2)) continue;
      if (delivered.terms.length > (found.get(source)?.terms.length ?? 0)) found.set(source, delivered);
    }
    const most = Math.max(0, ...[...found.values()].map(({ terms }) => terms.length));
    const [best, ...others] = [...found].filter(([, { terms }]) => terms.length === most);
    if (best === undefined || others.length > 0) return [];
    const [source, delivered] = best;
    const shown = `The ${asked.where} of ${dependent.issue.key} says “${quoted(asked.words)}”, and by its ${delivered.where} ${source.issue.key} makes “${quoted(delivered.words)}”`;
    return [{ source, dependent, confidence: CONFIDENCE[asked.need], shown }];
  });
}

/** Who says what a passage asks for, be it in a sentence that names no thing of anybody's. */
function byPassages(dependent: Reading, index: PassageIndex<Reading>): Candidate[] {
  return dependent.passages.flatMap((words) => {
    const passage = index.passageOf(words);
    const answer = passage === null ? null : index.answerTo(passage, dependent);
    if (answer === null) return [];
    const shared = answer.shared.slice(0, MOST_QUOTED).map((word) => `“${word}”`);
    const shown = `The description of ${dependent.issue.key} asks “${quoted(words)}”, and ${answer.issue.issue.key} is about that: both say ${shared.join(', ')}`;
    return [{ source: answer.issue, dependent, confidence: PASSAGE_CONFIDENCE, shown }];
  });
}

function presented({ source, dependent, confidence, shown }: Candidate): ImpliedDependency {
  const [from, to] = [source.issue.key, dependent.issue.key];
  return {
    source: from,
    dependent: to,
    confidence,
    reason: `${shown}. So ${from} has to be finished before ${to}.`,
  };
}

function quoted(words: string): string {
  const said = words
    .replace(/[*~`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return said.length > LONGEST_QUOTE ? `${said.slice(0, LONGEST_QUOTE)}…` : said;
}
