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

/** A language besides English whose words are stemmed. */
export interface Language {
  readonly name: 'French' | 'German' | 'Portuguese' | 'Russian' | 'Spanish';
  readonly isStopWord: (word: string) => boolean;
  readonly stem: (word: string) => string;
}

/** Maximum length of the text that is searched for lines of the author. */
const SEARCHED_CHARS = 20_000;
/** Maximum length of the author's text whose language is detected. */
const SAMPLE_CHARS = 2_000;
/** Minimum stop words of a language that is detected. Fewer occur in names and code by chance. */
const MIN_STOP_WORDS = 3;
/**
 * Minimum share of stop words among the words. At 0.12, one of 6,691 English texts is misdetected.
 */
const MIN_STOP_WORD_SHARE = 0.15;
/** Minimum ratio to English stop words, for texts that quote English. */
const MIN_RATIO_TO_ENGLISH = 1.5;
/** Words of fewer letters are not stemmed. */
const MIN_STEMMED_LETTERS = 4;
/** Longest word that is stemmed. Longer ones are data. */
const MAX_STEMMED_LETTERS = 40;
const COMBINING_ACCENT = /[\u0300-\u036f]/g;
/**
 * A heading, a line in bold or a check box: typical of issue forms, whose language may differ from
 * the author's.
 */
const FORM_LINE =
  /^[ \t>]*(?:#{1,6}[ \t]|h[1-6]\.[ \t]|(\*\*|__)[^*_\n]{1,300}\1[ \t:]*$|(?:[-*+][ \t]+)?\[[ xX]\][ \t])/;
const FRENCH_ELISION = /^(?:[cdjlmnst]|qu)['’](?=\p{Script=Latin})/iu;

/** Frequent words of Catalan. `@orama/stopwords` has no list of them. */
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
/** Languages that are detected but not stemmed. They share stop words with those above. */
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

/** Returns the language of an issue by its title and the cleaned description. */
export function languageOfIssue({ title, body }: { title: string; body: string }): Language | null {
  return languageOf(`${title}\n${cleanBody(withoutFormLines(body))}`);
}

/**
 * Returns the language of a text, or null for English, other languages, and texts too short to
 * detect. Cyrillic counts as Russian. Lines of an issue form are ignored.
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

/** True for frequent words of English, such as articles and pronouns. */
export function isEnglishStopWord(word: string): boolean {
  return ENGLISH.has(word.toLowerCase());
}

/** Returns a word without an article or pronoun that the language joins to it, as in `l’image`. */
export function withoutElision(word: string, { name }: Pick<Language, 'name'>): string {
  return name === 'French' ? word.replace(FRENCH_ELISION, '') : word;
}

/**
 * Returns the stemmed languages of a word's script. A query is too short to detect its language.
 */
export function languagesOfWord(word: string): readonly Language[] {
  return /^\p{Script=Cyrillic}/u.test(word) ? [RUSSIAN] : LATIN;
}

/**
 * Returns the term of a word's stem, or null if the word is not stemmed. The prefix `~`
 * distinguishes stems from words, so that English texts never match them.
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
