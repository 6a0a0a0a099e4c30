import { Button } from '@mantine/core';
import { IconHistory, IconPlus } from '@tabler/icons-react';
import type { Flow } from '@winnow/contract/flow';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useFlows } from '../../../features/flows/queries.ts';
import { useListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { DismissibleAlert } from '../../../ui/dismissible-alert.tsx';
import { KeyHints } from '../../../ui/keyboard/key-hints.tsx';
import { useScreenKeys } from '../../../ui/keyboard/screen-keys.ts';
import { useListedShortcuts } from '../../../ui/keyboard/shortcuts.ts';
import { Page } from '../../../ui/page.tsx';
import { RunDialog } from '../run/run-dialog.tsx';
import { SHORTCUT_SECTION, SHORTCUTS } from '../shortcuts.ts';
import { FlowList } from './flow-list.tsx';
import classes from './list.module.css';
import { Presets } from './presets.tsx';

/** Flows screen: lists the flows of the account and the presets. */
export function FlowsScreen() {
  const flows = useFlows();
  const navigate = useNavigate();
  const [run, setRun] = useState<{ opened: boolean; flow: Flow | null }>({ opened: false, flow: null });
  const listed = flows.data ?? [];
  const walk = useListWalk({
    ids: listed.map(({ id }) => id),
    page: 1,
    pageSize: listed.length,
    total: listed.length,
    selectedId: null,
    go: ({ selectedId }) => void navigate(`/console/flows/${selectedId}`),
  });
  useListedShortcuts(SHORTCUT_SECTION);
  useScreenKeys({
    j: () => walk.next?.(),
    k: () => walk.previous?.(),
    Enter: () => {
      if (walk.currentId !== null) walk.open(walk.currentId);
    },
  });
  return (
    <Page width="large" footer={<KeyHints shortcuts={SHORTCUTS} />}>
      <DismissibleAlert storageKey="flows-alert-dismissed" tone="success">
        Welcome to event-driven agentic flows. A flow is an agent that reacts to what happens in your
        trackers: it reads and compares issues, asks questions, and proposes changes. Nothing is written
        before you approve it, unless you allow that. Everything it does is recorded.
      </DismissibleAlert>
      <div className={classes.bar}>
        <Button
          component={Link}
          to="/console/flows/new"
          variant="filled"
          leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
        >
          Create New Flow
        </Button>
        <Button
          component={Link}
          to="/console/flows/executions"
          leftSection={<IconHistory size={16} stroke={1.75} aria-hidden />}
        >
          Executions
        </Button>
      </div>
      <FlowList flows={flows} walk={walk} onRun={(flow) => setRun({ opened: true, flow })} />
      <Presets />
      <RunDialog {...run} onClose={() => setRun({ ...run, opened: false })} />
    </Page>
  );
}
