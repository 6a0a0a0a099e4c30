import type { Pair, PairDetail, PairJudgment, PairList } from '@winnow/contract/duplicate';
import { queryClient } from '../../api/query/query-client.ts';
import { queryKeys } from '../../api/query/query-keys.ts';
import { sentenceOf } from '../../api/session/api-error.ts';
import { api } from '../../api/session/session.ts';
import { trackRequest } from '../../features/decisions/decision-requests.ts';
import { pairOptions } from '../../features/pairs/queries.ts';
import { showToast } from '../../ui/toasts/toast.tsx';

function showJudgment(pairId: string, judgment: PairJudgment | null): void {
  queryClient.setQueriesData<PairList>({ queryKey: queryKeys.pairs.allLists }, (list) => {
    if (list === undefined) return undefined;
    const duplicates = list.duplicates.map((pair) => (pair.id === pairId ? { ...pair, judgment } : pair));
    return { ...list, duplicates };
  });
  queryClient.setQueryData<PairDetail>(pairOptions(pairId).queryKey, (pair) => pair && { ...pair, judgment });
}

function offerUndo(pair: Pair): void {
  showToast({
    id: `judgment-${pair.id}`,
    kind: 'done',
    text: `Judged ${pair.issue1.key} and ${pair.issue2.key} as different.`,
    action: { label: 'Undo', run: () => void setJudgment(pair, 'different') },
  });
}

/**
 * The last request. The next request waits for it, so that the server stores the user's last
 * judgment last.
 */
let lastRequest: Promise<unknown> = Promise.resolve();

/**
 * Stores the user's judgment of a pair. If the pair already has this judgment, removes it. The
 * judgment is displayed immediately, and replaced by the stored one if the request fails. A pair
 * judged as different leaves the queue; a toast offers to undo this. Nothing is written to a
 * tracker.
 */
export async function setJudgment(pair: Pair, chosen: PairJudgment): Promise<void> {
  const judgment = pair.judgment === chosen ? null : chosen;
  const path = `/issue-duplicates/${pair.id}/judgment` as const;
  const request = trackRequest(
    lastRequest.then(() =>
      judgment === null ? api('DELETE', path) : api('PUT', path, { body: { judgment } }),
    ),
  );
  lastRequest = request.catch(() => undefined);
  await queryClient.cancelQueries({ queryKey: queryKeys.pairs.all });
  showJudgment(pair.id, judgment);
  try {
    await request;
    if (judgment === 'different') offerUndo({ ...pair, judgment });
  } catch (error) {
    showToast({ id: `judgment-${pair.id}`, kind: 'failed', text: sentenceOf(error) });
  } finally {
    // A pair judged as different leaves the queue. Refetch lists, charts, and the number in the
    // sidebar.
    void queryClient.invalidateQueries({ queryKey: queryKeys.pairs.all });
    // The list of models states how often people agree with each model.
    void queryClient.invalidateQueries({ queryKey: queryKeys.aiModels.list() });
  }
}
