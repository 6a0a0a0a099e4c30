import { Modal, type ModalProps } from '@mantine/core';
import type { Cluster } from '@winnow/contract/cluster';
import { type ReactNode, useState } from 'react';
import { Z_INDEX_ABOVE_DRAWER } from '../../../ui/dialogs/z-index.ts';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';

export type ClusterModalProps = Pick<
  ModalProps,
  'title' | 'size' | 'fullScreen' | 'classNames' | 'onClose'
> & {
  /** The cluster that the dialog changes. Null closes the dialog. */
  cluster: Cluster | null;
  children: (cluster: Cluster) => ReactNode;
};

/** Dialog about a cluster. It displays the cluster until the closing animation ends. */
export function ClusterModal({ cluster, children, ...modal }: ClusterModalProps) {
  const [last, setLast] = useState(cluster);
  if (cluster !== null && cluster !== last) setLast(cluster);
  const opened = cluster !== null;
  return (
    <Modal size={520} {...modal} opened={opened} {...(opened ? {} : LEAVING)} zIndex={Z_INDEX_ABOVE_DRAWER}>
      {last === null ? null : children(last)}
    </Modal>
  );
}
