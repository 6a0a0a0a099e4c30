import { showToast } from '../../../ui/toasts/toast.tsx';
import { type CompletedAction, undoCompleted } from './bulk-execution.ts';
import { doneText, pairsCount } from './bulk-texts.ts';
import { type Outcome, runInOrder } from './run.ts';
import type { BulkKind } from './use-bulk.ts';

const TOAST = 'bulk';

/** Returns the results of the items that succeeded. */
export function doneOf<Result>(outcomes: readonly Outcome<Result>[]): Result[] {
  return outcomes.flatMap((outcome) => (outcome.state === 'done' ? [outcome.result] : []));
}

async function undoAll(done: readonly CompletedAction[]): Promise<void> {
  let ended = 0;
  const showProgress = () =>
    showToast({ id: TOAST, kind: 'working', text: `Undoing ${pairsCount(done.length)}: ${ended} done` });
  showProgress();
  const outcomes = await runInOrder(done.toReversed(), undoCompleted, {
    isStopped: () => false,
    onProgress: (all) => {
      ended = doneOf(all).length;
      showProgress();
    },
  });
  const failure = outcomes.find((outcome) => outcome.state === 'failed');
  if (failure === undefined) {
    showToast({ id: TOAST, kind: 'undone', text: `Undone: ${pairsCount(done.length)}.` });
  } else {
    const text = `Undone: ${ended} of ${pairsCount(done.length)}. ${failure.reason}`;
    showToast({ id: TOAST, kind: 'failed', text });
  }
}

/** Shows the result of a bulk action in a toast that offers to undo all of it. */
export function announceBulk(kind: BulkKind, outcomes: readonly Outcome<CompletedAction>[]): void {
  const done = doneOf(outcomes);
  const text = doneText(kind, done.length, outcomes.length);
  if (done.length === 0) {
    showToast({ id: TOAST, kind: 'failed', text });
    return;
  }
  const action = { label: 'Undo all', run: () => void undoAll(done) };
  showToast({ id: TOAST, kind: 'done', text, action });
}
