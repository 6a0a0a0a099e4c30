import type { Dependency } from '@winnow/contract/dependency';
import { queryClient } from '../../api/query/query-client.ts';
import { sentenceOf as sentenceOfError } from '../../api/session/api-error.ts';
import { api } from '../../api/session/session.ts';
import { announceChange, undoDecision, undoLastDecision } from '../../features/decisions/decision-toasts.ts';
import { lastDecision } from '../../features/decisions/last-decision.ts';
import { changeOptions } from '../../features/decisions/queries.ts';
import { showToast } from '../../ui/toasts/toast.tsx';
import { dependencyIds, dependencyKey } from './dependency-state.ts';
import { sentenceOf } from './dependency-texts.ts';
import { refreshDependencies } from './queries.ts';

function failToast(id: string, error: unknown): void {
  showToast({ id, kind: 'failed', text: sentenceOfError(error) });
}

/** Undoes the change that committed a dependency, and shows the result in a toast. */
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

/** Shows a toast for a change that committed a dependency. The toast offers Undo. */
export async function announceCommitted(changeId: string): Promise<void> {
  try {
    announceChange(await queryClient.fetchQuery({ ...changeOptions(changeId), staleTime: 0 }));
  } catch (error) {
    failToast(changeId, error);
  }
}

/**
 * The last dismissed dependency; null if it was restored. Stored here because dismissals are not
 * part of the ledger.
 */
let lastDismissed: { dependency: Dependency; at: number } | null = null;

/** Dismisses a dependency and shows a toast with Undo. */
export async function dismissDependency(dependency: Dependency): Promise<void> {
  const id = dependencyKey(dependency);
  try {
    await api('POST', '/issue-dependencies/dismiss', { body: dependencyIds(dependency) });
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

/** Restores a dismissed dependency and shows the result in a toast. */
export async function restoreDependency(dependency: Dependency): Promise<void> {
  const id = dependencyKey(dependency);
  if (lastDismissed !== null && dependencyKey(lastDismissed.dependency) === id) lastDismissed = null;
  try {
    await api('POST', '/issue-dependencies/restore', { body: dependencyIds(dependency) });
    showToast({ id, kind: 'undone', text: `Restored: ${sentenceOf(dependency)}.` });
  } catch (error) {
    failToast(id, error);
  } finally {
    refreshDependencies();
  }
}

/**
 * Undoes the latest decision. This is either the last dismissal of a dependency since the page was
 * loaded, or a later decision in the ledger.
 */
export async function undoLast(): Promise<void> {
  const dismissed = lastDismissed;
  if (dismissed === null) return undoLastDecision();
  const decided = await lastDecision().catch(() => null);
  if (decided !== null && decided.at > dismissed.at) return undoLastDecision();
  return restoreDependency(dismissed.dependency);
}
