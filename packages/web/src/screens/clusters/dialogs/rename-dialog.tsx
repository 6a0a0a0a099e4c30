import { Button, Group, TextInput } from '@mantine/core';
import { type Cluster, MAX_CLUSTER_NAME_CHARS } from '@winnow/contract/cluster';
import { useState } from 'react';
import { renameCluster } from '../cluster-actions.ts';
import { ClusterModal } from './cluster-modal.tsx';
import classes from './dialogs.module.css';

function RenameForm({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const [name, setName] = useState(cluster.name);
  const save = (text: string | null) => {
    onClose();
    if (text !== cluster.name) void renameCluster(cluster, text);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') save(name.trim());
      }}
    >
      <TextInput
        data-autofocus
        label="Name"
        maxLength={MAX_CLUSTER_NAME_CHARS}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={name.trim() === '' ? 'Enter a name.' : undefined}
      />
      <Group className={classes.buttons ?? ''} justify="flex-end" gap="xs">
        <Button onClick={onClose}>Cancel</Button>
        {cluster.named ? <Button onClick={() => save(null)}>Use the generated name</Button> : null}
        <Button type="submit" variant="filled" disabled={name.trim() === ''}>
          Rename
        </Button>
      </Group>
    </form>
  );
}

/** Dialog that renames a cluster. */
export function RenameDialog({ cluster, onClose }: { cluster: Cluster | null; onClose: () => void }) {
  return (
    <ClusterModal title="Rename the cluster" cluster={cluster} onClose={onClose}>
      {(shown) => <RenameForm cluster={shown} onClose={onClose} key={shown.id} />}
    </ClusterModal>
  );
}
