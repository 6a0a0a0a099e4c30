import { Autocomplete, Button, Group } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Cluster } from '@winnow/contract/cluster';
import { useState } from 'react';
import { issuesText } from '../../../features/clusters/cluster-texts.ts';
import { useClusterOfIssue } from '../../../features/clusters/queries.ts';
import { useIssueChoices } from '../../../features/issues/issue-search.ts';
import { namesakes, withTracker } from '../../../features/issues/namesakes.ts';
import { useProjects } from '../../../features/issues/queries.ts';
import { include, merge } from '../cluster-actions.ts';
import { ClusterModal } from './cluster-modal.tsx';
import classes from './dialogs.module.css';

/** Pause in typing before the server is queried. */
const PAUSE_MS = 200;
const MAX_KEY_CHARS = 300;

function IncludeForm({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const [text, setText] = useState('');
  const [searched] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { data: projects = [] } = useProjects();
  const { data: found = [] } = useIssueChoices(searched);
  const placeOf = namesakes(projects);
  const offered = new Map(found.map((issue) => [withTracker(issue.key, placeOf(issue.project_id)), issue]));
  const chosen = offered.get(text) ?? null;
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
      <Autocomplete
        data-autofocus
        label="Issue"
        description="Issue key (acme/web#12, PROJ-12) or search words"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_KEY_CHARS}
        maxDropdownHeight={260}
        data={[...offered.keys()]}
        // The server has already filtered the options.
        filter={({ options }) => options}
        renderOption={({ option }) => (
          <span className={classes.option}>
            <code>{option.value}</code>
            <span dir="auto">{offered.get(option.value)?.title}</span>
          </span>
        )}
        value={text}
        onChange={setText}
      />
      <p className={classes.note} role="status">
        {chosen === null ? null : isMember ? (
          'It is in this cluster already.'
        ) : other === null ? (
          <span dir="auto">{chosen.title}</span>
        ) : (
          <span dir="auto">{`It is in “${other.name}” (${issuesText(other.size)}) and would leave it.`}</span>
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

/** Dialog that adds an issue to a cluster, or the cluster that the issue is in. */
export function IncludeDialog({ cluster, onClose }: { cluster: Cluster | null; onClose: () => void }) {
  return (
    <ClusterModal title="Include an issue" cluster={cluster} onClose={onClose}>
      {(shown) => <IncludeForm cluster={shown} onClose={onClose} />}
    </ClusterModal>
  );
}
