import { type Change, type ChangeKind, isOutside } from '@winnow/contract/change';
import type { Pair } from '@winnow/contract/duplicate';
import { keyBeside } from '../issues/namesakes.ts';
import type { Dismissal, MadeHere } from './local-decisions.ts';

/** The changes that are decisions by themselves. */
const DECIDED: readonly ChangeKind[] = ['resolution', 'compliance', 'dependency'];

/** A decision that can be taken back. */
export type Decision = { kind: 'change'; change: Change } | { kind: 'dismissal'; pair: Pair };

/** Where a decision stands. */
export type RecentState =
  | 'done'
  | 'applying'
  | 'partly_applied'
  | 'failed'
  | 'undoing'
  | 'undo_failed'
  | 'undone';

/** A decision as the list of recent ones shows it. */
export type RecentDecision = {
  id: string;
  /** What was decided, in a sentence. */
  title: string;
  /** In milliseconds since 1970. */
  at: number;
  state: RecentState;
  /** Why a part of it could not be written; null when nothing failed. */
  reason: string | null;
  /** The change whose failed steps can be tried again. */
  retry: string | null;
  /** What Undo takes back; null where there is nothing to take back. */
  undo: Decision | null;
};

/** Why a change stopped, in a sentence. */
export function reasonOf({ steps }: Change): string {
  return steps.find((step) => step.status === 'failed')?.error ?? 'It could not be written.';
}

/** Whether there is something of a change to take back, that is possible, and nobody does so already. */
export function canBeUndone({ kind, status, undone_by, steps }: Change): boolean {
  const isWritten = status === 'applied' || status === 'partly_applied';
  return kind !== 'undo' && isWritten && undone_by === null && !steps.some(isOutside);
}

/** Whether something of a change failed that may be tried again. */
export function canBeRetried(change: Change): boolean {
  return hasStopped(change) && !change.steps.some(isOutside);
}

function hasStopped({ status }: Change): boolean {
  return status === 'failed' || status === 'partly_applied';
}

type Standing = Pick<RecentDecision, 'state' | 'reason' | 'retry' | 'undo'>;

/** Where a change stands; `undo` is the last change that was to take it back. Null for what nobody decided yet. */
function standingOf(change: Change, undo: Change | undefined): Standing | null {
  const nothing = { reason: null, retry: null, undo: null };
  const stopped = { reason: reasonOf(change), retry: change.id };
  switch (change.status) {
    case 'proposed':
    case 'rejected':
      return null;
    case 'applying':
    case 'undone':
      return { ...nothing, state: change.status };
    case 'failed':
      return { ...nothing, ...stopped, state: 'failed' };
    case 'applied':
    case 'partly_applied': {
      if (undo !== undefined && hasStopped(undo)) {
        return { ...nothing, reason: reasonOf(undo), retry: undo.id, state: 'undo_failed' };
      }
      if (!canBeUndone(change)) return { ...nothing, state: 'undoing' };
      const back: Standing['undo'] = { kind: 'change', change };
      if (change.status === 'applied') return { ...nothing, state: 'done', undo: back };
      return { ...stopped, state: 'partly_applied', undo: back };
    }
  }
}

/** How a pair is called in a sentence. */
export function namesOf({ issue1, issue2 }: Pair): string {
  return `the pair of ${keyBeside(issue1, issue2)} and ${keyBeside(issue2, issue1)}`;
}

function ofDismissal({ pair, at, undone }: Dismissal): RecentDecision {
  return {
    id: `dismissal-${pair.id}`,
    title: `Dismissed ${namesOf(pair)}.`,
    at,
    state: undone ? 'undone' : 'done',
    reason: null,
    retry: null,
    undo: undone ? null : { kind: 'dismissal', pair },
  };
}

/** Which of these decisions Undo without a name means: the newest in effect, or the one that is just being written. */
export function nextToUndo(decisions: readonly RecentDecision[]): RecentDecision | undefined {
  return decisions.find(({ undo, state }) => undo !== null || state === 'applying');
}

/**
 * What one user decided, newest first: resolutions of pairs and better texts among `changes`, which are newest first, and
 * what only this page knows.
 */
export function recentDecisions(
  changes: readonly Change[],
  userId: string,
  { dismissals, decidedAt }: MadeHere,
): RecentDecision[] {
  const mine = changes.filter(
    ({ kind, actor }) => DECIDED.includes(kind) && actor.type === 'user' && actor.id === userId,
  );
  const made = mine.flatMap((change) => {
    const standing = standingOf(
      change,
      changes.find((other) => other.undoes === change.id),
    );
    if (standing === null) return [];
    const at = decidedAt.get(change.id) ?? Date.parse(change.created_at);
    return [{ id: change.id, title: change.title, at, ...standing }];
  });
  return [...made, ...dismissals.map(ofDismissal)].toSorted((one, other) => other.at - one.at);
}
