import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stopwords as englishWords } from '@orama/stopwords/english';
import { stopwords as frenchWords } from '@orama/stopwords/french';
import { stopwords as germanWords } from '@orama/stopwords/german';
import { stopwords as portugueseWords } from '@orama/stopwords/portuguese';
import { stopwords as russianWords } from '@orama/stopwords/russian';
import { stopwords as spanishWords } from '@orama/stopwords/spanish';

/** A language besides English whose words are stemmed. */
export interface Language {
  readonly name: 'French' | 'German' | 'Portuguese' | 'Russian' | 'Spanish';
  readonly isStopWord: (word: string) => boolean;
  readonly stem: (word: string) => string;
}

/** Maximum length of the text whose language is detected. */
const SAMPLE_CHARS = 2_000;
/** Minimum stop words of a language that is detected. Fewer occur in names and code by chance. */
const MIN_STOP_WORDS = 3;
/** Minimum share of stop words among the words. At .12 one of 6,691 English texts is mistaken. */
const MIN_STOP_WORD_SHARE = 0.15;
/** Minimum ratio to English stop words, for texts that quote English. */
const MIN_RATIO_TO_ENGLISH = 1.5;
/** Words of fewer letters are not stemmed. */
const MIN_STEMMED_LETTERS = 4;
/** Longest word that is stemmed. Longer ones are data. */
const MAX_STEMMED_LETTERS = 40;
const COMBINING_ACCENT = /[\u0300-\u036f]/g;

const RUSSIAN = language('Russian', russianWords, russian);
const LATIN = [
  language('French', frenchWords, french),
  language('German', germanWords, german),
  language('Portuguese', portugueseWords, portuguese),
  language('Spanish', spanishWords, spanish),
];
const ENGLISH = new Set(englishWords);

/**
 * Returns the language of a text, or null for English, other languages and short texts: a few words
 * do not tell it. Cyrillic counts as Russian.
 */
export function languageOf(text: string): Language | null {
  const words =
    text
      .slice(0, SAMPLE_CHARS)
      .toLowerCase()
      .match(/[\p{L}\p{M}]{2,}/gu) ?? [];
  const cyrillic = words.filter((word) => /^\p{Script=Cyrillic}/u.test(word)).length;
  if (cyrillic * 2 > words.length) return RUSSIAN;
  let [best, most]: [Language | null, number] = [null, MIN_STOP_WORDS - 1];
  for (const candidate of LATIN) {
    const count = words.filter((word) => candidate.isStopWord(word) && !ENGLISH.has(word)).length;
    if (count > most) [best, most] = [candidate, count];
  }
  if (best === null || most < words.length * MIN_STOP_WORD_SHARE) return null;
  const english = words.filter((word) => ENGLISH.has(word)).length;
  return most > english * MIN_RATIO_TO_ENGLISH ? best : null;
}

/**
 * Returns the stems of a word in every language of its script. A query is too short to tell its
 * language.
 */
export function stemsOf(word: string): string[] {
  const languages = /^\p{Script=Cyrillic}/u.test(word) ? [RUSSIAN] : LATIN;
  return [...new Set(languages.flatMap((one) => stemTerm(word, one) ?? []))];
}

/**
 * Returns the term of a word's stem, or null if the word is not stemmed. Its mark keeps it apart
 * from words as written, so that texts in English never match it.
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
  const known = new Set(stopWords);
  return { name, isStopWord: (word) => known.has(word), stem };
}
