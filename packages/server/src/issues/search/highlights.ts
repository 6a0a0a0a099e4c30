import type { Highlight } from '@winnow/contract/search';
import { languagesIn, type Word, wordsIn } from '../search-index/terms.ts';
import type { ParsedQuery } from './query.ts';

/**
 * Only the beginning of a text is displayed, and scanning megabytes for every result would be slow.
 */
const MAX_SCANNED_CHARS = 20_000;
/** Maximum highlights per field. */
const MAX_HIGHLIGHTS_PER_FIELD = 50;

/** Search terms to highlight. */
export interface HighlightTerms {
  terms: ReadonlySet<string>;
  /** Stems in other languages than English. */
  stems: ReadonlySet<string>;
  /** Prefix matched by an unfinished last word, or null. */
  prefix: string | null;
}

/**
 * Returns the terms to highlight, including those of phrases. Common words such as articles are
 * included only if there are no others.
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
  return { terms, stems, prefix };
}

/**
 * Returns the matches in a text as sorted UTF-16 ranges; adjacent ones are joined. All
 * fields of the `item` tell the language.
 */
export function highlightsIn(
  field: Highlight['field'],
  text: string,
  { terms, stems, prefix }: HighlightTerms,
  item = { title: '', body: text },
): Highlight[] {
  const found: Highlight[] = [];
  if (terms.size === 0) return found;
  const languagesOf = stems.size === 0 ? undefined : languagesIn(item);
  for (const word of wordsIn(text.slice(0, MAX_SCANNED_CHARS), languagesOf)) {
    const isSearched =
      word.terms.some((term) => terms.has(term)) ||
      word.stems.some((stem) => stems.has(stem)) ||
      (prefix !== null && word.written.startsWith(prefix));
    if (!isSearched) continue;
    const last = found.at(-1);
    if (last !== undefined && word.start <= last.end) last.end = Math.max(last.end, word.end);
    else if (found.length === MAX_HIGHLIGHTS_PER_FIELD) break;
    else found.push({ field, start: word.start, end: word.end });
  }
  return found;
}
