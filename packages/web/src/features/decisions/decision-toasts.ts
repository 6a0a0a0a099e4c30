import { type Change, imperativeTitle, isExternalCall } from '@winnow/contract/change';
import type { Pair, Resolution } from '@winnow/contract/duplicate';
import { sentenceOf } from '../../api/session/api-error.ts';
import { showToast } from '../../ui/toasts/toast.tsx';
import {
  resolvePair,
  retryChange,
  setDismissed,
  undoChange,
  whenRequestsSettle,
} from './decision-requests.ts';
import { lastDecision, pairOf } from './last-decision.ts';
import { forgetDismissal, recordDismissal, recordRestored } from './local-decisions.ts';
import { canBeRetried, canBeUndone, type Decision, namesOf, reasonOf } from './recent-decisions.ts';
import { beginUndo } from './undo-progress.ts';

function failToast(id: string, error: unknown): void {
  showToast({ id, kind: 'failed', text: sentenceOf(error) });
}

function offerUndo(id: string, text: string, decision: Decision): void {
  showToast({
    id,
    kind: 'done',
    text,
    action: { label: 'Undo', keyCap: 'z', run: () => void undoDecision(decision) },
  });
}

function doneText({ kind, title, issue_keys }: Change): string {
  if (kind === 'dependency') return `Committed: ${title}`;
  return kind === 'compliance' ? `Issue ${issue_keys.join(', ')} was successfully updated.` : title;
}

/**
 * Explains what a stopped change did not do. For an external tool call, does not claim that nothing
 * was done, because this is unknown.
 */
function stoppedText(stopped: Change): string {
  const { title, status, steps } = stopped;
  const reason = reasonOf(stopped);
  if (steps.some(isExternalCall)) return `Failed: ${imperativeTitle(title)}. ${reason}`;
  return `${status === 'partly_applied' ? 'Only partly done' : 'Not done'}: ${title} ${reason}`;
}

/**
 * Shows a toast with the result of a settled change. If possible, an applied change offers Undo and
 * a failed change offers Retry.
 */
export function announceChange(settled: Change): void {
  const { id, kind, title, status } = settled;
  if (status === 'applied') {
    if (kind === 'undo') showToast({ id, kind: 'undone', text: title.replace(/^Undo:/, 'Undone:') });
    else if (canBeUndone(settled)) offerUndo(id, doneText(settled), { kind: 'change', change: settled });
    else showToast({ id, kind: 'done', text: title });
    return;
  }
  if (status === 'proposed') {
    showToast({ id, kind: 'done', text: `Waiting for the approval of another member: ${title}` });
    return;
  }
  showToast({
    id,
    kind: 'failed',
    text: stoppedText(settled),
    ...(canBeRetried(settled) ? { action: { label: 'Retry', run: () => void announceRetry(id) } } : {}),
  });
}

/** Retries the failed steps of a change and shows the result in a toast. */
export async function announceRetry(changeId: string): Promise<void> {
  showToast({ id: changeId, kind: 'working', text: 'Trying again' });
  try {
    announceChange(await retryChange(changeId));
  } catch (error) {
    failToast(changeId, error);
  }
}

/** Marks a pair as unrelated and shows the result in a toast. */
export async function markUnrelated(pair: Pair): Promise<void> {
  try {
    announceChange(
      await resolvePair({
        issue1_id: pair.issue1.id,
        issue2_id: pair.issue2.id,
        resolution: 'unrelated',
      }),
    );
  } catch (error) {
    failToast(pair.id, error);
  }
}

/** Dismisses a pair and shows a toast that offers Undo. */
export async function dismissPair(pair: Pair): Promise<void> {
  recordDismissal(pair);
  offerUndo(pair.id, `Dismissed ${namesOf(pair)}.`, { kind: 'dismissal', pair });
  try {
    await setDismissed(pair, true);
  } catch (error) {
    forgetDismissal(pair);
    failToast(pair.id, error);
  }
}

/** Restores a dismissed pair. Returns true on success. */
export async function restorePair(pair: Pair): Promise<boolean> {
  try {
    await setDismissed(pair, false);
    recordRestored(pair);
    showToast({ id: pair.id, kind: 'undone', text: `Restored ${namesOf(pair)}.` });
    return true;
  } catch (error) {
    failToast(pair.id, error);
    return false;
  }
}

const RESOLVED_AS: Record<Resolution, string> = {
  closed: 'closed as duplicate',
  merged: 'merged',
  deconflicted: 'deconflicted',
  unrelated: 'marked as unrelated',
};

/**
 * Shows a toast that a pair is already resolved. The toast also states where to undo the
 * resolution.
 */
export function showAlreadyResolved(resolution: Resolution): void {
  const text = `Already ${RESOLVED_AS[resolution]}. To undo it, open the pair’s details.`;
  showToast({ id: 'already', kind: 'undone', text });
}

/**
 * Undoes a decision and shows the result in a toast. Calls `onAccepted` once the server has
 * recorded the undo.
 */
export async function undoDecision(decision: Decision, onAccepted?: () => void): Promise<void> {
  const reportPair = beginUndo();
  await whenRequestsSettle();
  if (decision.kind === 'dismissal') {
    if (await restorePair(decision.pair)) reportPair(decision.pair);
    return;
  }
  const { id, title } = decision.change;
  showToast({ id, kind: 'working', text: `Undoing: ${title}` });
  try {
    // Find the pair before the undo: until then, its resolution distinguishes it from other pairs.
    const pair = await pairOf(decision.change);
    const undo = await undoChange(id, onAccepted);
    if (undo.status !== 'applied') {
      announceChange(undo);
      return;
    }
    showToast({ id, kind: 'undone', text: `Undone: ${title}` });
    if (pair !== null) reportPair(pair);
  } catch (error) {
    failToast(id, error);
  }
}

let isUndoing = false;

/**
 * Undoes the user's last decision, even if it was made in an earlier session. Shows a toast if
 * there is nothing to undo. Ignores calls until the server has recorded the previous undo.
 */
export async function undoLastDecision(): Promise<void> {
  if (isUndoing) return;
  isUndoing = true;
  try {
    await whenRequestsSettle();
    const last = await lastDecision();
    if (last === null) {
      showToast({ id: 'undo', kind: 'undone', text: 'There is nothing to undo.' });
    } else if (last.undo === null) {
      showToast({ id: 'undo', kind: 'undone', text: `Still being written: ${last.title}` });
    } else {
      const { promise: accepted, resolve: markAccepted } = Promise.withResolvers<void>();
      void undoDecision(last.undo, markAccepted).finally(markAccepted);
      await accepted;
    }
  } catch (error) {
    failToast('undo', error);
  } finally {
    isUndoing = false;
  }
}
