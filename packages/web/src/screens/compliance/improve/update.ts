import type { ComplianceSuggestion, ComplianceUpdate } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import {
  type IssueTexts,
  isSameText,
  plainLines,
} from '../../../features/issues/text-fields/edited-texts.ts';
import { openQuestions } from '../../../features/issues/text-fields/open-questions.ts';
import type { KnownLines } from '../../../features/issues/text-fields/source-runs.ts';

/** Limits of the server for number and length. */
const MOST_CHANGES = 50;
const LONGEST_CHANGE = 500;

/** What can be edited: the texts, and what is done to them, a line each, for the record. */
export type Improved = IssueTexts & { changes: string };

/**
 * What editing begins with: what was suggested, or the issue's own texts when nobody could suggest
 * any.
 */
export function begunWith(suggestion: ComplianceSuggestion | undefined, issue: Issue): Improved {
  const { title, description } = suggestion ?? issue;
  return { title, description: plainLines(description), changes: suggestion?.changes.join('\n') ?? '' };
}

/** Which lines of those are the issue's. */
export function knownLines(suggestion: ComplianceSuggestion | undefined, begun: IssueTexts): KnownLines {
  const text = begun.description;
  return { text, sources: suggestion?.sources ?? text.split('\n').map(() => 'issue') };
}

/**
 * What is written for an issue to have these texts, with what was done for the record. Null when it
 * has them.
 */
export function updateOf(
  issue: Pick<Issue, 'title' | 'description'>,
  texts: Improved,
): ComplianceUpdate | null {
  const update = {
    ...(issue.title === texts.title ? {} : { title: texts.title }),
    ...(isSameText(issue.description, texts.description) ? {} : { description: texts.description }),
  };
  if (Object.keys(update).length === 0) return null;
  const changes = texts.changes.split('\n').filter((change) => change.trim() !== '');
  return {
    ...update,
    changes: changes.slice(0, MOST_CHANGES).map((change) => change.trim().slice(0, LONGEST_CHANGE)),
  };
}

/** How many unanswered questions an update would write. */
export function questionsIn({ description = '' }: ComplianceUpdate): number {
  return openQuestions(description);
}
