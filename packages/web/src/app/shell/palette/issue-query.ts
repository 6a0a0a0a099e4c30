import type { IssueSummary } from '@winnow/contract/issue';

/** Fields of an issue that the command palette shows. */
export type FoundIssue = Pick<IssueSummary, 'id' | 'key' | 'title' | 'status' | 'project_id'>;

/**
 * Input in the command palette that may refer to an issue: a whole key, the end of a key, or words.
 */
export type IssueQuery = { kind: 'key' | 'number' | 'words'; text: string };

/** Minimum and maximum characters of a search text. The API accepts at most 200. */
const MIN_QUERY_CHARS = 2;
const MAX_PALETTE_QUERY_CHARS = 200;

/** Matches `owner/repo#12`, `group/sub/project!12` or `PAY-12`. */
const WHOLE_KEY = /^(?:[^\s/#!]+\/)+[^\s/#!]+[#!]\d+$|^[a-z][a-z0-9_]*-\d+$/i;
/** Matches `#12`, `!12` or `repo#12`. */
const END_OF_KEY = /^[^\s/#!]*[#!]\d+$/;

/**
 * Classifies the input of the command palette. Returns null if the input is too short or too long.
 */
export function issueQueryOf(typed: string): IssueQuery | null {
  const text = typed.trim();
  if (text.length < MIN_QUERY_CHARS || text.length > MAX_PALETTE_QUERY_CHARS) return null;
  if (WHOLE_KEY.test(text)) return { kind: 'key', text };
  return { kind: END_OF_KEY.test(text) ? 'number' : 'words', text };
}

/** Limits the search results to exact matches if the input is a key or the end of a key. */
export function exactMatches({ kind, text }: IssueQuery, found: readonly FoundIssue[]): FoundIssue[] {
  if (kind === 'words') return [...found];
  const wanted = text.toLowerCase();
  const end = /^[#!]/.test(wanted) ? wanted : `/${wanted}`;
  return found.filter((issue) => {
    const key = issue.key.toLowerCase();
    return kind === 'key' ? key === wanted : key.endsWith(end);
  });
}

/**
 * Returns the path of the issue list with this issue selected. The list includes issues in any
 * state.
 */
export function addressOfIssue({ id, key }: Pick<FoundIssue, 'id' | 'key'>): string {
  return `/console/issues/compliance?${new URLSearchParams({ query: key, status: 'all', selectedIssue: id })}`;
}

/** Describes an empty result. The text quotes the searched input. */
export function nothingFoundText({ kind, text }: IssueQuery): string {
  switch (kind) {
    case 'key':
      return `Issue ${text} not found.`;
    case 'number':
      return `No issue key ends in ${text}.`;
    case 'words':
      return `No screen, project or issue found for “${text}”.`;
  }
}
