import { cleanWithErrors } from '../clean.ts';
import { readTitle } from '../title-coverage.ts';
import { termsIn } from '../tokenize.ts';
import type { JudgedIssue } from '../verdict.ts';

/** Maximum words of a title or a description that are compared. */
const MAX_COMPARED_WORDS = 600;

/** Returns all terms in the title and description of an issue. */
export function termsOf({ title, body }: JudgedIssue): Set<string> {
  return new Set([
    ...termsIn(title, MAX_COMPARED_WORDS),
    ...termsIn(cleanWithErrors(body).text, MAX_COMPARED_WORDS),
  ]);
}

/**
 * Chooses the title that describes both issues better. For each title, adds up the weights of the
 * words that the other issue contains. The title with the higher sum wins. If the sums are equal,
 * the title with the higher total weight wins, or else the first.
 */
export function chooseMergedTitle(
  first: JudgedIssue,
  second: JudgedIssue,
  idf: (term: string) => number,
): 'first' | 'second' {
  const [ofFirst, ofSecond] = [
    weigh(first.title, termsOf(second), idf),
    weigh(second.title, termsOf(first), idf),
  ];
  if (ofFirst.said !== ofSecond.said) return ofFirst.said > ofSecond.said ? 'first' : 'second';
  return ofSecond.all > ofFirst.all ? 'second' : 'first';
}

function weigh(
  title: string,
  said: ReadonlySet<string>,
  idf: (term: string) => number,
): { said: number; all: number } {
  const words = readTitle(title, said, idf);
  const sum = (counted: typeof words) => counted.reduce((total, { weight }) => total + weight, 0);
  return { said: sum(words.filter(({ isCovered }) => isCovered)), all: sum(words) };
}
