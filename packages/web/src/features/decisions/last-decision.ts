import { type Change, changeList } from '@winnow/contract/change';
import { MAX_PAIR_QUERY_CHARS, type Pair, pairList } from '@winnow/contract/duplicate';
import { queryClient } from '../../api/query/query-client.ts';
import { api } from '../../api/session/session.ts';
import { currentUserOptions } from '../account/current-user.ts';
import { localDecisions } from './local-decisions.ts';
import { CHANGES_LISTED } from './queries.ts';
import { nextToUndo, type RecentDecision, recentDecisions } from './recent-decisions.ts';

/** Page size of the pair search. This is the maximum that the server accepts. */
const MAX_PAIRS_SEARCHED = 100;

/**
 * Returns the user's newest decision that is in effect or being written, or null. Reads the ledger,
 * so the decision may have been made before this page was loaded.
 */
export async function lastDecision(): Promise<RecentDecision | null> {
  const { id } = await queryClient.fetchQuery(currentUserOptions);
  const changes: Change[] = [];
  for (;;) {
    const query = { limit: CHANGES_LISTED, skip: changes.length };
    const page = await api('GET', '/changes', { query, schema: changeList });
    changes.push(...page.changes);
    const found = nextToUndo(recentDecisions(changes, id, localDecisions()));
    const oldest = changes.at(-1);
    if (page.changes.length < CHANGES_LISTED || oldest === undefined) return found ?? null;
    // A found dismissal is the newest decision only if all newer changes have been read.
    if (found !== undefined && found.at >= Date.parse(oldest.created_at)) return found;
  }
}

/**
 * Finds the pair that a change resolved. Null if the change is not a resolution, or if the pair was
 * deleted or dismissed.
 */
export async function pairOf({ kind, issue_keys, base_hashes, status }: Change): Promise<Pair | null> {
  if (kind !== 'resolution') return null;
  const keys = [issue_keys.at(0), issue_keys.at(-1)];
  const query = {
    query: keys[0]?.slice(0, MAX_PAIR_QUERY_CHARS),
    status: 'all',
    scope: 'account',
    // The search also finds pairs whose keys only contain the searched key. Searching one
    // resolution state keeps the result small.
    resolution: status === 'applied' ? 'resolved' : 'unresolved',
    limit: MAX_PAIRS_SEARCHED,
  };
  const { duplicates } = await api('GET', '/issue-duplicates', { query, schema: pairList });
  const isOfIt = ({ id, key }: Pair['issue1']) => keys.includes(key) && Object.hasOwn(base_hashes, id);
  return duplicates.find(({ issue1, issue2 }) => isOfIt(issue1) && isOfIt(issue2)) ?? null;
}
