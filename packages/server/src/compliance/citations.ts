import type { Evidence } from '@winnow/analysis/readiness';
import type { Citation } from '@winnow/contract/compliance';

interface Texts {
  title: string;
  description: string;
}

const MOST_CITED = 3;
const LONGEST_QUOTE = 300;

/** What a model quotes, as far as the issue says it; all else it has made up. */
export function citationsOf(issue: Texts, quotes: readonly string[]): Citation[] {
  return quotes.slice(0, MOST_CITED).flatMap((quote) => {
    const words = quote.trim().slice(0, LONGEST_QUOTE);
    if (words === '') return [];
    for (const field of ['description', 'title'] as const) {
      const start = issue[field].indexOf(words);
      if (start !== -1) return [{ field, start, end: start + words.length, quote: words }];
    }
    return [];
  });
}

/** What the built-in analyst found, with its words. */
export function citationsAt(issue: Texts, evidence: readonly Evidence[]): Citation[] {
  return evidence.map(({ field, start, end }) => {
    const text = field === 'title' ? 'title' : 'description';
    return { field: text, start, end, quote: issue[text].slice(start, end) };
  });
}

/** The citations that still hold where they were found. */
export function standing(issue: Texts, citations: readonly Citation[]): Citation[] {
  return citations.filter(({ field, start, end, quote }) => issue[field].slice(start, end) === quote);
}
