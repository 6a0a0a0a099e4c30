import type { Pair, PairDetail, PairJudgment, PairList } from '@winnow/contract/duplicate';
import { queryClient } from '../../api/query/query-client.ts';
import { queryKeys } from '../../api/query/query-keys.ts';
import { sentenceOf } from '../../api/session/api-error.ts';
import { api } from '../../api/session/session.ts';
import { showToast } from '../../ui/toasts/toast.tsx';
import { pairOptions } from './queries.ts';

const LISTS = [...queryKeys.pairs.all, 'list'];

function showJudgment(pairId: string, judgment: PairJudgment | null): void {
  queryClient.setQueriesData<PairList>({ queryKey: LISTS }, (list) => {
    if (list === undefined) return undefined;
    const duplicates = list.duplicates.map((pair) => (pair.id === pairId ? { ...pair, judgment } : pair));
    return { ...list, duplicates };
  });
  queryClient.setQueryData<PairDetail>(pairOptions(pairId).queryKey, (pair) => pair && { ...pair, judgment });
}

/**
 * Stores how a person judges a pair; the same judgment again removes it. Shows it at once, and the
 * earlier one again if the request fails. Nothing is written to a tracker.
 */
export async function judgePair(pair: Pair, chosen: PairJudgment): Promise<void> {
  const judgment = pair.judgment === chosen ? null : chosen;
  await queryClient.cancelQueries({ queryKey: LISTS });
  showJudgment(pair.id, judgment);
  const path = `/issue-duplicates/${pair.id}/judgment` as const;
  try {
    if (judgment === null) await api('DELETE', path);
    else await api('PUT', path, { body: { judgment } });
  } catch (error) {
    showJudgment(pair.id, pair.judgment);
    showToast({ id: `judgment-${pair.id}`, kind: 'failed', text: sentenceOf(error) });
  }
}
