import type { Evidence } from '@winnow/analysis/readiness';
import type { Citation } from '@winnow/contract/compliance';
import { type QuotedTexts, quoteIn } from '../ai/index.ts';

const MAX_CITATIONS = 3;

/**
 * Returns the citations of a model's quotes, with their positions in the issue. Omits quotes that
 * the issue does not contain.
 */
export function citationsOf(issue: QuotedTexts, quotes: readonly string[]): Citation[] {
  return quotes.slice(0, MAX_CITATIONS).flatMap((quote) => quoteIn(issue, quote) ?? []);
}

/** Returns the citations of the built-in analyst's evidence, with their positions in the issue. */
export function citationsAt(issue: QuotedTexts, evidence: readonly Evidence[]): Citation[] {
  return evidence.map(({ field, start, end }) => {
    const text = field === 'title' ? 'title' : 'description';
    return { field: text, start, end, quote: issue[text].slice(start, end) };
  });
}

/** Returns the citations whose quote is still at its position in the issue. */
export function validCitations(issue: QuotedTexts, citations: readonly Citation[]): Citation[] {
  return citations.filter(({ field, start, end, quote }) => issue[field].slice(start, end) === quote);
}
