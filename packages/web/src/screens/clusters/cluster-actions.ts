import type { Cluster, ClusterChanged, ClusterDecision } from '@winnow/contract/cluster';
import type { IssueSummary } from '@winnow/contract/issue';
import { ApiError, sentenceOf } from '../../api/session/api-error.ts';
import { onAuthChange } from '../../api/session/session.ts';
import { issuesText } from '../../features/clusters/cluster-texts.ts';
import { undoChange } from '../../features/decisions/decision-requests.ts';
import { shortIssueKey } from '../../features/issues/issue-key-parts.ts';
import { showToast } from '../../ui/toasts/toast.tsx';
import {
  excludeIssue,
  includeIssue,
  mergeClusters,
  patchCluster,
  splitCluster,
  undoMembers,
} from './cluster-requests.ts';

/** Maximum characters of a project in a message. */
const MAX_PROJECT_CHARS = 24;

function keyOf({ key }: Pick<IssueSummary, 'key'>): string {
  return shortIssueKey(key, MAX_PROJECT_CHARS);
}

/** A completed change: what to say, and how to undo it; null if it cannot be undone. */
type CompletedChange = { text: string; undo: (() => Promise<unknown>) | null };

/** A completed change that `z` can undo. */
type Undoable = { cluster: Pick<Cluster, 'id' | 'name'>; undo: () => Promise<unknown> };

/** Changes of this page, the latest last. */
let undoables: Undoable[] = [];
// Changes of one user must not be undone by the next one to sign in.
onAuthChange(() => {
  undoables = [];
});

/** Describes why a change was refused. */
function refusalText(error: unknown): string {
  if (error instanceof ApiError && error.code === 'cluster_changed') {
    return `${error.detail} The cluster was reloaded.`;
  }
  return sentenceOf(error);
}

function refuse(clusterId: string, error: unknown): void {
  showToast({ id: clusterId, kind: 'failed', text: refusalText(error) });
}

/** Called with the id of a cluster whose decision was undone. */
export type UndoFollower = (clusterId: string) => void;
const followers = new Set<UndoFollower>();

/** Registers a follower of every undo. Returns the unsubscribe function. */
export function followClusterUndos(follower: UndoFollower): () => void {
  followers.add(follower);
  return () => followers.delete(follower);
}

async function runUndo(undoable: Undoable): Promise<void> {
  undoables = undoables.filter((other) => other !== undoable);
  const { id, name } = undoable.cluster;
  try {
    await undoable.undo();
    showToast({ id, kind: 'undone', text: `Undone: ${name}` });
    for (const follow of followers) follow(id);
  } catch (error) {
    refuse(id, error);
  }
}

/** Undoes the latest change of this page, or shows that there is none. */
export function undoLastChange(): void {
  const last = undoables.at(-1);
  if (last === undefined) showToast({ id: 'undo', kind: 'undone', text: 'There is nothing to undo.' });
  else void runUndo(last);
}

/** Runs a change and says what happened. Returns true on success. */
async function carryOut(
  cluster: Pick<Cluster, 'id' | 'name'>,
  work: () => Promise<CompletedChange>,
): Promise<boolean> {
  try {
    const { text, undo } = await work();
    const undoable = undo === null ? null : { cluster, undo };
    if (undoable !== null) undoables = [...undoables, undoable];
    showToast({
      id: cluster.id,
      kind: 'done',
      text,
      ...(undoable === null
        ? {}
        : { action: { label: 'Undo', keyCap: 'z', run: () => void runUndo(undoable) } }),
    });
    return true;
  } catch (error) {
    refuse(cluster.id, error);
    return false;
  }
}

/** Notes an applied change of a cluster, so that `z` undoes it. */
export function noteResolved(cluster: Pick<Cluster, 'id' | 'name'>, changeId: string): void {
  undoables = [...undoables, { cluster, undo: () => undoChange(changeId) }];
}

const DECIDED_WORDS: Record<ClusterDecision, string> = {
  to_decide: 'Opened again',
  decided: 'Decided',
  dismissed: 'Dismissed',
};

/** Decides or dismisses a cluster, or opens it again. Nothing is written to a tracker. */
export function decideCluster(cluster: Cluster, status: ClusterDecision): Promise<boolean> {
  const previous =
    cluster.status === 'decided' || cluster.status === 'dismissed' ? cluster.status : 'to_decide';
  return carryOut(cluster, async () => {
    const changed = await patchCluster(cluster, { status });
    return {
      text: `${DECIDED_WORDS[status]}: ${cluster.name}`,
      undo: () => patchCluster(changed, { status: previous }),
    };
  });
}

/** Chooses the canonical issue; null restores the proposal. */
export function chooseCanonical(cluster: Cluster, issue: IssueSummary | null): Promise<boolean> {
  const { canonical } = cluster;
  const previous = canonical?.chosen === true ? canonical.issue.id : null;
  return carryOut(cluster, async () => {
    const changed = await patchCluster(cluster, { canonical_id: issue?.id ?? null });
    return {
      text:
        issue === null ? 'The proposed canonical issue is used.' : `${keyOf(issue)} is the canonical issue.`,
      undo: () => patchCluster(changed, { canonical_id: previous }),
    };
  });
}

/** Renames a cluster; null restores the generated name. */
export function renameCluster(cluster: Cluster, name: string | null): Promise<boolean> {
  const previous = cluster.named ? cluster.name : null;
  return carryOut(cluster, async () => {
    const changed = await patchCluster(cluster, { name });
    return { text: `Renamed: ${changed.name}`, undo: () => patchCluster(changed, { name: previous }) };
  });
}

/** Removes an issue from a cluster. */
export function exclude(cluster: Cluster, issue: IssueSummary): Promise<boolean> {
  return carryOut(cluster, async () => {
    const changed = await excludeIssue(cluster, issue.id);
    const text = changed.cluster === null ? `${cluster.name} has ended.` : `Excluded ${keyOf(issue)}.`;
    return { text, undo: undoOf(changed) };
  });
}

/** Adds an issue to a cluster. */
export function include(cluster: Cluster, issue: Pick<IssueSummary, 'id' | 'key'>): Promise<boolean> {
  return carryOut(cluster, async () => {
    const changed = await includeIssue(cluster, issue.id);
    return { text: `Included ${keyOf(issue)}.`, undo: undoOf(changed) };
  });
}

/** Separates issues from the rest of a cluster. */
export function split(cluster: Cluster, issueIds: readonly string[]): Promise<boolean> {
  return carryOut(cluster, async () => {
    const changed = await splitCluster(cluster, issueIds);
    const text = `Separated ${issuesText(issueIds.length)} from ${cluster.name}.`;
    return { text, undo: undoOf(changed) };
  });
}

/** Adds the issues of another cluster to a cluster. */
export function merge(cluster: Cluster, other: Cluster): Promise<boolean> {
  return carryOut(cluster, async () => {
    const changed = await mergeClusters(cluster, other);
    return { text: `Merged ${other.name} into ${cluster.name}.`, undo: undoOf(changed) };
  });
}

/** Returns a function that undoes a change of members. */
function undoOf({ action_id: actionId }: ClusterChanged): CompletedChange['undo'] {
  return actionId === null ? null : () => undoMembers(actionId);
}
