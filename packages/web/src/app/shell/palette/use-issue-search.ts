import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { pairList } from '@winnow/contract/duplicate';
import { issueSummary } from '@winnow/contract/issue';
import { queryKeys } from '../../query-keys.ts';
import { ApiError, sentenceOf } from '../../session/api-error.ts';
import { api } from '../../session/session.ts';
import { eachOnce, type FoundIssue, type IssueQuery, issueQueryOf, issuesMeant } from './issue-query.ts';

/** How long typing rests before the server is asked. */
const PAUSE_MS = 200;
/** How many pairs are looked through for the issues that are meant. */
const PAIRS_ASKED = 20;

function inSeveralTrackers(key: string): FoundIssue {
  return { key, title: 'In more than one tracker', status: 'several' };
}

/** The issue with exactly this key; null when there is none. */
async function issueOfKey(key: string, signal: AbortSignal): Promise<FoundIssue | null> {
  try {
    return await api('GET', `/issues/${encodeURIComponent(key)}`, { schema: issueSummary, signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    if (error instanceof ApiError && error.code === 'ambiguous_key') return inSeveralTrackers(key);
    throw error;
  }
}

export type IssueSearch = {
  query: IssueQuery | null;
  issues: FoundIssue[];
  /** Whether more may come. */
  searching: boolean;
  /** Why the search failed, in a sentence. */
  problem: string | null;
};

/** The issues that what was typed in the palette may mean, once typing rests. */
export function useIssueSearch(typed: string): IssueSearch {
  const query = issueQueryOf(typed);
  const [settled] = useDebouncedValue(typed, PAUSE_MS);
  const asked = settled === typed ? query : null;
  const key = asked?.kind === 'key' ? asked.text : '';
  const exact = useQuery({
    queryKey: queryKeys.issues.byKey(key),
    queryFn: ({ signal }) => issueOfKey(key, signal),
    enabled: key !== '',
  });
  const filters = { query: asked?.text, status: 'all', limit: PAIRS_ASKED };
  const listed = useQuery({
    queryKey: queryKeys.pairs.list(filters),
    queryFn: ({ signal }) => api('GET', '/issue-duplicates', { query: filters, schema: pairList, signal }),
    enabled: asked !== null,
  });
  const named = exact.data ? [exact.data] : [];
  const fromPairs = asked && listed.data ? issuesMeant(asked, listed.data.duplicates) : [];
  const failure = exact.error ?? listed.error;
  return {
    query,
    issues: query === null ? [] : eachOnce([...named, ...fromPairs]),
    searching: query !== null && (asked === null || exact.isLoading || listed.isLoading),
    problem: query === null || failure === null ? null : sentenceOf(failure),
  };
}
