/** The texts of an issue that a model may quote. */
export interface QuotedTexts {
  title: string;
  description: string;
}

/** Words of an issue, and where they stand: a UTF-16 range of one of its texts. */
export interface Quote {
  field: keyof QuotedTexts;
  start: number;
  end: number;
  quote: string;
}

const LONGEST_QUOTE = 300;

/** Where an issue says what a model quotes, letter by letter; null where it does not: then the model has made it up. */
export function quoteIn(texts: QuotedTexts, quoted: string): Quote | null {
  const quote = quoted.trim().slice(0, LONGEST_QUOTE);
  if (quote === '') return null;
  for (const field of ['description', 'title'] as const) {
    const start = texts[field].indexOf(quote);
    if (start !== -1) return { field, start, end: start + quote.length, quote };
  }
  return null;
}
