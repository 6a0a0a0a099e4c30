import { type ReferringIssue, referencesInProse } from '../references.ts';
import { tokenize } from '../tokenize.ts';
import { deliveredByText, deliveredByTitle, distinctiveTerms, makesSomething } from './deliverables.ts';
import { proseOf } from './prose.ts';
import { type RequirementStrength, requirementsIn, requiresElsewhere } from './requirements.ts';

/** An issue to search for implied dependencies. */
export interface ImplyingIssue extends ReferringIssue {
  title: string;
  body: string;
  /** Type such as "bug" or "task". Null if the tracker has no types. */
  type: string | null;
}

/**
 * A deliverable or requirement of an issue: its distinctive terms, the words that state it, and the
 * field with these words.
 */
interface NamedThing {
  terms: string[];
  words: string;
  where: 'title' | 'description';
}

/**
 * A sentence that requests something from other issues, and the sentence after it. `terms` contains
 * each distinctive term with its spelling in the text.
 */
export interface Passage {
  words: string;
  terms: [term: string, written: string][];
}

/**
 * Extract of an issue's texts from which implied dependencies are found. It is much shorter than
 * the texts, independent of other issues, and can be stored as JSON.
 */
export interface ImplyingTexts {
  /** True if the issue creates something new. False for bugs and questions. */
  makes: boolean;
  delivers: NamedThing[];
  asks: (NamedThing & { need: RequirementStrength })[];
  passages: Passage[];
  /** Keys of the issues that its title and description name. */
  named: string[];
}

/**
 * Maximum length of the description that is searched for dependencies, in UTF-16 code units. Later
 * text is ignored.
 */
export const MAX_DESCRIPTION_CHARS_READ = 10_000;
const MAX_SENTENCES = 200;
const MAX_EXTRACTED_PASSAGES = 30;
const SENTENCE = /[^.!?\n;]{1,1000}(?:[.!?;]+|\n|$)/g;
/**
 * Maximum length of the quoted words of a deliverable, requirement or passage, in UTF-16 code
 * units.
 */
const MAX_EXTRACT_CHARS = 400;

/** Extracts deliverables, requirements and passages from the texts of an issue, in linear time. */
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
