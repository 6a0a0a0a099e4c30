import type { Dependency } from '@winnow/contract/dependency';
import { queryClient } from '../../app/query-client.ts';
import { sentenceOf as sentenceOfError } from '../../app/session/api-error.ts';
import { api } from '../../app/session/session.ts';
import { undoDecision } from '../similarity/decide/announce.ts';
import { showToast } from '../similarity/decide/toast.tsx';
import { changeOptions } from '../similarity/queries.ts';
import { refreshDependencies } from './queries.ts';
import { dependencyKey, named } from './standing.ts';
import { sentenceOf } from './words.ts';

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

/** Says that a dependency is committed, with Undo. */
export function announceCommitted(dependency: Dependency): void {
  const { change_id: changeId } = dependency;
  showToast({
    id: changeId ?? dependencyKey(dependency),
    kind: 'done',
    text: `Committed: ${sentenceOf(dependency)}.`,
    ...(changeId === null ? {} : { action: { label: 'Undo', run: () => void undoCommit(changeId) } }),
  });
}

/** Says that there is no such dependency: it is no longer listed. With Undo. */
export async function dismissDependency(dependency: Dependency): Promise<void> {
  const id = dependencyKey(dependency);
  try {
    await api('POST', '/issue-dependencies/dismiss', { body: named(dependency) });
    showToast({
      id,
      kind: 'done',
      text: `Not a dependency: ${sentenceOf(dependency)}.`,
      action: { label: 'Undo', run: () => void restoreDependency(dependency) },
    });
  } catch (error) {
    failToast(id, error);
  } finally {
    refreshDependencies();
  }
}

async function restoreDependency(dependency: Dependency): Promise<void> {
  const id = dependencyKey(dependency);
  try {
    await api('POST', '/issue-dependencies/restore', { body: named(dependency) });
    showToast({ id, kind: 'undone', text: `Brought back: ${sentenceOf(dependency)}.` });
  } catch (error) {
    failToast(id, error);
  } finally {
    refreshDependencies();
  }
}
