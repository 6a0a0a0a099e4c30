import { Button } from '@mantine/core';
import { IconCircleDashedCheck, IconListSearch, IconLoader } from '@tabler/icons-react';
import type { EmptyReason } from '../../../features/issues/empty-reason.ts';
import { NoProjects } from '../../../features/issues/no-projects.tsx';
import { PastTheEnd } from '../../../ui/data-list/past-the-end.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';

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
      return <NoProjects>Similar issues appear here as soon as a tracker is connected and read.</NoProjects>;
    case 'working':
      return (
        <EmptyState icon={IconLoader} title="Looking for similar issues">
          The first pairs appear here by themselves.
        </EmptyState>
      );
    case 'past_the_end':
      return <PastTheEnd icon={IconCircleDashedCheck} lastPageHref={lastPageHref} />;
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
