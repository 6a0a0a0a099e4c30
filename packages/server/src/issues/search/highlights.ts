import type { Highlight } from '@winnow/contract/search';
import { languagesIn, type Word, wordsIn } from '../search-index/terms.ts';
import type { ParsedQuery } from './query.ts';

/**
 * Maximum characters of a text that are searched for highlights. Only the beginning of a text is
 * displayed, and scanning whole texts of a megabyte for every result would be slow.
 */
const MAX_SCANNED_CHARS = 20_000;
/** Maximum highlights per field. */
const MAX_HIGHLIGHTS_PER_FIELD = 50;

/** Search terms to highlight. */
export interface HighlightTerms {
  terms: ReadonlySet<string>;
  /** Stems of the query's words in languages other than English. */
  stems: ReadonlySet<string>;
  /**
   * Unfinished last word of the query. Every word that starts with it is highlighted. Null if the
   * last word is finished.
   */
  prefix: string | null;
  /**
   * Matches every part of an English text that may contain one of the terms or the unfinished word.
   */
  possible: RegExp;
}

/**
 * Returns the terms to highlight, including the words of phrases. Common words such as articles are
 * highlighted only if the query has no others.
 */
export function searchedWords(query: ParsedQuery, isCommon: (term: string) => boolean): HighlightTerms {
  const terms = new Set<string>();
  const stems = new Set<string>();
  let prefix: string | null = null;
  const add = (word: Word): void => {
    for (const term of word.terms) terms.add(term);
    for (const stem of word.stems) stems.add(stem);
  };
  const meaningful = query.words.filter(({ term }) => !isCommon(term));
  const areAllCommon = meaningful.length + query.phrases.length === 0;
  for (const { word, isPrefix } of areAllCommon ? query.words : meaningful) {
    add(word);
    if (isPrefix) prefix = word.written;
  }
  for (const phrase of query.phrases) phrase.forEach(add);
  return { terms, stems, prefix, possible: possibleParts([...terms, ...(prefix === null ? [] : [prefix])]) };
}

/**
 * Returns the highlighted ranges of a text in UTF-16 code units, sorted. Overlapping and adjacent
 * ranges are merged. The language is detected from all fields of `item`.
 */
export function highlightsIn(
  field: Highlight['field'],
  text: string,
  searched: HighlightTerms,
  item = { title: '', body: text },
): Highlight[] {
  const found: Highlight[] = [];
  if (searched.terms.size === 0) return found;
  for (const { start, end } of searchedWordsIn(text.slice(0, MAX_SCANNED_CHARS), searched, item)) {
    const last = found.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else if (found.length === MAX_HIGHLIGHTS_PER_FIELD) break;
    else found.push({ field, start, end });
  }
  return found;
}

function* searchedWordsIn(
  text: string,
  { terms, stems, prefix, possible }: HighlightTerms,
  item: { title: string; body: string },
): Generator<{ start: number; end: number }> {
  const languagesOf = stems.size === 0 ? null : languagesIn(item);
  // A word contains no spaces, so splitting the text at spaces does not split any word.
  for (const { 0: part, index } of text.matchAll(/\S+/g)) {
    if (languagesOf === null && !possible.test(part)) continue;
    for (const word of wordsIn(part, languagesOf)) {
      const isSearched =
        word.terms.some((term) => terms.has(term)) ||
        word.stems.some((stem) => stems.has(stem)) ||
        (prefix !== null && word.written.startsWith(prefix));
      if (isSearched) yield { start: index + word.start, end: index + word.end };
    }
  }
}

/**
 * Returns a regular expression that matches every part of an English text that may contain one of
 * these terms. Testing it first is much faster than stemming every word.
 */
function possibleParts(terms: Iterable<string>): RegExp {
  const beginnings = new Set<string>();
  for (const term of terms) {
    // The stem of an English word starts with the first three letters of the word. The only
    // exception is `flies`, whose stem is `fly`.
    if (/^[\x20-\x7e]+$/.test(term)) beginnings.add(/^..y$/.test(term) ? term.slice(0, 2) : term.slice(0, 3));
  }
  // A letter outside ASCII may be indexed as another letter, such as `é` as `e`.
  const either = [
    ...[...beginnings].map((beginning) => beginning.replace(/[^a-z0-9]/g, '\\$&')),
    '[^\\x20-\\x7e]',
  ];
  return new RegExp(either.join('|'), 'i');
}
