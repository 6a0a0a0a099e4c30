import type { ComplianceSuggestion, ComplianceUpdate } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import type { KnownLines } from '../../issues/texts/source-runs.ts';
import { type IssueTexts, isSameText, plainLines } from '../../issues/texts/typed.ts';

/** As many, and as long, as the server takes. */
const MOST_CHANGES = 50;
const LONGEST_CHANGE = 500;

/** The texts that editing begins with: the suggested ones, or the issue's own when nobody could suggest any. */
export function begunTexts(suggestion: ComplianceSuggestion | undefined, issue: Issue): IssueTexts {
  const { title, description } = suggestion ?? issue;
  return { title, description: plainLines(description) };
}

/** Which lines of those are the issue's. */
export function knownLines(suggestion: ComplianceSuggestion | undefined, begun: IssueTexts): KnownLines {
  const text = begun.description;
  return { text, sources: suggestion?.sources ?? text.split('\n').map(() => 'issue') };
}

/** What is written for an issue to have these texts, with what was done for the record. Null when it has them. */
export function updateOf(
  issue: Pick<Issue, 'title' | 'description'>,
  texts: IssueTexts,
  changes: readonly string[],
): ComplianceUpdate | null {
  const update = {
    ...(issue.title === texts.title ? {} : { title: texts.title }),
    ...(isSameText(issue.description, texts.description) ? {} : { description: texts.description }),
  };
  if (Object.keys(update).length === 0) return null;
  return {
    ...update,
    changes: changes.slice(0, MOST_CHANGES).map((change) => change.slice(0, LONGEST_CHANGE)),
  };
}
