import type { Highlight } from '@winnow/contract/search';
import type { ParsedQuery } from './query.ts';
import { type Word, wordsIn } from './terms.ts';

/** What is shown of a text is near its beginning; a log of a megabyte is not read for every page of results. */
const CHARACTERS_READ = 20_000;
/** More marks than these help nobody. */
const MOST_PER_FIELD = 50;

/** What of a word decides whether it was searched for. */
export interface Searched {
  terms: ReadonlySet<string>;
  /** What the last word begins with; null when it is complete. */
  prefix: string | null;
}

/**
 * The words that a query looks for, those of its phrases among them; words that say nothing, such as articles, only when there
 * are no others.
 */
export function searchedWords(query: ParsedQuery, isCommon: (term: string) => boolean): Searched {
  const terms = new Set<string>();
  let prefix: string | null = null;
  const add = (word: Word): void => {
    for (const term of word.terms) terms.add(term);
  };
  const telling = query.words.filter(({ term }) => !isCommon(term));
  const areAllCommon = telling.length + query.phrases.length === 0;
  for (const { word, isPrefix } of areAllCommon ? query.words : telling) {
    add(word);
    if (isPrefix) prefix = word.written;
  }
  for (const phrase of query.phrases) phrase.forEach(add);
  return { terms, prefix };
}

/** Where a text has words that were searched for: UTF-16 ranges, in order, touching ones joined. */
export function highlightsIn(
  field: Highlight['field'],
  text: string,
  { terms, prefix }: Searched,
): Highlight[] {
  const found: Highlight[] = [];
  if (terms.size === 0) return found;
  for (const word of wordsIn(text.slice(0, CHARACTERS_READ))) {
    const isSearched =
      word.terms.some((term) => terms.has(term)) || (prefix !== null && word.written.startsWith(prefix));
    if (!isSearched) continue;
    const last = found.at(-1);
    if (last !== undefined && word.start <= last.end) last.end = Math.max(last.end, word.end);
    else if (found.length === MOST_PER_FIELD) break;
    else found.push({ field, start: word.start, end: word.end });
  }
  return found;
}
