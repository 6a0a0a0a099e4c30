import { Button, Group } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SampleButton } from '../trackers/sample-button.tsx';

/** What a list says while no tracker has brought a project, and the two ways to one. `children` is what the list is for. */
export function NoProjects({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      icon={IconPlugConnected}
      title="No projects found. Did you add a tracker?"
      action={
        <Group justify="center" gap={8}>
          <Button component={Link} to="/console/trackers" variant="filled">
            Go to Trackers
          </Button>
          <SampleButton />
        </Group>
      }
    >
      {children}
    </EmptyState>
  );
}
