import type { Cluster, ClusterDecision, ClusterDetail } from '@winnow/contract/cluster';
import type { IssueSummary } from '@winnow/contract/issue';
import { type ReactNode, useState } from 'react';
import { usePermission } from '../../features/workspaces/permission.tsx';
import { showNotPermitted } from '../../features/workspaces/permitted-keys.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { chooseCanonical, decideCluster, exclude, split } from './cluster-actions.ts';
import { IncludeDialog } from './dialogs/include-dialog.tsx';
import { MergeDialog } from './dialogs/merge-dialog.tsx';
import { RenameDialog } from './dialogs/rename-dialog.tsx';
import { ResolveDialog } from './dialogs/resolve/resolve-dialog.tsx';
import type { ClusterKey } from './shortcuts.ts';
import type { MemberWalk } from './use-member-walk.ts';

/** A change of a cluster that the user requests. */
type ClusterAction =
  | { kind: 'decide'; decision: ClusterDecision }
  | { kind: 'canonical'; issue: IssueSummary | null }
  | { kind: 'exclude'; issue: IssueSummary }
  | { kind: 'split' | 'include' | 'merge' | 'rename' | 'resolve' };

/**
 * Makes a change of a cluster, or opens the dialog for it. A split needs a cluster with details.
 */
export type Act = (cluster: Cluster | ClusterDetail, action: ClusterAction) => void;

type OpenDialog = {
  kind: 'include' | 'merge' | 'rename' | 'resolve' | 'end';
  cluster: Cluster;
  /** Makes the change that removes the cluster. */
  confirm: () => void;
};

function partsOf(cluster: Cluster | ClusterDetail): readonly [readonly string[], readonly string[]] | null {
  return 'split' in cluster ? (cluster.split?.parts ?? null) : null;
}

type ClusterActions = {
  act: Act;
  dialogs: ReactNode;
};

/**
 * Returns a function that changes clusters, and the dialogs for it. Calls `on.decided` when a
 * decision is sent, and `on.refused` if the server refuses it.
 */
export function useClusterActions(on: {
  decided: (cluster: Cluster) => void;
  refused: (cluster: Cluster) => void;
}): ClusterActions {
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const close = () => setDialog(null);
  const decide = async (cluster: Cluster, decision: ClusterDecision) => {
    on.decided(cluster);
    if (!(await decideCluster(cluster, decision))) on.refused(cluster);
  };
  /** Asks for confirmation if the change would leave only one issue in the cluster. */
  const orEnd = (cluster: Cluster, confirm: () => void) => {
    if (cluster.size > 2) confirm();
    else setDialog({ kind: 'end', cluster, confirm });
  };
  const { reason } = usePermission('write');
  const act: Act = (cluster, action) => {
    if (reason !== null) {
      showNotPermitted(reason);
      return;
    }
    switch (action.kind) {
      case 'decide':
        void decide(cluster, action.decision);
        return;
      case 'canonical':
        void chooseCanonical(cluster, action.issue);
        return;
      case 'exclude':
        orEnd(cluster, () => void exclude(cluster, action.issue));
        return;
      case 'split': {
        const parts = partsOf(cluster);
        if (parts !== null) orEnd(cluster, () => void split(cluster, parts[1]));
        return;
      }
      case 'include':
      case 'merge':
      case 'rename':
      case 'resolve':
        setDialog({ kind: action.kind, cluster, confirm: close });
    }
  };
  const open = (kind: OpenDialog['kind']) => (dialog?.kind === kind ? dialog.cluster : null);
  const dialogs = (
    <>
      <IncludeDialog cluster={open('include')} onClose={close} />
      <MergeDialog cluster={open('merge')} onClose={close} />
      <ResolveDialog cluster={open('resolve')} onClose={close} onResolved={on.decided} />
      <RenameDialog cluster={open('rename')} onClose={close} />
      <ConfirmDialog
        opened={dialog?.kind === 'end'}
        title="End this cluster?"
        confirmLabel="End the cluster"
        onConfirm={() => {
          close();
          dialog?.confirm();
        }}
        onClose={close}
      >
        This cluster has two issues. Without one of them, the cluster is removed, and the two are not
        suggested as a cluster again.
      </ConfirmDialog>
    </>
  );
  return { act, dialogs };
}

/**
 * Returns the keyboard handlers that act on the displayed cluster. They do nothing if no cluster is
 * displayed.
 */
export function clusterKeys(
  shown: () => Cluster | ClusterDetail | null,
  members: MemberWalk,
  act: Act,
): Record<Exclude<ClusterKey, 'z'>, () => void> {
  const on = (action: (cluster: Cluster | ClusterDetail) => ClusterAction | null) => () => {
    const cluster = shown();
    const asked = cluster === null ? null : action(cluster);
    if (cluster !== null && asked !== null) act(cluster, asked);
  };
  const withIssue = (kind: 'canonical' | 'exclude') =>
    on((cluster) => {
      if (!('members' in cluster)) return null;
      const member = cluster.members.find(({ issue }) => issue.id === members.currentId);
      if (member === undefined || (kind === 'canonical' && member.is_canonical)) return null;
      return { kind, issue: member.issue };
    });
  return {
    r: on(({ open_issues }) => (open_issues < 2 ? null : { kind: 'resolve' })),
    c: withIssue('canonical'),
    x: withIssue('exclude'),
    i: on(() => ({ kind: 'include' })),
    m: on(() => ({ kind: 'merge' })),
    s: on(() => ({ kind: 'split' })),
    d: on(({ status }) => (status === 'decided' ? null : { kind: 'decide', decision: 'decided' })),
    e: on(({ status }) => ({
      kind: 'decide',
      decision: status === 'dismissed' || status === 'decided' ? 'to_decide' : 'dismissed',
    })),
  };
}
