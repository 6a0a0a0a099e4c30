import { cleanWithErrors } from '../clean.ts';
import { termsIn } from '../tokenize.ts';
import { type ImpliedDependency, ImpliedSearch, type ImplyingWords } from './implied-search.ts';
import { type ImplyingIssue, implyingTextsOf } from './implying-texts.ts';
import { Likeness } from './likeness.ts';

const TITLE_TERMS = 64;
const BODY_TERMS = 600;
/** So far into a description words count. */
const READ = 10_000;

/**
 * Dependencies that the texts of issues imply: one asks for what the other delivers, in words that say it must be there
 * first, and neither names the other. Rather too few than wrong ones: none between issues that are alike, none both ways,
 * none where several deliver the thing. Issues are told apart by their keys. English only.
 */
export function impliedDependencies(
  issues: readonly ImplyingIssue[],
  { idf }: { idf: (term: string) => number },
): ImpliedDependency[] {
  const read = issues.map((issue) => ({ id: issue.key, key: issue.key, ...implyingTextsOf(issue) }));
  return new ImpliedSearch(read, wordsOf(issues, idf)).of(read.map(({ id }) => id)).found;
}

/** The words of issues that are looked through together, by their keys. */
function wordsOf(issues: readonly ImplyingIssue[], idf: (term: string) => number): ImplyingWords {
  const holders = new Map<string, Map<string, boolean>>();
  for (const { key, title, body } of issues) {
    const titleTerms = new Set(termsIn(title, TITLE_TERMS));
    const bodyTerms = termsIn(cleanWithErrors(body.slice(0, READ)).text, BODY_TERMS);
    for (const term of new Set([...titleTerms, ...bodyTerms])) {
      const known = holders.get(term) ?? new Map<string, boolean>();
      holders.set(term, known.set(key, titleTerms.has(term)));
    }
  }
  const byKey = new Map(issues.map((issue) => [issue.key, issue]));
  const likeness = new Likeness(idf);
  return {
    issues: issues.length,
    idf,
    holdersOf: () => holders,
    areAlike(first, second) {
      const [one, other] = [byKey.get(first), byKey.get(second)];
      return one !== undefined && other !== undefined && likeness.areAlike(one, other);
    },
  };
}
