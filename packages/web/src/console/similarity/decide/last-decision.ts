import type { Pair } from '@winnow/contract/duplicate';
import { onAuthChange } from '../../../app/session/session.ts';

/** A decision that can be taken back. */
export type Decision =
  | { kind: 'change'; changeId: string; title: string }
  | { kind: 'dismissal'; pair: Pair };

let last: Decision | null = null;

/** Keeps a decision as the one that `z` takes back. */
export function rememberDecision(decision: Decision): void {
  last = decision;
}

/** The last decision, which is then forgotten: it can be taken back once. */
export function takeLastDecision(): Decision | null {
  const taken = last;
  last = null;
  return taken;
}

/** Forgets a decision that was taken back in another way. */
export function forgetDecision(decision: Decision): void {
  const isSame =
    last?.kind === 'change' && decision.kind === 'change'
      ? last.changeId === decision.changeId
      : last?.kind === 'dismissal' && decision.kind === 'dismissal' && last.pair.id === decision.pair.id;
  if (isSame) last = null;
}

// What one person decided is not the next one's to undo.
onAuthChange(() => {
  last = null;
});
