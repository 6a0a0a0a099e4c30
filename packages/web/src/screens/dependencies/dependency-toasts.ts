import type { Dependency } from '@winnow/contract/dependency';
import { queryClient } from '../../api/query/query-client.ts';
import { sentenceOf as sentenceOfError } from '../../api/session/api-error.ts';
import { api } from '../../api/session/session.ts';
import { announceChange, undoDecision, undoLastDecision } from '../../features/decisions/decision-toasts.ts';
import { lastDecision } from '../../features/decisions/last-decision.ts';
import { changeOptions } from '../../features/decisions/queries.ts';
import { showToast } from '../../ui/toasts/toast.tsx';
import { dependencyKey, named } from './dependency-state.ts';
import { sentenceOf } from './dependency-texts.ts';
import { refreshDependencies } from './queries.ts';

function failToast(id: string, error: unknown): void {
  showToast({ id, kind: 'failed', text: sentenceOfError(error) });
}

/** Takes the change that committed a dependency back, and says how that went. */
export async function undoCommit(changeId: string): Promise<void> {
  try {
    const change = await queryClient.fetchQuery({ ...changeOptions(changeId), staleTime: 0 });
    await undoDecision({ kind: 'change', change });
  } catch (error) {
    failToast(changeId, error);
  } finally {
    refreshDependencies();
  }
}

/** Says that a change has committed a dependency, with Undo. */
export async function announceCommitted(changeId: string): Promise<void> {
  try {
    announceChange(await queryClient.fetchQuery({ ...changeOptions(changeId), staleTime: 0 }));
  } catch (error) {
    failToast(changeId, error);
  }
}

/**
 * The dependency that was dismissed last in this page, while that stands. Dismissals are no
 * changes.
 */
let lastDismissed: { dependency: Dependency; at: number } | null = null;

/** Reports that a dependency was dismissed, with Undo. */
export async function dismissDependency(dependency: Dependency): Promise<void> {
  const id = dependencyKey(dependency);
  try {
    await api('POST', '/issue-dependencies/dismiss', { body: named(dependency) });
    lastDismissed = { dependency, at: Date.now() };
    showToast({
      id,
      kind: 'done',
      text: `Not a dependency: ${sentenceOf(dependency)}.`,
      action: { label: 'Undo', keyCap: 'z', run: () => void restoreDependency(dependency) },
    });
  } catch (error) {
    failToast(id, error);
  } finally {
    refreshDependencies();
  }
}

/** Restores a dismissed dependency. */
export async function restoreDependency(dependency: Dependency): Promise<void> {
  const id = dependencyKey(dependency);
  if (lastDismissed !== null && dependencyKey(lastDismissed.dependency) === id) lastDismissed = null;
  try {
    await api('POST', '/issue-dependencies/restore', { body: named(dependency) });
    showToast({ id, kind: 'undone', text: `Brought back: ${sentenceOf(dependency)}.` });
  } catch (error) {
    failToast(id, error);
  } finally {
    refreshDependencies();
  }
}

/**
 * Takes the last decision back: what was dismissed last in this page, or what was decided after
 * that anywhere.
 */
export async function undoLast(): Promise<void> {
  const dismissed = lastDismissed;
  if (dismissed === null) return undoLastDecision();
  const decided = await lastDecision().catch(() => null);
  if (decided !== null && decided.at > dismissed.at) return undoLastDecision();
  return restoreDependency(dismissed.dependency);
}
