import { Modal } from '@mantine/core';
import type { Cluster } from '@winnow/contract/cluster';
import { type ReactNode, useState } from 'react';
import { Z_INDEX_ABOVE_DRAWER } from '../../../ui/dialogs/z-index.ts';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';

export type ClusterModalProps = {
  title: string;
  /** The cluster to change; null closes the dialog. */
  cluster: Cluster | null;
  onClose: () => void;
  children: (cluster: Cluster) => ReactNode;
};

/** A dialog about a cluster. It keeps showing the cluster while it closes. */
export function ClusterModal({ title, cluster, onClose, children }: ClusterModalProps) {
  const [last, setLast] = useState(cluster);
  if (cluster !== null && cluster !== last) setLast(cluster);
  const opened = cluster !== null;
  return (
    <Modal
      opened={opened}
      {...(opened ? {} : LEAVING)}
      onClose={onClose}
      title={title}
      size={520}
      zIndex={Z_INDEX_ABOVE_DRAWER}
    >
      {last === null ? null : children(last)}
    </Modal>
  );
}
