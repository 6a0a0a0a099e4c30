import type { Change } from '@winnow/contract/change';
import type { Pair } from '@winnow/contract/duplicate';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { resolvePair, setDismissed, undoChange } from '../../../features/decisions/decision-requests.ts';
import {
  forgetDismissal,
  recordDismissal,
  recordRestored,
} from '../../../features/decisions/local-decisions.ts';
import { reasonOf } from '../../../features/decisions/recent-decisions.ts';
import { pairKeyOf } from '../../../features/pairs/pair-key.ts';
import type { Outcome } from './run.ts';
import type { BulkItem, BulkKind } from './use-bulk.ts';

/**
 * A completed action on a pair, which can be undone. `change` is null if the action was a
 * dismissal.
 */
export type CompletedAction = { pair: Pair; change: Change | null };

type Ended<Result> = Exclude<Outcome<Result>, { state: 'waiting' | 'running' | 'stopped' }>;

async function ended<Result>(work: () => Promise<Ended<Result>>): Promise<Ended<Result>> {
  try {
    return await work();
  } catch (error) {
    return { state: 'failed', reason: sentenceOf(error) };
  }
}

async function dismiss(pair: Pair): Promise<Ended<CompletedAction>> {
  recordDismissal(pair);
  try {
    await setDismissed(pair, true);
  } catch (error) {
    forgetDismissal(pair);
    throw error;
  }
  return { state: 'done', result: { pair, change: null } };
}

async function resolve({ pair, choice, preview }: BulkItem): Promise<Ended<CompletedAction>> {
  const change = await resolvePair({
    ...pairKeyOf(pair),
    resolution: choice ?? 'unrelated',
    ...(preview === null ? {} : { base_hashes: preview.base_hashes }),
  });
  if (change.status === 'applied') return { state: 'done', result: { pair, change } };
  const found = change.status === 'partly_applied' ? 'Only partly written: ' : '';
  return { state: 'failed', reason: `${found}${reasonOf(change)}` };
}

/** Carries out the action on a pair and writes exactly what the preview contained. Never throws. */
export function carryOut(kind: BulkKind, item: BulkItem): Promise<Ended<CompletedAction>> {
  return ended(() => (kind === 'dismiss' ? dismiss(item.pair) : resolve(item)));
}

/** Undoes an action on a pair. Never throws. */
export function undoCompleted({ pair, change }: CompletedAction): Promise<Ended<null>> {
  return ended(async () => {
    if (change === null) {
      await setDismissed(pair, false);
      recordRestored(pair);
      return { state: 'done', result: null };
    }
    const undo = await undoChange(change.id);
    if (undo.status === 'applied') return { state: 'done', result: null };
    return { state: 'failed', reason: reasonOf(undo) };
  });
}
