import { Button, Group } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SampleButton } from '../trackers/sample-button.tsx';

/**
 * Empty state of a list while the account has no projects, with two ways to add one. `children`
 * explains the purpose of the list.
 */
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
