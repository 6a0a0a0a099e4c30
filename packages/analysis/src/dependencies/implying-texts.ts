import { type ReferringIssue, referencesInProse } from '../references.ts';
import { tokenize } from '../tokenize.ts';
import { asksElsewhere, asksIn, type Need } from './asks.ts';
import { deliveredByText, deliveredByTitle, makesSomething, tellingTerms } from './delivers.ts';
import { proseOf } from './prose.ts';

/** An issue among which implied dependencies are looked for. */
export interface ImplyingIssue extends ReferringIssue {
  title: string;
  body: string;
  /** Such as "bug" or "task"; null when its tracker does not tell. */
  type: string | null;
}

/** What an issue delivers or asks for, as its telling terms, with the words that say so and the text they are in. */
interface Told {
  terms: string[];
  words: string;
  where: 'title' | 'description';
}

/** A sentence that asks something of somebody else with the one after it, and each of its terms as it is written there. */
export interface Passage {
  words: string;
  terms: [term: string, written: string][];
}

/**
 * What the texts of one issue contribute to dependencies that two texts imply: a fraction of their length, and the same
 * whatever other issues say. Plain data, so that it can be kept.
 */
export interface ImplyingTexts {
  /** It brings something that was not there. */
  makes: boolean;
  delivers: Told[];
  asks: (Told & { need: Need })[];
  passages: Passage[];
  /** The keys of the issues that its title and its description name. */
  named: string[];
}

/** So far into a description things are looked for. */
const READ = 10_000;
const MOST_SENTENCES = 200;
const MOST_PASSAGES = 30;
const SENTENCE = /[^.!?\n;]{1,1000}(?:[.!?;]+|\n|$)/g;
const LONGEST_WORDS = 400;

/** Reads what the texts of an issue may imply. In linear time. */
export function implyingTextsOf(issue: ImplyingIssue): ImplyingTexts {
  const prose = proseOf(issue.body.slice(0, READ));
  const sentences = [...prose.matchAll(SENTENCE)].slice(0, MOST_SENTENCES).map(([sentence]) => sentence);
  const named = [issue.title, prose].flatMap((text) => referencesInProse(text, issue, () => true));
  return {
    makes: makesSomething(issue.type),
    delivers: [
      ...deliveredByTitle(issue.title, issue.type).map(({ terms, start, end }) =>
        told(terms, issue.title.slice(start, end), 'title'),
      ),
      ...sentences.flatMap((sentence) =>
        deliveredByText(sentence).map(({ terms, start, end }) =>
          told(terms, sentence.slice(start, end), 'description'),
        ),
      ),
    ],
    asks: [
      ...asksOf(issue.title, 'title'),
      ...sentences.flatMap((sentence) => asksOf(sentence, 'description')),
    ],
    passages: sentences
      .flatMap((sentence, at) => (asksElsewhere(sentence) ? [`${sentence} ${sentences[at + 1] ?? ''}`] : []))
      .slice(0, MOST_PASSAGES)
      .map(passageOf),
    named: [...new Set(named.map(({ key }) => key))],
  };
}

function told(terms: string[], words: string, where: Told['where']): Told {
  return { terms, words: words.slice(0, LONGEST_WORDS), where };
}

function asksOf(text: string, where: Told['where']): ImplyingTexts['asks'] {
  return asksIn(text).flatMap(({ need, start, from, end }) => {
    const terms = tellingTerms(text.slice(from, end));
    return terms.length === 0 ? [] : [{ need, ...told(terms, text.slice(start, end), where) }];
  });
}

function passageOf(words: string): Passage {
  const terms = new Map<string, string>();
  for (const { start, end, terms: found } of tokenize(words)) {
    const [term = ''] = found;
    if (term.length > 1) terms.set(term, words.slice(start, end));
  }
  return { words: words.slice(0, LONGEST_WORDS), terms: [...terms] };
}
