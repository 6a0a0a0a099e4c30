import type { Change } from '@winnow/contract/change';
import type { CommitResult, Dependency } from '@winnow/contract/dependency';
import { reasonOf } from '../../../features/decisions/recent-decisions.ts';
import { dependencyKey } from '../dependency-state.ts';
import { dependenciesText } from '../dependency-texts.ts';

/** Outcome of committing one dependency. */
export type CommitOutcome =
  | { state: 'done'; committed: Dependency }
  /**
   * `changeId` is null if the server created no change. `isFinal` is true if a retry cannot
   * succeed.
   */
  | { state: 'failed'; detail: string; changeId: string | null; isFinal: boolean }
  /** The dependency was committed, and the commit was then undone. */
  | { state: 'undone'; changeId: string }
  /** The dependency is still being written. Its change contains the result later. */
  | { state: 'pending'; changeId: string };

/** Error codes of failures for which a retry cannot succeed. */
const FINAL_ERROR_CODES: ReadonlySet<string> = new Set([
  'already_committed',
  'decision_undone',
  'dependency_cycle',
  'in_tracker',
  'not_found',
]);

/**
 * Returns the outcome of each requested dependency, by dependency key. `changes` contains the
 * changes of pending dependencies, by change id. `retried` contains the changes of retried
 * dependencies, by dependency key. A dependency that is missing in the response counts as failed.
 */
export function outcomesOf(
  asked: readonly Dependency[],
  { dependencies, failed, pending }: CommitResult,
  changes: ReadonlyMap<string, Change>,
  retried: ReadonlyMap<string, Change> = new Map(),
): Map<string, CommitOutcome> {
  const outcomes = new Map<string, CommitOutcome>();
  for (const dependency of asked) {
    outcomes.set(dependencyKey(dependency), {
      state: 'failed',
      detail: 'The server did not report the result.',
      changeId: null,
      isFinal: false,
    });
  }
  for (const { dependency, code, detail, change_id: changeId } of failed) {
    outcomes.set(dependencyKey(dependency), {
      state: 'failed',
      detail,
      changeId,
      isFinal: FINAL_ERROR_CODES.has(code),
    });
  }
  for (const committed of dependencies) outcomes.set(dependencyKey(committed), { state: 'done', committed });
  for (const { dependency, change_id: changeId } of pending) {
    const known = asked.find((one) => dependencyKey(one) === dependencyKey(dependency));
    const change = changes.get(changeId);
    if (known === undefined) continue;
    outcomes.set(dependencyKey(dependency), outcomeOf(known, changeId, change));
  }
  for (const dependency of asked) {
    const change = retried.get(dependencyKey(dependency));
    if (change !== undefined)
      outcomes.set(dependencyKey(dependency), outcomeOf(dependency, change.id, change));
  }
  return outcomes;
}

function outcomeOf(dependency: Dependency, changeId: string, change: Change | undefined): CommitOutcome {
  switch (change?.status) {
    case undefined:
    case 'applying':
      return { state: 'pending', changeId };
    case 'applied':
      return { state: 'done', committed: { ...dependency, is_committed: true, change_id: changeId } };
    case 'undone':
      return { state: 'undone', changeId };
    case 'failed':
    case 'partly_applied':
    case 'proposed':
    case 'rejected':
      return { state: 'failed', detail: reasonOf(change), changeId, isFinal: false };
  }
}

/** Returns the number of dependencies with each outcome. */
export function countOutcomes(
  outcomes: ReadonlyMap<string, CommitOutcome>,
): Record<CommitOutcome['state'], number> {
  const counts = { done: 0, failed: 0, undone: 0, pending: 0 };
  for (const { state } of outcomes.values()) counts[state] += 1;
  return counts;
}

/** Summarizes the outcomes of all dependencies in one sentence. */
export function outcomesText(outcomes: ReadonlyMap<string, CommitOutcome>): string {
  const { done, failed, undone, pending } = countOutcomes(outcomes);
  const total = dependenciesText(outcomes.size);
  if (undone > 0 && pending === 0) {
    return undone === outcomes.size ? 'All were undone.' : `${undone} of ${total} undone.`;
  }
  if (pending > 0) return `${done} of ${total} committed, ${pending} still being written.`;
  if (failed === 0) return outcomes.size === 1 ? 'Committed.' : `${total} committed.`;
  return done === 0 ? 'Nothing was committed.' : `${done} of ${total} committed, ${failed} failed.`;
}
