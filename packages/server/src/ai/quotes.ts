/** Texts of an issue that a model may quote. */
export interface QuotedTexts {
  title: string;
  description: string;
}

/** A quotation and its UTF-16 range in the title or description. */
export interface Quote {
  field: keyof QuotedTexts;
  start: number;
  end: number;
  quote: string;
}

const MAX_MODEL_QUOTE_CHARS = 300;

/**
 * Finds a model's quotation in an issue, verbatim. Returns null if the issue does not contain the
 * quotation, because the model invented it.
 */
export function quoteIn(texts: QuotedTexts, quoted: string): Quote | null {
  const quote = quoted.trim().slice(0, MAX_MODEL_QUOTE_CHARS);
  if (quote === '') return null;
  for (const field of ['description', 'title'] as const) {
    const start = texts[field].indexOf(quote);
    if (start !== -1) return { field, start, end: start + quote.length, quote };
  }
  return null;
}
