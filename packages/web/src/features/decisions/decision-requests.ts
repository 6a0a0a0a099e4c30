import { QueryObserver } from '@tanstack/react-query';
import {
  CHANGE_STATUSES,
  type Change,
  type ChangeStatus,
  change,
  type ProposalPayload,
  type ResolutionPayload,
  resolutionResult,
} from '@winnow/contract/change';
import { type ComplianceUpdate, complianceUpdated } from '@winnow/contract/compliance';
import { type CommitRequest, type CommitResult, commitResult } from '@winnow/contract/dependency';
import type { Pair, PairList } from '@winnow/contract/duplicate';
import { queryClient } from '../../api/query/query-client.ts';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';
import { withoutPair } from '../pairs/list-cache.ts';
import { pairKeyOf } from '../pairs/pair-key.ts';
import { keepDecidedAt } from './local-decisions.ts';
import { changeOptions } from './queries.ts';

const LISTS = [...queryKeys.pairs.all, 'list'];

/** Decisions that the server may not have heard of yet. */
const underWay = new Set<Promise<unknown>>();

function onItsWay<T>(call: Promise<T>): Promise<T> {
  underWay.add(call);
  const arrived = () => underWay.delete(call);
  call.then(arrived, arrived);
  return call;
}

/** Resolves when the server has answered every decision made until now, so that what comes next cannot overtake one. */
export async function whenHeard(): Promise<void> {
  await Promise.allSettled(underWay);
}

/** Asks again for what a decision changes. */
function refreshDecided(): void {
  const { pairs, changes, issues, compliance, dependencies } = queryKeys;
  for (const { all } of [pairs, changes, issues, compliance, dependencies]) {
    void queryClient.invalidateQueries({ queryKey: all });
  }
}

/** The change as it stands once it is settled; the live channel tells when to look. Throws what reading it throws. */
function whenSettled(changeId: string): Promise<Change> {
  const observer = new QueryObserver(queryClient, { ...changeOptions(changeId), staleTime: 0 });
  return new Promise((resolve, reject) => {
    const leave = observer.subscribe(({ data, error, isFetching }) => {
      if (data !== undefined && CHANGE_STATUSES[data.status].settled) finish(() => resolve(data));
      else if (error !== null && !isFetching) finish(() => reject(error));
    });
    function finish(tell: () => void) {
      leave();
      tell();
    }
  });
}

/** Puts a change in the cache and, when it is still being applied, waits until it is settled. */
async function settled(known: Change): Promise<Change> {
  queryClient.setQueryData(changeOptions(known.id).queryKey, known);
  return CHANGE_STATUSES[known.status].settled ? known : whenSettled(known.id);
}

/** Makes a call that writes, and waits until the change that it answers is settled. */
async function carriedOut(
  call: () => Promise<{ change_id: string; status: ChangeStatus }>,
  onUnderWay: (changeId: string) => void,
): Promise<Change> {
  const at = Date.now();
  try {
    const result = await onItsWay(call());
    keepDecidedAt(result.change_id, at);
    if (result.status !== 'applied') onUnderWay(result.change_id);
    return await whenSettled(result.change_id);
  } catch (error) {
    // It was refused because something moved: what would be written is worked out again.
    void queryClient.invalidateQueries({ queryKey: queryKeys.previews.all });
    throw error;
  } finally {
    refreshDecided();
  }
}

/**
 * Resolves a pair and waits until the change is settled. When it is not written at once, `onUnderWay` hears its id. The
 * answer may be applied, partly applied or failed. Throws `ApiError` when nothing was begun.
 */
export function resolvePair(
  payload: ResolutionPayload,
  onUnderWay: (changeId: string) => void = () => undefined,
): Promise<Change> {
  return carriedOut(
    () => api('PATCH', '/issue-duplicates/execute-resolution', { body: payload, schema: resolutionResult }),
    onUnderWay,
  );
}

/** Gives an issue other texts, in the same way. */
export function updateIssue(
  issueId: string,
  update: ComplianceUpdate,
  onUnderWay: (changeId: string) => void,
): Promise<Change> {
  return carriedOut(
    () => api('PATCH', `/issue_compliance_update/${issueId}`, { body: update, schema: complianceUpdated }),
    onUnderWay,
  );
}

/**
 * Commits dependencies to their trackers, each by a change of its own, and answers what came of each within ten seconds.
 * Throws `ApiError` when nothing was begun.
 */
export async function commitDependencies(dependencies: CommitRequest['dependencies']): Promise<CommitResult> {
  const at = Date.now();
  try {
    const result = await onItsWay(
      api('POST', '/issue-dependencies/commit', { body: { dependencies }, schema: commitResult }),
    );
    for (const { change_id } of [...result.dependencies, ...result.failed, ...result.pending]) {
      if (change_id !== null) keepDecidedAt(change_id, at);
    }
    return result;
  } finally {
    refreshDecided();
  }
}

/** Tries what failed of a change once more, and waits until it is settled. */
export async function retryChange(changeId: string): Promise<Change> {
  try {
    return await settled(await api('POST', `/changes/${changeId}/retry`, { schema: change }));
  } finally {
    refreshDecided();
  }
}

/** Saves a resolution for somebody to approve. Nothing is written. Throws `ApiError` when it was refused. */
export async function proposeResolution(payload: ProposalPayload): Promise<Change> {
  try {
    return await onItsWay(
      api('PATCH', '/issue-duplicates/propose-resolution', { body: payload, schema: change }),
    );
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: queryKeys.previews.all });
    throw error;
  } finally {
    refreshDecided();
  }
}

/** Carries out what was proposed, and waits until that is settled. Throws `ApiError` when nothing was begun. */
export async function approveChange(changeId: string): Promise<Change> {
  try {
    return await settled(await onItsWay(api('POST', `/changes/${changeId}/apply`, { schema: change })));
  } finally {
    refreshDecided();
  }
}

/** Turns down what was proposed. */
export async function rejectChange(changeId: string): Promise<Change> {
  try {
    return await settled(await onItsWay(api('POST', `/changes/${changeId}/reject`, { schema: change })));
  } finally {
    refreshDecided();
  }
}

/** Takes a change back; the answer is the change that does so, settled. `onHeard` hears when the server knows of it. */
export async function undoChange(changeId: string, onHeard: () => void = () => undefined): Promise<Change> {
  try {
    const undo = await onItsWay(api('POST', `/changes/${changeId}/undo`, { schema: change }));
    onHeard();
    return await settled(undo);
  } finally {
    refreshDecided();
  }
}

/** Dismisses a pair or brings it back. It leaves the lists at once, and returns to them when the call fails. */
export async function setDismissed(pair: Pair, dismissed: boolean): Promise<void> {
  const call = onItsWay(
    api('POST', `/issue-duplicates/${dismissed ? 'dismiss' : 'restore'}`, { body: pairKeyOf(pair) }),
  );
  await queryClient.cancelQueries({ queryKey: LISTS });
  const before = queryClient.getQueriesData<PairList>({ queryKey: LISTS });
  queryClient.setQueriesData<PairList>({ queryKey: LISTS }, (list) => list && withoutPair(list, pair.id));
  try {
    await call;
  } catch (error) {
    for (const [key, list] of before) queryClient.setQueryData(key, list);
    throw error;
  } finally {
    refreshDecided();
  }
}
