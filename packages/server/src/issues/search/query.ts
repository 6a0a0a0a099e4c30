import { quoted } from './document.ts';
import { type Word, wordsIn } from './terms.ts';

/** What somebody searches for, read. */
export interface ParsedQuery {
  /** What is to be found, without what is to be left out, as it was written. */
  text: string;
  /** Words that need not stand together, each once. */
  words: QueryWord[];
  /** Words that stand together. */
  phrases: Word[][];
  /** Words and phrases that must not occur. */
  excluded: Word[][];
}

/** A word that is searched for. */
export interface QueryWord {
  /** By which of the index's terms it is counted. */
  term: string;
  /** Everything it is found by. */
  word: Word;
  /** Somebody may still be typing it: what begins like it is found, too. */
  isPrefix: boolean;
}

/** A longer query, or one of several lines, is a text that was pasted: its quotes and hyphens mean nothing. */
const LONGEST_WITH_OPERATORS = 200;
/** Words that nobody types in one query: the first ones are looked for. */
const MOST_WORDS = 200;
const PART =
  /(?<before>^|[\s(])(?<not>-?)(?:["“”„](?<phrase>[^"“”„]*)["“”„]|(?<=-)(?<word>[\p{L}\p{N}_][^\s"“”„]*))/gu;

/**
 * Reads a query: words, `"phrases"`, `-word` and `-"a phrase"`. Everything is a query; what has no words finds nothing.
 */
export function parseQuery(query: string): ParsedQuery {
  const written = query.toWellFormed().replaceAll('\0', ' ');
  const phrases: Word[][] = [];
  const excluded: Word[][] = [];
  let text = written;
  let loose = written;
  if (written.length <= LONGEST_WITH_OPERATORS && !/[\r\n]/.test(written)) {
    text = '';
    loose = '';
    let end = 0;
    for (const match of written.matchAll(PART)) {
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

/** Whether there is anything to be found by words. */
export function hasWords(query: ParsedQuery): boolean {
  return query.words.length + query.phrases.length > 0;
}

function looseWords(text: string): QueryWord[] {
  const words = new Map<string, QueryWord>();
  let last: QueryWord | null = null;
  for (const word of wordsIn(text)) {
    const term = word.terms[0] ?? word.written;
    last = words.get(term) ?? { term, word, isPrefix: false };
    words.set(term, last);
    if (words.size >= MOST_WORDS) break;
    last.isPrefix = false;
    // A lone letter begins too many words, where letters are not words themselves.
    if (word.end === text.length) last.isPrefix = !/^[\x20-\x7e]$/.test(word.written);
  }
  return [...words.values()];
}

/**
 * The condition that an item has a word, in the database's notation, which takes any text. `beginning` is how the terms
 * begin where it is looked for.
 */
export function wordCondition({ word, isPrefix }: Omit<QueryWord, 'term'>, beginning: string): string {
  const [whole = word.written, ...parts] = word.terms;
  const alternatives = [quoted(beginning + whole)];
  // A version is itself and no other; of an identifier, all parts will do.
  if (parts.length > 0 && !/^v?\d+\./.test(whole)) {
    alternatives.push(`(${[...new Set(parts)].map((part) => quoted(beginning + part)).join(' & ')})`);
  }
  if (isPrefix) {
    if (whole.startsWith(word.written)) alternatives.shift();
    alternatives.push(`${quoted(beginning + word.written)}:*`);
  }
  return alternatives.length === 1 ? (alternatives[0] ?? '') : `(${alternatives.join(' | ')})`;
}

/**
 * The condition of the phrases and of what is left out, or null when there are none. `beginning` is as for a word; what is
 * left out may be looked for elsewhere.
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

/** Words next to each other, each as a whole. */
function phraseCondition(words: readonly Word[], beginning: string): string {
  return `(${words.map(({ terms, written }) => quoted(beginning + (terms[0] ?? written))).join(' <-> ')})`;
}
