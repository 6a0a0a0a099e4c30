import { Button } from '@mantine/core';
import { IconListSearch, IconLoader } from '@tabler/icons-react';
import type { EmptyReason } from '../../../features/issues/empty-reason.ts';
import { NoProjects } from '../../../features/issues/no-projects.tsx';
import { PastTheEnd } from '../../../ui/data-list/past-the-end.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';

export type EmptyIssuesProps = {
  reason: EmptyReason;
  /** True if at least one filter is active that Clear all would remove. */
  filtered: boolean;
  lastPageHref: string;
  onClearAll: () => void;
};

/** Explains why the issue list is empty, and suggests one action. */
export function EmptyIssues({ reason, filtered, lastPageHref, onClearAll }: EmptyIssuesProps) {
  switch (reason) {
    case 'no_projects':
      return (
        <NoProjects>
          Issues and how ready they are appear here as soon as a tracker is connected and read.
        </NoProjects>
      );
    case 'working':
      return (
        <EmptyState icon={IconLoader} title="Reading issues">
          The first issues appear here automatically.
        </EmptyState>
      );
    case 'past_the_end':
      return <PastTheEnd lastPageHref={lastPageHref} />;
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
