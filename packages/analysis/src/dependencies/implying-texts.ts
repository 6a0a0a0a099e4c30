import { type ReferringIssue, referencesInProse } from '../references.ts';
import { tokenize } from '../tokenize.ts';
import { deliveredByText, deliveredByTitle, distinctiveTerms, makesSomething } from './deliverables.ts';
import { proseOf } from './prose.ts';
import { type RequirementStrength, requirementsIn, requiresElsewhere } from './requirements.ts';

/** An issue that is searched for implied dependencies. */
export interface ImplyingIssue extends ReferringIssue {
  title: string;
  body: string;
  /** Type such as "bug" or "task"; null if its tracker has none. */
  type: string | null;
}

/**
 * A thing that an issue delivers or requires: its distinctive terms, the words that state it, and
 * the text that contains them.
 */
interface NamedThing {
  terms: string[];
  words: string;
  where: 'title' | 'description';
}

/**
 * A sentence that requests something of other issues, together with the next sentence. Also
 * contains each distinctive term as written.
 */
export interface Passage {
  words: string;
  terms: [term: string, written: string][];
}

/**
 * Extract of an issue's texts for finding implied dependencies. Much shorter than the texts,
 * independent of other issues, and plain data that can be stored.
 */
export interface ImplyingTexts {
  /** True if the issue creates something new. */
  makes: boolean;
  delivers: NamedThing[];
  asks: (NamedThing & { need: RequirementStrength })[];
  passages: Passage[];
  /** Keys of the issues that its title and description name. */
  named: string[];
}

/** Maximum length of a description that is searched for dependencies, in UTF-16 code units. */
export const MAX_DESCRIPTION_CHARS_READ = 10_000;
const MAX_SENTENCES = 200;
const MAX_EXTRACTED_PASSAGES = 30;
const SENTENCE = /[^.!?\n;]{1,1000}(?:[.!?;]+|\n|$)/g;
/** Maximum length of the words that are stored for a thing or a passage, in UTF-16 code units. */
const MAX_EXTRACT_CHARS = 400;

/** Extracts what an issue's texts may imply, in linear time. */
export function implyingTextsOf(issue: ImplyingIssue): ImplyingTexts {
  const prose = proseOf(issue.body.slice(0, MAX_DESCRIPTION_CHARS_READ));
  const sentences = [...prose.matchAll(SENTENCE)].slice(0, MAX_SENTENCES).map(([sentence]) => sentence);
  const named = [issue.title, prose].flatMap((text) => referencesInProse(text, issue, () => true));
  return {
    makes: makesSomething(issue.type),
    delivers: [
      ...deliveredByTitle(issue.title, issue.type).map(({ terms, start, end }) =>
        namedThing(terms, issue.title.slice(start, end), 'title'),
      ),
      ...sentences.flatMap((sentence) =>
        deliveredByText(sentence).map(({ terms, start, end }) =>
          namedThing(terms, sentence.slice(start, end), 'description'),
        ),
      ),
    ],
    asks: [
      ...asksOf(issue.title, 'title'),
      ...sentences.flatMap((sentence) => asksOf(sentence, 'description')),
    ],
    passages: sentences
      .flatMap((sentence, at) =>
        requiresElsewhere(sentence) ? [`${sentence} ${sentences[at + 1] ?? ''}`] : [],
      )
      .slice(0, MAX_EXTRACTED_PASSAGES)
      .map(passageOf),
    named: [...new Set(named.map(({ key }) => key))],
  };
}

function namedThing(terms: string[], words: string, where: NamedThing['where']): NamedThing {
  return { terms, words: words.slice(0, MAX_EXTRACT_CHARS), where };
}

function asksOf(text: string, where: NamedThing['where']): ImplyingTexts['asks'] {
  return requirementsIn(text).flatMap(({ need, start, from, end }) => {
    const terms = distinctiveTerms(text.slice(from, end));
    return terms.length === 0 ? [] : [{ need, ...namedThing(terms, text.slice(start, end), where) }];
  });
}

function passageOf(words: string): Passage {
  const terms = new Map<string, string>();
  for (const { start, end, terms: found } of tokenize(words)) {
    const [term = ''] = found;
    if (term.length > 1) terms.set(term, words.slice(start, end));
  }
  return { words: words.slice(0, MAX_EXTRACT_CHARS), terms: [...terms] };
}
