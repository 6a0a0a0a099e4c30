import { Button } from '@mantine/core';
import { IconCircleDashedCheck, IconListSearch, IconLoader, IconPlugConnected } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SampleButton } from '../../trackers/sample-button.tsx';
import type { EmptyReason } from './empty-reason.ts';
import classes from './pair-list.module.css';

export type EmptyListProps = {
  reason: EmptyReason;
  /** Whether there is a filter that Clear all would take away. */
  filtered: boolean;
  /** Lists the dismissed pairs. */
  dismissed: boolean;
  lastPageHref: string;
  onClearAll: () => void;
};

/** Why there is nothing to list, and the one thing that helps. */
export function EmptyList({ reason, filtered, dismissed, lastPageHref, onClearAll }: EmptyListProps) {
  switch (reason) {
    case 'no_projects':
      return (
        <EmptyState
          icon={IconPlugConnected}
          title="No projects found. Did you add a tracker?"
          action={
            <div className={classes.ways}>
              <Button component={Link} to="/console/trackers" variant="filled">
                Go to Trackers
              </Button>
              <SampleButton />
            </div>
          }
        >
          Similar issues appear here as soon as a tracker is connected and read.
        </EmptyState>
      );
    case 'working':
      return (
        <EmptyState icon={IconLoader} title="Looking for similar issues">
          The first pairs appear here by themselves.
        </EmptyState>
      );
    case 'past_the_end':
      return (
        <EmptyState
          icon={IconCircleDashedCheck}
          title="Nothing is left on this page."
          action={
            <Button component={Link} to={lastPageHref}>
              Go to the last page
            </Button>
          }
        />
      );
    case 'no_match':
      return (
        <EmptyState
          icon={IconListSearch}
          title="No duplicate issues found for the current filters."
          action={filtered ? <Button onClick={onClearAll}>Clear all</Button> : undefined}
        >
          {dismissed ? 'A pair that you dismiss is kept here, from where it can be brought back.' : undefined}
        </EmptyState>
      );
  }
}
