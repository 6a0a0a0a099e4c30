import { cleanWithErrors } from '../clean.ts';
import { MAX_TITLE_WORDS, termsIn } from '../tokenize.ts';
import { type ImpliedDependency, ImpliedSearch, type ImplyingWords } from './implied-search.ts';
import { type ImplyingIssue, implyingTextsOf, MAX_DESCRIPTION_CHARS_READ } from './implying-texts.ts';
import { SameTopic } from './same-topic.ts';

/** Maximum words of a description that are indexed. */
const MAX_INDEXED_BODY_WORDS = 600;

/**
 * Finds dependencies between issues that do not mention each other: one issue requires what the
 * other delivers. The words must say that the other issue comes first.
 *
 * A wrong dependency costs more than a missed one. The result therefore excludes similar issues,
 * dependencies in both directions, and deliverables of several issues. Issues are identified by
 * key. English only.
 */
export function impliedDependencies(
  issues: readonly ImplyingIssue[],
  { idf }: { idf: (term: string) => number },
): ImpliedDependency[] {
  const read = issues.map((issue) => ({ id: issue.key, key: issue.key, ...implyingTextsOf(issue) }));
  return new ImpliedSearch(read, indexWords(issues, idf)).findImpliedBy(read.map(({ id }) => id)).found;
}

/** Builds the word index of issues that are searched together. Issues are identified by key. */
function indexWords(issues: readonly ImplyingIssue[], idf: (term: string) => number): ImplyingWords {
  const holders = new Map<string, Map<string, boolean>>();
  for (const { key, title, body } of issues) {
    const titleTerms = new Set(termsIn(title, MAX_TITLE_WORDS));
    const bodyTerms = termsIn(
      cleanWithErrors(body.slice(0, MAX_DESCRIPTION_CHARS_READ)).text,
      MAX_INDEXED_BODY_WORDS,
    );
    for (const term of new Set([...titleTerms, ...bodyTerms])) {
      const known = holders.get(term) ?? new Map<string, boolean>();
      holders.set(term, known.set(key, titleTerms.has(term)));
    }
  }
  const byKey = new Map(issues.map((issue) => [issue.key, issue]));
  const sameTopic = new SameTopic(idf);
  return {
    issues: issues.length,
    idf,
    holdersOf: () => holders,
    areOnSameTopic(first, second) {
      const [one, other] = [byKey.get(first), byKey.get(second)];
      return one !== undefined && other !== undefined && sameTopic.areOnSameTopic(one, other);
    },
  };
}
