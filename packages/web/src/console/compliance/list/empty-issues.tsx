import { Button } from '@mantine/core';
import { IconListSearch, IconLoader, IconPlugConnected } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SampleButton } from '../../trackers/sample-button.tsx';
import classes from './issue-list.module.css';

/** Why a list of issues is empty. */
export type EmptyReason = 'no_projects' | 'working' | 'past_the_end' | 'no_match';

export type EmptyIssuesProps = {
  reason: EmptyReason;
  /** Whether there is a filter that Clear all would take away. */
  filtered: boolean;
  lastPageHref: string;
  onClearAll: () => void;
};

/** Why there is nothing to list, and the one thing that helps. */
export function EmptyIssues({ reason, filtered, lastPageHref, onClearAll }: EmptyIssuesProps) {
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
          Issues and how ready they are appear here as soon as a tracker is connected and read.
        </EmptyState>
      );
    case 'working':
      return (
        <EmptyState icon={IconLoader} title="Reading issues">
          The first ones appear here by themselves.
        </EmptyState>
      );
    case 'past_the_end':
      return (
        <EmptyState
          icon={IconListSearch}
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
          title="No issues found"
          action={filtered ? <Button onClick={onClearAll}>Clear all</Button> : undefined}
        >
          Your search did not return any issues.
        </EmptyState>
      );
  }
}
