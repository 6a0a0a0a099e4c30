import { quoted } from '../search-index/document.ts';
import { languagesOfQuery, type Word, wordsIn } from '../search-index/terms.ts';

/** A parsed search query. */
export interface ParsedQuery {
  /** The query without exclusions, as written. */
  text: string;
  /** Distinct words that may occur anywhere. */
  words: QueryWord[];
  /** Words that must be adjacent. */
  phrases: Word[][];
  /** Words and phrases that must not occur. */
  excluded: Word[][];
}

/** A word to search for. */
export interface QueryWord {
  /** Term whose frequency is used for this word. */
  term: string;
  /** All forms it matches. */
  word: Word;
  /**
   * True if the user may still be typing the word. Then longer words that start with it match, too.
   */
  isPrefix: boolean;
}

/**
 * Maximum length of a query with operators. A longer or multi-line query counts as pasted text,
 * where quotes and hyphens have no meaning.
 */
const MAX_CHARS_WITH_OPERATORS = 200;
/** Maximum words used of a query; the rest is ignored. */
const MAX_WORDS = 200;
const QUERY_PART =
  /(?<before>^|[\s(])(?<not>-?)(?:["“”„](?<phrase>[^"“”„]*)["“”„]|(?<=-)(?<word>[\p{L}\p{N}_][^\s"“”„]*))/gu;

/**
 * Parses a query: words, `"phrases"`, `-word` and `-"a phrase"`. Every text is valid; one without
 * words finds nothing.
 */
export function parseQuery(query: string): ParsedQuery {
  const written = query.toWellFormed().replaceAll('\0', ' ');
  const phrases: Word[][] = [];
  const excluded: Word[][] = [];
  let text = written;
  let loose = written;
  if (written.length <= MAX_CHARS_WITH_OPERATORS && !/[\r\n]/.test(written)) {
    text = '';
    loose = '';
    let end = 0;
    for (const match of written.matchAll(QUERY_PART)) {
      const { before = '', not = '', phrase, word = '' } = match.groups ?? {};
      const words = [...wordsIn(phrase ?? word)];
      const between = written.slice(end, match.index) + before;
      end = match.index + match[0].length;
      text += between + (not === '' ? (phrase ?? '') : ' ');
      loose += `${between} `;
      if (words.length > 0) (not === '' ? phrases : excluded).push(words);
    }
    text += written.slice(end);
    loose += written.slice(end);
  }
  return { text: text.trim(), words: looseWords(loose), phrases, excluded };
}

/** True if the query has words or phrases. */
export function hasWords(query: ParsedQuery): boolean {
  return query.words.length + query.phrases.length > 0;
}

function looseWords(text: string): QueryWord[] {
  const words = new Map<string, QueryWord>();
  let last: QueryWord | null = null;
  for (const word of wordsIn(text, languagesOfQuery)) {
    const term = word.terms[0] ?? word.written;
    last = words.get(term) ?? { term, word, isPrefix: false };
    words.set(term, last);
    if (words.size >= MAX_WORDS) break;
    last.isPrefix = false;
    // A single ASCII letter would match too many words. In other scripts a letter may be a word.
    if (word.end === text.length) last.isPrefix = !/^[\x20-\x7e]$/.test(word.written);
  }
  return [...words.values()];
}

/**
 * Returns the `tsquery` condition for a word. `beginning` is put before each term: the account's
 * prefix, or an empty text.
 */
export function wordCondition({ word, isPrefix }: Omit<QueryWord, 'term'>, beginning: string): string {
  const [whole = word.written, ...parts] = word.terms;
  const alternatives = [quoted(beginning + whole)];
  // A version number matches only itself; an identifier also matches by all its parts.
  if (parts.length > 0 && !/^v?\d+\./.test(whole)) {
    alternatives.push(`(${[...new Set(parts)].map((part) => quoted(beginning + part)).join(' & ')})`);
  }
  if (isPrefix) {
    if (whole.startsWith(word.written)) alternatives.shift();
    alternatives.push(`${quoted(beginning + word.written)}:*`);
  }
  for (const stem of word.stems) alternatives.push(quoted(beginning + stem));
  return alternatives.length === 1 ? (alternatives[0] ?? '') : `(${alternatives.join(' | ')})`;
}

/**
 * Returns the `tsquery` condition for phrases and exclusions, or null if there are none.
 * `beginning` is put before each term, and `excludedBeginning` before each term of an exclusion.
 */
export function fixedCondition(
  { phrases, excluded }: Pick<ParsedQuery, 'phrases' | 'excluded'>,
  beginning: string,
  excludedBeginning = beginning,
): string | null {
  const conditions = [
    ...phrases.map((words) => phraseCondition(words, beginning)),
    ...excluded.map((words) => `!${phraseCondition(words, excludedBeginning)}`),
  ];
  return conditions.length === 0 ? null : conditions.join(' & ');
}

/** Returns a condition for adjacent words. Each must match as a whole word. */
function phraseCondition(words: readonly Word[], beginning: string): string {
  return `(${words.map(({ terms, written }) => quoted(beginning + (terms[0] ?? written))).join(' <-> ')})`;
}
