import type { ComplianceSuggestion, ComplianceUpdate } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { openQuestions } from '../../../features/issues/text-fields/open-questions.ts';
import type { KnownLines } from '../../../features/issues/text-fields/source-runs.ts';
import { type IssueTexts, isSameText, plainLines } from '../../../features/issues/text-fields/text-edits.ts';

/** Maximum number of listed changes, and maximum length of each, that the server accepts. */
const MAX_CHANGES = 50;
const CHANGE_MAX_CHARS = 500;

/** Editable title and description, and a list of what was changed, one change per line. */
export type Improved = IssueTexts & { changes: string };

/**
 * Returns the initial texts: those of the suggestion, or those of the issue if there is no
 * suggestion.
 */
export function initialTexts(suggestion: ComplianceSuggestion | undefined, issue: Issue): Improved {
  const { title, description } = suggestion ?? issue;
  return { title, description: plainLines(description), changes: suggestion?.changes.join('\n') ?? '' };
}

/** Returns the source of each line. Without a suggestion, all lines are from the issue. */
export function knownLines(suggestion: ComplianceSuggestion | undefined, initial: IssueTexts): KnownLines {
  const text = initial.description;
  return { text, sources: suggestion?.sources ?? text.split('\n').map(() => 'issue') };
}

/** Returns the update that writes the edited texts to the issue. Null if no text differs. */
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
    changes: changes.slice(0, MAX_CHANGES).map((change) => change.trim().slice(0, CHANGE_MAX_CHARS)),
  };
}

/** Returns the number of unanswered questions in the description of an update. */
export function questionsIn({ description = '' }: ComplianceUpdate): number {
  return openQuestions(description);
}
