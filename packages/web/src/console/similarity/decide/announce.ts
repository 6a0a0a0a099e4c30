import type { Change } from '@winnow/contract/change';
import type { Pair } from '@winnow/contract/duplicate';
import { sentenceOf } from '../../../app/session/api-error.ts';
import { resolvePair, retryChange, setDismissed, undoChange } from './decisions.ts';
import { type Decision, forgetDecision, rememberDecision, takeLastDecision } from './last-decision.ts';
import { showToast } from './toast.tsx';

function failToast(id: string, error: unknown): void {
  showToast({ id, kind: 'failed', text: sentenceOf(error) });
}

function offerUndo(id: string, text: string, decision: Decision): void {
  rememberDecision(decision);
  showToast({
    id,
    kind: 'done',
    text,
    action: { label: 'Undo', keyCap: 'z', run: () => void undoDecision(decision) },
  });
}

/** Says what became of a change that is settled: done with Undo, or what is missing with Retry. */
export function announceChange(settled: Change): void {
  const { id, title, status, steps } = settled;
  if (status === 'applied') {
    offerUndo(id, title, { kind: 'change', changeId: id, title });
    return;
  }
  const reason = steps.find((step) => step.status === 'failed')?.error ?? 'It could not be written.';
  const found = status === 'partly_applied' ? 'Only partly done' : 'Not done';
  showToast({
    id,
    kind: 'failed',
    text: `${found}: ${title} ${reason}`,
    action: { label: 'Retry', run: () => void announceRetry(id) },
  });
}

async function announceRetry(changeId: string): Promise<void> {
  showToast({ id: changeId, kind: 'working', text: 'Trying again' });
  try {
    announceChange(await retryChange(changeId));
  } catch (error) {
    failToast(changeId, error);
  }
}

/** Marks a pair as unrelated at once, and says so. True when it is done. */
export async function markUnrelated(pair: Pair): Promise<boolean> {
  try {
    const settled = await resolvePair({
      issue1_id: pair.issue1.id,
      issue2_id: pair.issue2.id,
      resolution: 'unrelated',
    });
    announceChange(settled);
    return settled.status === 'applied';
  } catch (error) {
    failToast(pair.id, error);
    return false;
  }
}

function namesOf({ issue1, issue2 }: Pair): string {
  return `the pair of ${issue1.key} and ${issue2.key}`;
}

/** Dismisses a pair, with Undo. */
export async function dismissPair(pair: Pair): Promise<void> {
  offerUndo(pair.id, `Dismissed ${namesOf(pair)}.`, { kind: 'dismissal', pair });
  try {
    await setDismissed(pair, true);
  } catch (error) {
    forgetDecision({ kind: 'dismissal', pair });
    failToast(pair.id, error);
  }
}

/** Brings a dismissed pair back to the list. */
export async function restorePair(pair: Pair): Promise<void> {
  try {
    await setDismissed(pair, false);
    showToast({ id: pair.id, kind: 'undone', text: `Brought back ${namesOf(pair)}.` });
  } catch (error) {
    failToast(pair.id, error);
  }
}

async function undoAndAnnounce(changeId: string, title: string): Promise<void> {
  showToast({ id: changeId, kind: 'working', text: `Undoing: ${title}` });
  try {
    const undo = await undoChange(changeId);
    if (undo.status === 'applied') showToast({ id: changeId, kind: 'undone', text: `Undone: ${title}` });
    else announceChange(undo);
  } catch (error) {
    failToast(changeId, error);
  }
}

/** Takes a decision back, and says how that went. */
export async function undoDecision(decision: Decision): Promise<void> {
  forgetDecision(decision);
  if (decision.kind === 'dismissal') await restorePair(decision.pair);
  else await undoAndAnnounce(decision.changeId, decision.title);
}

/** Takes the last decision back; when there is none, says that. */
export function undoLastDecision(): void {
  const decision = takeLastDecision();
  if (decision === null)
    showToast({ id: 'nothing-to-undo', kind: 'undone', text: 'There is nothing to undo.' });
  else void undoDecision(decision);
}
