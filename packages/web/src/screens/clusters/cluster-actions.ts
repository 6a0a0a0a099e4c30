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

/** Maximum characters of a project name in a toast. */
const MAX_PROJECT_CHARS = 24;

function keyOf({ key }: Pick<IssueSummary, 'key'>): string {
  return shortIssueKey(key, MAX_PROJECT_CHARS);
}

/**
 * A completed change of a cluster. `text` is shown in a toast. `undo` is null if the change cannot
 * be undone.
 */
type CompletedChange = { text: string; undo: (() => Promise<unknown>) | null };

/** A completed change of a cluster that the `z` key can undo. */
type Undoable = { cluster: Pick<Cluster, 'id' | 'name'>; undo: () => Promise<unknown> };

/** Changes made since the page was loaded, newest last. */
let undoables: Undoable[] = [];
// The next user who signs in must not be able to undo the changes of this user.
onAuthChange(() => {
  undoables = [];
});

/** Explains why the server refused a change of a cluster. */
function refusalText(error: unknown): string {
  if (error instanceof ApiError && error.code === 'cluster_changed') {
    return `${error.detail} The cluster was reloaded.`;
  }
  return sentenceOf(error);
}

function refuse(clusterId: string, error: unknown): void {
  showToast({ id: clusterId, kind: 'failed', text: refusalText(error) });
}

/** Called with the id of a cluster after one of its changes was undone. */
export type UndoFollower = (clusterId: string) => void;
const followers = new Set<UndoFollower>();

/** Calls `follower` after every undo. Returns a function that unsubscribes it. */
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

/** Undoes the latest change made since the page was loaded. Shows a toast if there is none. */
export function undoLastChange(): void {
  const last = undoables.at(-1);
  if (last === undefined) showToast({ id: 'undo', kind: 'undone', text: 'There is nothing to undo.' });
  else void runUndo(last);
}

/** Makes a change of a cluster and shows the result in a toast. Returns true on success. */
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

/** Stores a change that resolved a cluster, so that the `z` key can undo it. */
export function noteResolved(cluster: Pick<Cluster, 'id' | 'name'>, changeId: string): void {
  undoables = [...undoables, { cluster, undo: () => undoChange(changeId) }];
}

const DECIDED_WORDS: Record<ClusterDecision, string> = {
  to_decide: 'Opened again',
  decided: 'Decided',
  dismissed: 'Dismissed',
};

/**
 * Sets whether a cluster is decided, dismissed or still to be decided. Writes nothing to a tracker.
 */
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

/** Selects the canonical issue of a cluster. Null selects the issue that Winnow proposes. */
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

/** Renames a cluster. Null restores the generated name. */
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

/**
 * Returns a function that undoes an include, exclude, split or merge. Null if this cannot be
 * undone.
 */
function undoOf({ action_id: actionId }: ClusterChanged): CompletedChange['undo'] {
  return actionId === null ? null : () => undoMembers(actionId);
}
