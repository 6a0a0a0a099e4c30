import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { searchResults } from '@winnow/contract/search';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';
import { exactMatches, type FoundIssue, type IssueQuery, issueQueryOf } from './issue-query.ts';

/** Pause in typing, in milliseconds, before the server is queried. */
const TYPING_PAUSE_MS = 200;
/** Maximum issues that the palette lists. */
const MAX_ISSUES_LISTED = 6;

export type IssueSearch = {
  query: IssueQuery | null;
  issues: FoundIssue[];
  /** True while the search is running and more results may arrive. */
  searching: boolean;
  /** Limitation of the search, as a sentence. Null if there is none. */
  notice: string | null;
  /** Reason why the search failed, as a sentence. Null if it succeeded. */
  problem: string | null;
};

/** Searches for issues that match the input of the palette, after a pause in typing. */
export function useIssueSearch(typed: string): IssueSearch {
  const query = issueQueryOf(typed);
  const [settled] = useDebouncedValue(typed, TYPING_PAUSE_MS);
  const asked = settled === typed ? query : null;
  const filters = { query: asked?.text, search_type: 'fulltext', limit: MAX_ISSUES_LISTED };
  const found = useQuery({
    queryKey: queryKeys.issues.search(filters),
    queryFn: ({ signal }) => api('GET', '/search', { query: filters, schema: searchResults, signal }),
    enabled: asked !== null,
  });
  const results = found.data?.results ?? [];
  const issues = results.flatMap((result) => (result.item_type === 'issue' ? [result.item] : []));
  return {
    query,
    issues: asked === null ? [] : exactMatches(asked, issues),
    searching: query !== null && (asked === null || found.isLoading),
    notice: found.data?.notice ?? null,
    problem: query === null || found.error === null ? null : sentenceOf(found.error),
  };
}
