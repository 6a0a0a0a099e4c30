/** Maximum length of a quotation in the reason of a dependency, in UTF-16 code units. */
const MAX_REASON_QUOTE_CHARS = 160;

/** Prepares words for a quotation: on one line, without markup, and with limited length. */
export function quoted(written: string): string {
  const words = written
    .replace(/[*~`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > MAX_REASON_QUOTE_CHARS ? `${words.slice(0, MAX_REASON_QUOTE_CHARS)}…` : words;
}
