import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stopwords as danishWords } from '@orama/stopwords/danish';
import { stopwords as dutchWords } from '@orama/stopwords/dutch';
import { stopwords as englishWords } from '@orama/stopwords/english';
import { stopwords as frenchWords } from '@orama/stopwords/french';
import { stopwords as germanWords } from '@orama/stopwords/german';
import { stopwords as italianWords } from '@orama/stopwords/italian';
import { stopwords as norwegianWords } from '@orama/stopwords/norwegian';
import { stopwords as portugueseWords } from '@orama/stopwords/portuguese';
import { stopwords as romanianWords } from '@orama/stopwords/romanian';
import { stopwords as russianWords } from '@orama/stopwords/russian';
import { stopwords as spanishWords } from '@orama/stopwords/spanish';
import { stopwords as swedishWords } from '@orama/stopwords/swedish';
import { cleanBody } from './clean.ts';
import { withoutHtmlComments } from './markup.ts';

/** A language other than English with stemming. */
export interface Language {
  readonly name: 'French' | 'German' | 'Portuguese' | 'Russian' | 'Spanish';
  readonly isStopWord: (word: string) => boolean;
  readonly stem: (word: string) => string;
}

/** Maximum characters of a text in which the author's own lines are searched. */
const SEARCHED_CHARS = 20_000;
/** Maximum characters of the author's lines that are used to detect the language. */
const SAMPLE_CHARS = 2_000;
/** Minimum number of stop words to detect a language. Fewer may come from names and code. */
const MIN_STOP_WORDS = 3;
/**
 * Minimum share of stop words among all words, to detect a language. With 0.12, one of 6,691
 * English texts is detected wrongly.
 */
const MIN_STOP_WORD_SHARE = 0.15;
/** Minimum ratio of stop words of the language to English stop words. Texts may quote English. */
const MIN_RATIO_TO_ENGLISH = 1.5;
/** Minimum letters of a stemmed word. */
const MIN_STEMMED_LETTERS = 4;
/** Maximum letters of a stemmed word. Longer words are data. */
const MAX_STEMMED_LETTERS = 40;
const COMBINING_ACCENT = /[\u0300-\u036f]/g;
/**
 * Matches a heading, a bold line or a checkbox. Issue forms contain such lines, and may be in
 * another language than the author's text.
 */
const FORM_LINE =
  /^[ \t>]*(?:#{1,6}[ \t]|h[1-6]\.[ \t]|(\*\*|__)[^*_\n]{1,300}\1[ \t:]*$|(?:[-*+][ \t]+)?\[[ xX]\][ \t])/;
const FRENCH_ELISION = /^(?:[cdjlmnst]|qu)['’](?=\p{Script=Latin})/iu;

/** Frequent words of Catalan, for which `@orama/stopwords` has no list. */
const CATALAN_WORDS =
  `al algun alguna als altra altre altres amb aquest aquesta aquestes aquests així això aquí cada cap com
  de del dels des després dins el els em en encara ens entre era es està estan et fa fan fer fins ha han hem
  hi ho ja la les li massa meu meva mentre meus molt molta molts més ni no nosaltres només nostra nostre on
  pel pels per perquè però poden pot quan que quin quina què se sempre sense ser seu seus seva seves si sobre
  són també tan tant tenen tot tota totes tots té un una unes uns va vaig van és`.split(/\s+/);

const RUSSIAN = language('Russian', russianWords, russian);
const LATIN = [
  language('French', frenchWords, french),
  language('German', germanWords, german),
  language('Portuguese', portugueseWords, portuguese),
  language('Spanish', spanishWords, spanish),
];
/**
 * Languages that are detected but not stemmed. Their stop words overlap with those of the stemmed
 * languages.
 */
const NOT_STEMMED = [
  CATALAN_WORDS,
  danishWords,
  dutchWords,
  italianWords,
  norwegianWords,
  romanianWords,
  swedishWords,
].map((words) => ({ isStopWord: isAmong(words) }));
const ENGLISH = new Set(englishWords);

/** Detects the language of an issue from its title and its cleaned description. */
export function languageOfIssue({ title, body }: { title: string; body: string }): Language | null {
  return languageOf(`${title}\n${cleanBody(withoutFormLines(body))}`);
}

/**
 * Detects the language of a text. Returns null for English, for languages without stemming, and for
 * texts that are too short. Cyrillic text counts as Russian. Ignores lines of issue forms.
 */
export function languageOf(text: string): Language | null {
  const words =
    withoutFormLines(text)
      .slice(0, SAMPLE_CHARS)
      .toLowerCase()
      .match(/[\p{L}\p{M}]{2,}/gu) ?? [];
  const cyrillic = words.filter((word) => /^\p{Script=Cyrillic}/u.test(word)).length;
  if (cyrillic * 2 > words.length) return RUSSIAN;
  const others = words.filter((word) => !ENGLISH.has(word));
  const countOf = ({ isStopWord }: Pick<Language, 'isStopWord'>) => others.filter(isStopWord).length;
  let [best, most]: [Language | null, number] = [null, MIN_STOP_WORDS - 1];
  for (const candidate of LATIN) {
    const count = countOf(candidate);
    if (count > most) [best, most] = [candidate, count];
  }
  if (best === null || most < words.length * MIN_STOP_WORD_SHARE) return null;
  const english = words.length - others.length;
  if (most <= english * MIN_RATIO_TO_ENGLISH) return null;
  return NOT_STEMMED.some((other) => countOf(other) > most) ? null : best;
}

function withoutFormLines(text: string): string {
  return withoutHtmlComments(text.slice(0, SEARCHED_CHARS))
    .split('\n')
    .filter((line) => !FORM_LINE.test(line.trimEnd()))
    .join('\n');
}

/** True for frequent English words, such as articles and pronouns. */
export function isEnglishStopWord(word: string): boolean {
  return ENGLISH.has(word.toLowerCase());
}

/** Returns a word without the article or pronoun that is joined to it, as in French `l’image`. */
export function withoutElision(word: string, { name }: Pick<Language, 'name'>): string {
  return name === 'French' ? word.replace(FRENCH_ELISION, '') : word;
}

/**
 * Returns the stemmed languages that use the script of a word. A search query is too short to
 * detect its language.
 */
export function languagesOfWord(word: string): readonly Language[] {
  return /^\p{Script=Cyrillic}/u.test(word) ? [RUSSIAN] : LATIN;
}

/**
 * Returns the term for the stem of a word. Null if the word is not stemmed. The prefix `~`
 * distinguishes stems from whole words, so that English texts never match them.
 */
export function stemTerm(word: string, { stem }: Language): string | null {
  const lower = word.toLowerCase();
  if (lower.length < MIN_STEMMED_LETTERS || lower.length > MAX_STEMMED_LETTERS) return null;
  if (!/^[\p{Script=Latin}\p{Script=Cyrillic}]+$/u.test(lower)) return null;
  return `~${stem(lower).normalize('NFKD').replace(COMBINING_ACCENT, '').normalize('NFKC')}`;
}

function language(
  name: Language['name'],
  stopWords: readonly string[],
  stem: (word: string) => string,
): Language {
  return { name, isStopWord: isAmong(stopWords), stem };
}

function isAmong(words: readonly string[]): (word: string) => boolean {
  const known = new Set(words);
  return (word) => known.has(word);
}
