import { randomBytes } from 'node:crypto';
import { INVISIBLE_CHARACTERS } from '@winnow/contract/invisible-characters';
import { truncate } from '../platform/text.ts';

/**
 * Maximum length of a title (`line`) and of a longer text (`text`) in a prompt, in UTF-16 code
 * units.
 */
export const MAX_SHOWN_CHARS = { line: 300, text: 8_000 } as const;

/**
 * Separates our instructions from third-party text in a prompt. The text is enclosed by two lines
 * with a random boundary. Each call has a new boundary, so authors of texts cannot guess it. A
 * boundary that occurs in the text is removed.
 */
export interface Fence {
  readonly boundary: string;
  /**
   * Encloses a text of several lines under a label. A text longer than `longest` is cut, and the
   * label says so.
   */
  text(label: string, written: string, longest?: number): string;
  /** Encloses a single line, such as a title. */
  line(label: string, written: string): string;
}

/** Creates a fence for one call. */
export function createFence(boundary = `DATA-${randomBytes(12).toString('hex')}`): Fence {
  const enclose = (label: string, written: string, longest: number) => {
    const clean = withoutBoundary(visible(written), boundary);
    const shown = truncate(clean, longest);
    const left = clean.length - shown.length;
    const note = left > 0 ? ` (the first ${shown.length} of ${clean.length} characters)` : '';
    return `${label}${note}:\n<<${boundary}\n${shown}\n${boundary}>>`;
  };
  return {
    boundary,
    text: (label, written, longest = MAX_SHOWN_CHARS.text) => enclose(label, written, longest),
    line: (label, written) => enclose(label, written.replace(/\s+/gu, ' ').trim(), MAX_SHOWN_CHARS.line),
  };
}

/** Removes invisible characters. Keeps tabs, and normalizes line ends to `\n`. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(INVISIBLE_CHARACTERS, (character) =>
      character === '\n' || character === '\t' ? character : '',
    );
}

function withoutBoundary(text: string, boundary: string): string {
  let rest = text;
  const written = new RegExp(boundary, 'gi');
  // Repeats the removal, because removing one boundary may join its neighbors into another one.
  while (rest.search(written) !== -1) rest = rest.replace(written, '');
  return rest;
}
