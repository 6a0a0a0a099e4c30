import { type Change, isOutside, titleAhead } from '@winnow/contract/change';
import type { Pair, Resolution } from '@winnow/contract/duplicate';
import { sentenceOf } from '../../api/session/api-error.ts';
import { showToast } from '../../ui/toasts/toast.tsx';
import { resolvePair, retryChange, setDismissed, undoChange, whenHeard } from './decision-requests.ts';
import { lastDecision, pairOf } from './last-decision.ts';
import { forgetDismissal, keepDismissal, keepRestored } from './local-decisions.ts';
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

/** What was done, in a sentence. */
function doneText({ kind, title, issue_keys }: Change): string {
  if (kind === 'dependency') return `Committed: ${title}`;
  return kind === 'compliance' ? `Issue ${issue_keys.join(', ')} was successfully updated.` : title;
}

/** What was not done of a change that stopped, and why. Of a call it may not be known whether it was made. */
function stoppedText(stopped: Change): string {
  const { title, status, steps } = stopped;
  const reason = reasonOf(stopped);
  if (steps.some(isOutside)) return `Failed: ${titleAhead(title)}. ${reason}`;
  return `${status === 'partly_applied' ? 'Only partly done' : 'Not done'}: ${title} ${reason}`;
}

/** Says what became of a change that is settled: done with Undo, undone, or what is missing with Retry. */
export function announceChange(settled: Change): void {
  const { id, kind, title, status } = settled;
  if (status === 'applied') {
    if (kind === 'undo') showToast({ id, kind: 'undone', text: title.replace(/^Undo:/, 'Undone:') });
    else if (canBeUndone(settled)) offerUndo(id, doneText(settled), { kind: 'change', change: settled });
    else showToast({ id, kind: 'done', text: title });
    return;
  }
  showToast({
    id,
    kind: 'failed',
    text: stoppedText(settled),
    ...(canBeRetried(settled) ? { action: { label: 'Retry', run: () => void announceRetry(id) } } : {}),
  });
}

/** Tries what failed of a change once more, and says how that went. */
export async function announceRetry(changeId: string): Promise<void> {
  showToast({ id: changeId, kind: 'working', text: 'Trying again' });
  try {
    announceChange(await retryChange(changeId));
  } catch (error) {
    failToast(changeId, error);
  }
}

/** Marks a pair as unrelated at once, and says so. */
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

/** Dismisses a pair, with Undo. */
export async function dismissPair(pair: Pair): Promise<void> {
  keepDismissal(pair);
  offerUndo(pair.id, `Dismissed ${namesOf(pair)}.`, { kind: 'dismissal', pair });
  try {
    await setDismissed(pair, true);
  } catch (error) {
    forgetDismissal(pair);
    failToast(pair.id, error);
  }
}

/** Brings a dismissed pair back to the list. True when it is there. */
export async function restorePair(pair: Pair): Promise<boolean> {
  try {
    await setDismissed(pair, false);
    keepRestored(pair);
    showToast({ id: pair.id, kind: 'undone', text: `Brought back ${namesOf(pair)}.` });
    return true;
  } catch (error) {
    failToast(pair.id, error);
    return false;
  }
}

const ALREADY: Record<Resolution, string> = {
  closed: 'closed as duplicate',
  merged: 'merged',
  deconflicted: 'deconflicted',
  unrelated: 'marked as unrelated',
};

/** Says that a pair is decided already, and where its way back is. */
export function tellResolved(resolution: Resolution): void {
  const text = `Already ${ALREADY[resolution]}. Undo is in the details of the pair.`;
  showToast({ id: 'already', kind: 'undone', text });
}

/** Takes a decision back, and says how that went. `onHeard` hears when the server knows that it is to be taken back. */
export async function undoDecision(decision: Decision, onHeard?: () => void): Promise<void> {
  const tellPair = beginUndo();
  await whenHeard();
  if (decision.kind === 'dismissal') {
    if (await restorePair(decision.pair)) tellPair(decision.pair);
    return;
  }
  const { id, title } = decision.change;
  showToast({ id, kind: 'working', text: `Undoing: ${title}` });
  try {
    // Looked up while the decision still tells the pair from others.
    const pair = await pairOf(decision.change);
    const undo = await undoChange(id, onHeard);
    if (undo.status !== 'applied') {
      announceChange(undo);
      return;
    }
    showToast({ id, kind: 'undone', text: `Undone: ${title}` });
    if (pair !== null) tellPair(pair);
  } catch (error) {
    failToast(id, error);
  }
}

let isUndoing = false;

/**
 * Takes the last decision back, whenever it was made; when there is none, says that. Asked again before the server knows
 * of the last time, it does nothing.
 */
export async function undoLastDecision(): Promise<void> {
  if (isUndoing) return;
  isUndoing = true;
  try {
    await whenHeard();
    const last = await lastDecision();
    if (last === null) {
      showToast({ id: 'undo', kind: 'undone', text: 'There is nothing to undo.' });
    } else if (last.undo === null) {
      showToast({ id: 'undo', kind: 'undone', text: `Still being written: ${last.title}` });
    } else {
      const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
      void undoDecision(last.undo, hear).finally(hear);
      await heard;
    }
  } catch (error) {
    failToast('undo', error);
  } finally {
    isUndoing = false;
  }
}
