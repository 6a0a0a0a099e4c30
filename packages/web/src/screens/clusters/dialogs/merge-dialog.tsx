import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Cluster } from '@winnow/contract/cluster';
import { useState } from 'react';
import { issuesText } from '../../../features/clusters/cluster-texts.ts';
import { clusterListOptions } from '../../../features/clusters/queries.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { merge } from '../cluster-actions.ts';
import { ClusterModal } from './cluster-modal.tsx';
import classes from './dialogs.module.css';

/**
 * Number of clusters to select from, most valuable first. This is the maximum page size of the
 * server.
 */
const CLUSTERS_OFFERED = 100;

function MergeForm({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const { data, error, refetch, isFetching } = useQuery(
    clusterListOptions({ status: 'all', probability_threshold: 0, limit: CLUSTERS_OFFERED }),
  );
  const [chosenId, setChosenId] = useState<string | null>(null);
  const others = data?.clusters.filter(({ id }) => id !== cluster.id) ?? [];
  const chosen = others.find(({ id }) => id === chosenId);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen === undefined) return;
        onClose();
        void merge(cluster, chosen);
      }}
    >
      {error === null ? null : (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      <Select
        data-autofocus
        label="Other cluster"
        description="The issues of the other cluster move into this one. To merge a cluster that is not listed, include one of its issues."
        searchable
        openOnFocus={false}
        nothingFoundMessage="No cluster found"
        maxDropdownHeight={260}
        data={others.map(({ id, name, size }) => ({ value: id, label: `${name} (${issuesText(size)})` }))}
        value={chosenId}
        onChange={setChosenId}
      />
      <p className={classes.note} role="status">
        {chosen === undefined ? null : `Together they have ${issuesText(cluster.size + chosen.size)}.`}
      </p>
      <Group justify="flex-end" gap="xs">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" disabled={chosen === undefined}>
          Merge
        </Button>
      </Group>
    </form>
  );
}

/** Dialog that merges another cluster into this cluster. */
export function MergeDialog({ cluster, onClose }: { cluster: Cluster | null; onClose: () => void }) {
  return (
    <ClusterModal title="Merge another cluster" cluster={cluster} onClose={onClose}>
      {(shown) => <MergeForm cluster={shown} onClose={onClose} />}
    </ClusterModal>
  );
}
