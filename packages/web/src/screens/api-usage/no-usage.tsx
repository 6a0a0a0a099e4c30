import { Button } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import classes from './api-usage.module.css';

/** Placeholder for the charts while there is no usage. */
export function NoUsage({ everUsed }: { everUsed: boolean }) {
  return (
    <Card>
      <EmptyState
        icon={IconChartBar}
        title={everUsed ? 'No requests in these days' : 'No requests yet'}
        action={
          everUsed ? undefined : (
            <span className={classes.buttons}>
              <Button component={Link} to="/console/settings/api-keys" variant="filled">
                Create API key
              </Button>
              <Button component="a" href="/docs#mcp">
                Connect a coding tool
              </Button>
            </span>
          )
        }
      >
        {everUsed
          ? 'Choose other days to see what was used then.'
          : 'With an API key, scripts and coding tools work with your backlog. What they ask for is counted here.'}
      </EmptyState>
    </Card>
  );
}
