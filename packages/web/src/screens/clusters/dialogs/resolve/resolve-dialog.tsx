import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Cluster } from '@winnow/contract/cluster';
import { clusterOptions } from '../../../../features/clusters/queries.ts';
import { resolveCluster } from '../../../../features/decisions/decision-requests.ts';
import { Progress } from '../../../../features/write-dialog/progress.tsx';
import { useDialogWrite } from '../../../../features/write-dialog/use-dialog-write.ts';
import dialog from '../../../../features/write-dialog/write-dialog.module.css';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../../../ui/states/skeletons.tsx';
import { noteResolved } from '../../cluster-actions.ts';
import { ClusterModal } from '../cluster-modal.tsx';
import { type ResolutionWrite, ResolveForm } from './resolve-form.tsx';

export type ResolveDialogProps = {
  /** The cluster to resolve. Null closes the dialog. */
  cluster: Cluster | null;
  onClose: () => void;
  onResolved: (cluster: Cluster) => void;
};

function Content({ cluster, onClose, onResolved }: ResolveDialogProps & { cluster: Cluster }) {
  const { data: detail, error, refetch } = useQuery(clusterOptions(cluster.id));
  const writing = useDialogWrite(
    async (payload: ResolutionWrite, onUnderWay) => {
      const change = await resolveCluster(cluster.id, payload, onUnderWay);
      if (change.status === 'applied') noteResolved(cluster, change.id);
      return change;
    },
    () => {
      onClose();
      onResolved(cluster);
    },
  );
  if (writing.changeId !== null) {
    return <Progress changeId={writing.changeId} writing={writing} onClose={onClose} />;
  }
  if (detail !== undefined) {
    return <ResolveForm cluster={detail} writing={writing} onCancel={onClose} />;
  }
  return (
    <div className={dialog.form}>
      {error === null ? (
        <Loading label="Loading the cluster">
          <TextSkeleton width="60%" />
        </Loading>
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

/**
 * Dialog that closes all other issues of a cluster as duplicates of its canonical issue. It
 * previews every write, and then shows the progress.
 */
export function ResolveDialog({ cluster, ...handlers }: ResolveDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  return (
    <ClusterModal
      cluster={cluster}
      onClose={handlers.onClose}
      title="Resolve Cluster"
      size={1160}
      fullScreen={narrow}
      classNames={{
        content: dialog.content ?? '',
        body: dialog.body ?? '',
        header: dialog.header ?? '',
      }}
    >
      {(last) => <Content key={last.id} cluster={last} {...handlers} />}
    </ClusterModal>
  );
}
