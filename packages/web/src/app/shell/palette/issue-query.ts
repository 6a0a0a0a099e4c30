import type { Pair } from '@winnow/contract/duplicate';
import type { IssueSummary } from '@winnow/contract/issue';

/** What the palette shows of an issue. */
export type FoundIssue = Pick<IssueSummary, 'key' | 'title' | 'status'>;

/** What was typed, as far as it may mean an issue: its whole key, the end of one, or words of its title. */
export type IssueQuery = { kind: 'key' | 'number' | 'words'; text: string };

/** The shortest text that is looked for, and the longest that the server takes. */
const SHORTEST = 2;
const LONGEST = 200;
/** How many issues are offered. */
const MOST_OFFERED = 6;

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

/** The issues of these pairs that the query means, each once, in the order of the pairs. */
export function issuesMeant({ kind, text }: IssueQuery, pairs: readonly Pair[]): FoundIssue[] {
  const wanted = text.toLowerCase();
  const isMeant = (issue: FoundIssue) => {
    const key = issue.key.toLowerCase();
    switch (kind) {
      case 'key':
        return key === wanted;
      case 'number':
        return key.endsWith(/^[#!]/.test(wanted) ? wanted : `/${wanted}`);
      case 'words':
        return key.includes(wanted) || issue.title.toLowerCase().includes(wanted);
    }
  };
  return eachOnce(pairs.flatMap(({ issue1, issue2 }) => [issue1, issue2]).filter(isMeant));
}

/** The first issues, each key once: two trackers may share one, and lead to the same list. */
export function eachOnce(issues: readonly FoundIssue[]): FoundIssue[] {
  const byKey = new Map<string, FoundIssue>();
  for (const issue of issues) if (!byKey.has(issue.key)) byKey.set(issue.key, issue);
  return [...byKey.values()].slice(0, MOST_OFFERED);
}

/** Where an issue's similar ones are listed, whatever their state. */
export function pairsOfIssue(key: string): string {
  return `/console/issues?${new URLSearchParams({ query: key, status: 'all' })}`;
}

/** That nothing was found, in a sentence that claims no more than was looked through. */
export function nothingFoundText({ kind, text }: IssueQuery): string {
  switch (kind) {
    case 'key':
      return `No issue has the key ${text}.`;
    case 'number':
      return `No issue that has similar ones ends in ${text}.`;
    case 'words':
      return 'Nothing with that name';
  }
}
