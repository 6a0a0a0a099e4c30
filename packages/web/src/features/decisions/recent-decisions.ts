import { type Change, type ChangeKind, isExternalCall } from '@winnow/contract/change';
import type { Pair } from '@winnow/contract/duplicate';
import { keyBeside } from '../issues/namesakes.ts';
import type { Dismissal, LocalDecisions } from './local-decisions.ts';

/** Kinds of changes that count as user decisions. */
const DECISION_KINDS: readonly ChangeKind[] = ['resolution', 'compliance', 'dependency'];

/** A decision that can be undone. */
export type Decision = { kind: 'change'; change: Change } | { kind: 'dismissal'; pair: Pair };

/** State of a decision in the list of recent decisions. */
export type RecentState =
  | 'done'
  | 'applying'
  | 'partly_applied'
  | 'failed'
  | 'undoing'
  | 'undo_failed'
  | 'undone';

/** Item in the list of recent decisions. */
export type RecentDecision = {
  id: string;
  /** Sentence that describes the decision. */
  title: string;
  /** Time of the decision in milliseconds since the Unix epoch. */
  at: number;
  state: RecentState;
  /** Reason why the first failed step failed; null if no step failed. */
  reason: string | null;
  /** Id of the change whose failed steps can be retried; null if there is none. */
  retry: string | null;
  /** The decision that Undo reverts; null if the decision cannot be undone. */
  undo: Decision | null;
};

/** Returns the reason why a change stopped, in a sentence. */
export function reasonOf({ steps }: Change): string {
  return steps.find((step) => step.status === 'failed')?.error ?? 'It could not be written.';
}

/**
 * True if a change has been written at least partly, can be undone, and has not been undone yet.
 */
export function canBeUndone({ kind, status, undone_by, steps }: Change): boolean {
  const isWritten = status === 'applied' || status === 'partly_applied';
  return kind !== 'undo' && isWritten && undone_by === null && !steps.some(isExternalCall);
}

/** True if a change has failed steps that can be retried. */
export function canBeRetried(change: Change): boolean {
  return hasStopped(change) && !change.steps.some(isExternalCall);
}

function hasStopped({ status }: Change): boolean {
  return status === 'failed' || status === 'partly_applied';
}

type DecisionState = Pick<RecentDecision, 'state' | 'reason' | 'retry' | 'undo'>;

/**
 * Returns the state of a change; null for a proposed or rejected change. `undo` is the latest undo
 * of the change, if any.
 */
function decisionStateOf(change: Change, undo: Change | undefined): DecisionState | null {
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
      const back: DecisionState['undo'] = { kind: 'change', change };
      if (change.status === 'applied') return { ...nothing, state: 'done', undo: back };
      return { ...stopped, state: 'partly_applied', undo: back };
    }
  }
}

/**
 * Returns the name of a pair for use in a sentence. If the pair belongs to a series, returns the
 * name of the series.
 */
export function namesOf({ issue1, issue2, series }: Pair): string {
  if (series !== null) return `the series “${series.frame}”`;
  return `the pair of ${keyBeside(issue1, issue2)} and ${keyBeside(issue2, issue1)}`;
}

function decisionOfDismissal({ pair, at, undone }: Dismissal): RecentDecision {
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

/**
 * Returns the decision that Undo reverts: the newest decision that is in effect or being written.
 */
export function nextToUndo(decisions: readonly RecentDecision[]): RecentDecision | undefined {
  return decisions.find(({ undo, state }) => undo !== null || state === 'applying');
}

/**
 * Lists the decisions of a user, newest first. They include changes and the dismissals since the
 * page was loaded. `changes` must be sorted newest first.
 */
export function recentDecisions(
  changes: readonly Change[],
  userId: string,
  { dismissals, decidedAt }: LocalDecisions,
): RecentDecision[] {
  const mine = changes.filter(
    ({ kind, actor }) => DECISION_KINDS.includes(kind) && actor.type === 'user' && actor.id === userId,
  );
  const made = mine.flatMap((change) => {
    const state = decisionStateOf(
      change,
      changes.find((other) => other.undoes === change.id),
    );
    if (state === null) return [];
    const at = decidedAt.get(change.id) ?? Date.parse(change.created_at);
    return [{ id: change.id, title: change.title, at, ...state }];
  });
  return [...made, ...dismissals.map(decisionOfDismissal)].toSorted((one, other) => other.at - one.at);
}
