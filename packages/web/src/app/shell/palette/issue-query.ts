import type { IssueSummary } from '@winnow/contract/issue';

/** What the palette shows of an issue. */
export type FoundIssue = Pick<IssueSummary, 'id' | 'key' | 'title' | 'status'>;

/** What was typed, as far as it may mean an issue: its whole key, the end of one, or words of it. */
export type IssueQuery = { kind: 'key' | 'number' | 'words'; text: string };

/** The shortest text that is looked for, and the longest that the server takes. */
const SHORTEST = 2;
const LONGEST = 200;

/** `owner/repo#12`, `group/sub/project!12` or `PAY-12`. */
const WHOLE_KEY = /^(?:[^\s/#!]+\/)+[^\s/#!]+[#!]\d+$|^[a-z][a-z0-9_]*-\d+$/i;
/** `#12`, `!12` or `repo#12`. */
const END_OF_KEY = /^[^\s/#!]*[#!]\d+$/;

/** Reads what was typed; null when it is too short or too long to mean an issue. */
export function issueQueryOf(typed: string): IssueQuery | null {
  const text = typed.trim();
  if (text.length < SHORTEST || text.length > LONGEST) return null;
  if (WHOLE_KEY.test(text)) return { kind: 'key', text };
  return { kind: END_OF_KEY.test(text) ? 'number' : 'words', text };
}

/** Which of the issues that the server found the query means: of a key, or the end of one, no other. */
export function issuesMeant({ kind, text }: IssueQuery, found: readonly FoundIssue[]): FoundIssue[] {
  if (kind === 'words') return [...found];
  const wanted = text.toLowerCase();
  const end = /^[#!]/.test(wanted) ? wanted : `/${wanted}`;
  return found.filter((issue) => {
    const key = issue.key.toLowerCase();
    return kind === 'key' ? key === wanted : key.endsWith(end);
  });
}

/** Where an issue is open, beside the list that has it, whatever its state. */
export function addressOfIssue({ id, key }: Pick<FoundIssue, 'id' | 'key'>): string {
  return `/console/issues/compliance?${new URLSearchParams({ query: key, status: 'all', selectedIssue: id })}`;
}

/** That nothing was found, in a sentence that claims no more than was looked through. */
export function nothingFoundText({ kind, text }: IssueQuery): string {
  switch (kind) {
    case 'key':
      return `No issue has the key ${text}.`;
    case 'number':
      return `No issue has a key that ends in ${text}.`;
    case 'words':
      return `No screen, project or issue was found for “${text}”.`;
  }
}
