import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Cluster, ClustersResolved } from '@winnow/contract/cluster';
import { useState } from 'react';
import frame from '../../../features/write-dialog/item-dialog.module.css';
import { Z_INDEX_ABOVE_DRAWER } from '../../../ui/dialogs/z-index.ts';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';
import { noteResolved } from '../cluster-actions.ts';
import { BulkResults } from './bulk-results.tsx';
import { BulkReview } from './bulk-review.tsx';

type Started = { clusters: readonly Cluster[]; result: ClustersResolved };

export type BulkDialogProps = {
  opened: boolean;
  /** Projects of the listed clusters. Empty lists clusters of all projects. */
  projects: readonly string[];
  onClose: () => void;
};

/**
 * Dialog that resolves several clusters. It lists up to 25 clusters above a probability, with every
 * issue that would be closed.
 */
export function BulkDialog({ opened, projects, onClose }: BulkDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [started, setStarted] = useState<Started | null>(null);
  const [busy, setBusy] = useState(false);
  const onStarted = (clusters: readonly Cluster[], result: ClustersResolved) => {
    for (const { cluster_id, change_id } of result.changes) {
      const cluster = clusters.find(({ id }) => id === cluster_id);
      if (cluster !== undefined) noteResolved(cluster, change_id);
    }
    setStarted({ clusters, result });
  };
  return (
    <Modal
      opened={opened}
      {...(opened ? {} : LEAVING)}
      onClose={onClose}
      onExitTransitionEnd={() => setStarted(null)}
      closeOnClickOutside={!busy}
      zIndex={Z_INDEX_ABOVE_DRAWER}
      title="Resolve Several Clusters"
      size={720}
      fullScreen={narrow}
      classNames={{ content: frame.content ?? '', body: frame.modalBody ?? '' }}
    >
      {started === null ? (
        <BulkReview projects={projects} onStarted={onStarted} onBusy={setBusy} onClose={onClose} />
      ) : (
        <BulkResults {...started} onClose={onClose} />
      )}
    </Modal>
  );
}
