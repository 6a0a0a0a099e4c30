import { quoted } from '../search-index/document.ts';
import { languagesOfQuery, type Word, wordsIn } from '../search-index/terms.ts';

/** A parsed search query. */
export interface ParsedQuery {
  /** Text of the query as the user wrote it, without exclusions. */
  text: string;
  /** Words to search for, each once. They may occur anywhere in an item. */
  words: QueryWord[];
  /** Phrases: lists of words that must be adjacent, in this order. */
  phrases: Word[][];
  /** Exclusions: words and phrases that must not occur in an item. */
  excluded: Word[][];
}

/** A word to search for. */
export interface QueryWord {
  /** Term whose frequency determines the weight of the word. */
  term: string;
  /** All terms that match the word: its written form and its stems. */
  word: Word;
  /**
   * True if the user may still be typing the word. Longer words that start with it then match as
   * well.
   */
  isPrefix: boolean;
}

/**
 * Maximum length of a query with operators. A longer query, or one of several lines, counts as
 * pasted text. Quotes and hyphens then have no special meaning.
 */
const MAX_CHARS_WITH_OPERATORS = 200;
/** Maximum words of a query that are used. Further words are ignored. */
const MAX_WORDS = 200;
const QUERY_PART =
  /(?<before>^|[\s(])(?<not>-?)(?:["“”„](?<phrase>[^"“”„]*)["“”„]|(?<=-)(?<word>[\p{L}\p{N}_][^\s"“”„]*))/gu;

/**
 * Parses a query of words, `"phrases"` and exclusions (`-word`, `-"a phrase"`). Every text is a
 * valid query. A query without words finds nothing.
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

/** True if the query contains words or phrases, not only exclusions. */
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
    // Ignores a single ASCII letter, because it would match too many words. In other scripts, one
    // letter may be a whole word.
    if (word.end === text.length) last.isPrefix = !/^[\x20-\x7e]$/.test(word.written);
  }
  return [...words.values()];
}

/**
 * Returns the `tsquery` condition for a word. `beginning` is prepended to each term. It is the
 * account's prefix or empty.
 */
export function wordCondition({ word, isPrefix }: Omit<QueryWord, 'term'>, beginning: string): string {
  const [whole = word.written, ...parts] = word.terms;
  const alternatives = [quoted(beginning + whole)];
  // A version number matches only itself. An identifier also matches if all its parts occur.
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
 * Returns the `tsquery` condition for phrases and exclusions. Returns null if the query has
 * neither. `beginning` is prepended to each term of a phrase, and `excludedBeginning` to each term
 * of an exclusion.
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

/**
 * Returns a condition for adjacent words. Each word must match completely, not only by its
 * beginning.
 */
function phraseCondition(words: readonly Word[], beginning: string): string {
  return `(${words.map(({ terms, written }) => quoted(beginning + (terms[0] ?? written))).join(' <-> ')})`;
}
