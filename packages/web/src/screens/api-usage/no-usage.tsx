import { Button } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import classes from './api-usage.module.css';

/** Displayed instead of the charts if the period has no usage. */
export function NoUsage({ everUsed }: { everUsed: boolean }) {
  return (
    <Card>
      <EmptyState
        icon={IconChartBar}
        title={everUsed ? 'No requests in this period' : 'No requests yet'}
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
          ? 'Choose another period to see its usage.'
          : 'With an API key, scripts and coding tools work with your backlog. Their requests are counted here.'}
      </EmptyState>
    </Card>
  );
}
