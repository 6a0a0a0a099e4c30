import { randomBytes } from 'node:crypto';
import { STEERING } from '@winnow/contract/steering';
import { cutTo } from '../platform/text.ts';

/** The longest title and text of an issue that a model is shown, in UTF-16 code units. */
export const LONGEST = { line: 300, text: 8_000 } as const;

/**
 * Keeps apart what we say to a model and what strangers wrote. What was written stands between two lines with a boundary
 * that is made anew for each call, so nobody can write it beforehand; should it be in the text all the same, it is taken
 * out.
 */
export interface Fence {
  readonly boundary: string;
  /** A text of many lines as data, under a label of ours; of a longer one the beginning, which is then said. */
  text(label: string, written: string, longest?: number): string;
  /** The same of one line, such as a title. */
  line(label: string, written: string): string;
}

/** A fence for one call. */
export function createFence(boundary = `DATA-${randomBytes(12).toString('hex')}`): Fence {
  const enclose = (label: string, written: string, longest: number) => {
    const clean = withoutBoundary(visible(written), boundary);
    const shown = cutTo(clean, longest);
    const left = clean.length - shown.length;
    const note = left > 0 ? ` (the first ${shown.length} of ${clean.length} characters)` : '';
    return `${label}${note}:\n<<${boundary}\n${shown}\n${boundary}>>`;
  };
  return {
    boundary,
    text: (label, written, longest = LONGEST.text) => enclose(label, written, longest),
    line: (label, written) => enclose(label, written.replace(/\s+/gu, ' ').trim(), LONGEST.line),
  };
}

/** A text without what a person could not see in it; with tabs, and line ends as `\n`. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(STEERING, (character) => (character === '\n' || character === '\t' ? character : ''));
}

function withoutBoundary(text: string, boundary: string): string {
  let rest = text;
  const written = new RegExp(boundary, 'gi');
  // Taking one out may put another together.
  while (rest.search(written) !== -1) rest = rest.replace(written, '');
  return rest;
}
