import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { searchResults } from '@winnow/contract/search';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';
import { type FoundIssue, type IssueQuery, issueQueryOf, issuesMeant } from './issue-query.ts';

/** How long typing rests before the server is asked. */
const PAUSE_MS = 200;
/** How many issues are offered. */
const MOST_OFFERED = 6;

export type IssueSearch = {
  query: IssueQuery | null;
  issues: FoundIssue[];
  /** Whether more may come. */
  searching: boolean;
  /** What the search had to do without, in a sentence. */
  notice: string | null;
  /** Why the search failed, in a sentence. */
  problem: string | null;
};

/** The issues that what was typed in the palette may mean, once typing rests. */
export function useIssueSearch(typed: string): IssueSearch {
  const query = issueQueryOf(typed);
  const [settled] = useDebouncedValue(typed, PAUSE_MS);
  const asked = settled === typed ? query : null;
  const filters = { query: asked?.text, search_type: 'fulltext', limit: MOST_OFFERED };
  const found = useQuery({
    queryKey: queryKeys.issues.search(filters),
    queryFn: ({ signal }) => api('GET', '/search', { query: filters, schema: searchResults, signal }),
    enabled: asked !== null,
  });
  const results = found.data?.results ?? [];
  const issues = results.flatMap((result) => (result.item_type === 'issue' ? [result.item] : []));
  return {
    query,
    issues: asked === null ? [] : issuesMeant(asked, issues),
    searching: query !== null && (asked === null || found.isLoading),
    notice: found.data?.notice ?? null,
    problem: query === null || found.error === null ? null : sentenceOf(found.error),
  };
}
