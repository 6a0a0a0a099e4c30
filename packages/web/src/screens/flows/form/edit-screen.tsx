import { Button } from '@mantine/core';
import { IconHistory, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import type { Flow } from '@winnow/contract/flow';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useFlow } from '../../../features/flows/queries.ts';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page } from '../../../ui/page.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { executionsOf } from '../executions/search-params.ts';
import { isMissing, MissingResource } from '../missing-flow.tsx';
import { RunDialog } from '../run/run-dialog.tsx';
import { DeleteFlow } from './delete-flow.tsx';
import { FlowForm } from './flow-form.tsx';
import classes from './form.module.css';

/** Edit Flow screen: edits, runs and deletes a flow, and links to its executions. */
export function FlowScreen() {
  const { flowId = '' } = useParams();
  const flow = useFlow(flowId);
  if (isMissing(flowId, flow.error)) {
    return (
      <Page width="normal">
        <MissingResource title="Flow not found" back={{ to: '/console/flows', label: 'Go to Flows' }} />
      </Page>
    );
  }
  if (flow.data !== undefined) {
    return (
      <Page width="normal">
        <FlowForm
          key={flowId}
          flow={flow.data}
          bar={(unsaved, forget) => <FlowBar flow={flow.data} unsaved={unsaved} onForget={forget} />}
        />
      </Page>
    );
  }
  return (
    <Page width="normal">
      {flow.error === null ? (
        <Card>
          <Loading label="Loading the flow">
            <RowsSkeleton rows={6} />
          </Loading>
        </Card>
      ) : (
        <ErrorState
          error={flow.error}
          title="The flow could not be loaded"
          onRetry={() => void flow.refetch()}
          retrying={flow.isFetching}
        />
      )}
    </Page>
  );
}

type FlowBarProps = { flow: Flow; unsaved: boolean; onForget: () => void };

function FlowBar({ flow, unsaved, onForget }: FlowBarProps) {
  const [running, setRunning] = useState(false);
  const [deleting, setDeleting] = useState(false);
  return (
    <div className={classes.bar}>
      <PermissionGate needs="write">
        <Button
          leftSection={<IconPlayerPlay size={16} stroke={1.75} aria-hidden />}
          onClick={() => setRunning(true)}
        >
          Run now
        </Button>
      </PermissionGate>
      <Button
        component={Link}
        to={executionsOf(flow.id)}
        leftSection={<IconHistory size={16} stroke={1.75} aria-hidden />}
      >
        Executions
      </Button>
      <span className={classes.grow} />
      <PermissionGate needs="manage">
        <Button
          variant="subtle"
          color="danger"
          leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
          onClick={() => setDeleting(true)}
        >
          Delete
        </Button>
      </PermissionGate>
      <RunDialog opened={running} flow={flow} unsaved={unsaved} onClose={() => setRunning(false)} />
      <DeleteFlow opened={deleting} item={flow} onClose={() => setDeleting(false)} onRemoved={onForget} />
    </div>
  );
}
