import { Button, Group } from '@mantine/core';
import type { Cluster } from '@winnow/contract/cluster';
import { issuesText } from '../../../features/clusters/cluster-texts.ts';
import { useClusterOfIssue } from '../../../features/clusters/queries.ts';
import { IssueField, useIssueField } from '../../../features/issues/issue-field.tsx';
import { include, merge } from '../cluster-actions.ts';
import { ClusterModal } from './cluster-modal.tsx';
import classes from './dialogs.module.css';

function IncludeForm({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const field = useIssueField();
  const chosen = field.issue;
  const { data: other = null } = useClusterOfIssue(chosen?.id ?? null);
  const isMember = other?.id === cluster.id;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen === null || isMember) return;
        onClose();
        void include(cluster, chosen);
      }}
    >
      <IssueField state={field} />
      <p className={classes.note} role="status">
        {chosen === null ? null : isMember ? (
          'It is in this cluster already.'
        ) : other === null ? (
          <span dir="auto">{chosen.title}</span>
        ) : (
          <span dir="auto">{`It is in the cluster “${other.name}” (${issuesText(other.size)}) and would leave that cluster.`}</span>
        )}
      </p>
      <Group justify="flex-end" gap="xs">
        <Button onClick={onClose}>Cancel</Button>
        {other === null || isMember ? null : (
          <Button
            onClick={() => {
              onClose();
              void merge(cluster, other);
            }}
          >
            Merge its cluster
          </Button>
        )}
        <Button type="submit" variant="filled" disabled={chosen === null || isMember}>
          Include
        </Button>
      </Group>
    </form>
  );
}

/**
 * Dialog that adds an issue to a cluster. If the issue belongs to another cluster, the dialog also
 * offers to merge that cluster.
 */
export function IncludeDialog({ cluster, onClose }: { cluster: Cluster | null; onClose: () => void }) {
  return (
    <ClusterModal title="Include an issue" cluster={cluster} onClose={onClose}>
      {(shown) => <IncludeForm cluster={shown} onClose={onClose} />}
    </ClusterModal>
  );
}
