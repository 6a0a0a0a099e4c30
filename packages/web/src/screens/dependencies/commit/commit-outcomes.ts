import type { Change } from '@winnow/contract/change';
import type { CommitResult, Dependency } from '@winnow/contract/dependency';
import { reasonOf } from '../../../features/decisions/recent-decisions.ts';
import { dependencyKey } from '../dependency-state.ts';
import { dependenciesText } from '../dependency-texts.ts';

/** Result of committing a dependency. */
export type Fate =
  | { state: 'done'; committed: Dependency }
  /**
   * With the change that failed, where it came to one. What is final is no other when it is tried
   * again.
   */
  | { state: 'failed'; detail: string; changeId: string | null; isFinal: boolean }
  /** Committed, and taken back since. */
  | { state: 'undone'; changeId: string }
  /** Being written; the change tells when it is through. */
  | { state: 'pending'; changeId: string };

/** Refusals that trying again does not change. */
const FINAL: ReadonlySet<string> = new Set([
  'already_committed',
  'decision_undone',
  'dependency_cycle',
  'in_tracker',
  'not_found',
]);

/**
 * What became of each of these, by its key. Of those that were still being written, `changes` are
 * the changes as they stand now, by id; of those that were tried again, `retried` are what came of
 * it, by key. What the server says nothing of has failed.
 */
export function fatesOf(
  asked: readonly Dependency[],
  { dependencies, failed, pending }: CommitResult,
  changes: ReadonlyMap<string, Change>,
  retried: ReadonlyMap<string, Change> = new Map(),
): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const dependency of asked) {
    fates.set(dependencyKey(dependency), {
      state: 'failed',
      detail: 'The server did not report the result.',
      changeId: null,
      isFinal: false,
    });
  }
  for (const { dependency, code, detail, change_id: changeId } of failed) {
    fates.set(dependencyKey(dependency), { state: 'failed', detail, changeId, isFinal: FINAL.has(code) });
  }
  for (const committed of dependencies) fates.set(dependencyKey(committed), { state: 'done', committed });
  for (const { dependency, change_id: changeId } of pending) {
    const known = asked.find((one) => dependencyKey(one) === dependencyKey(dependency));
    const change = changes.get(changeId);
    if (known === undefined) continue;
    fates.set(dependencyKey(dependency), fateOf(known, changeId, change));
  }
  for (const dependency of asked) {
    const change = retried.get(dependencyKey(dependency));
    if (change !== undefined) fates.set(dependencyKey(dependency), fateOf(dependency, change.id, change));
  }
  return fates;
}

function fateOf(dependency: Dependency, changeId: string, change: Change | undefined): Fate {
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

/** Number of dependencies by result. */
export function countFates(fates: ReadonlyMap<string, Fate>): Record<Fate['state'], number> {
  const counts = { done: 0, failed: 0, undone: 0, pending: 0 };
  for (const { state } of fates.values()) counts[state] += 1;
  return counts;
}

/** Summarizes all results in one or two sentences. */
export function fatesText(fates: ReadonlyMap<string, Fate>): string {
  const { done, failed, undone, pending } = countFates(fates);
  const total = dependenciesText(fates.size);
  if (undone > 0 && pending === 0) {
    return undone === fates.size ? 'All were undone.' : `${undone} of ${total} undone.`;
  }
  if (pending > 0) return `${done} of ${total} committed, ${pending} still being written.`;
  if (failed === 0) return fates.size === 1 ? 'Committed.' : `${total} committed.`;
  return done === 0 ? 'Nothing was committed.' : `${done} of ${total} committed, ${failed} failed.`;
}
