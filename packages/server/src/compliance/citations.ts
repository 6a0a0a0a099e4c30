import type { Evidence } from '@winnow/analysis/readiness';
import type { Citation } from '@winnow/contract/compliance';
import { type QuotedTexts, quoteIn } from '../ai/quotes.ts';

const MOST_CITED = 3;

/** What a model quotes, as far as the issue says it. */
export function citationsOf(issue: QuotedTexts, quotes: readonly string[]): Citation[] {
  return quotes.slice(0, MOST_CITED).flatMap((quote) => quoteIn(issue, quote) ?? []);
}

/** What the built-in analyst found, with its words. */
export function citationsAt(issue: QuotedTexts, evidence: readonly Evidence[]): Citation[] {
  return evidence.map(({ field, start, end }) => {
    const text = field === 'title' ? 'title' : 'description';
    return { field: text, start, end, quote: issue[text].slice(start, end) };
  });
}

/** The citations that still hold where they were found. */
export function standing(issue: QuotedTexts, citations: readonly Citation[]): Citation[] {
  return citations.filter(({ field, start, end, quote }) => issue[field].slice(start, end) === quote);
}
