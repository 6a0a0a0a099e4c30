import { Button } from '@mantine/core';
import { IconCircleDashedCheck, IconListSearch, IconLoader } from '@tabler/icons-react';
import type { EmptyReason } from '../../../features/issues/empty-reason.ts';
import { NoProjects } from '../../../features/issues/no-projects.tsx';
import { PastTheEnd } from '../../../ui/data-list/past-the-end.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';

export type EmptyListProps = {
  reason: EmptyReason;
  /** True if at least one filter is active that Clear all would remove. */
  filtered: boolean;
  /** True if dismissed pairs are listed. */
  dismissed: boolean;
  lastPageHref: string;
  onClearAll: () => void;
};

/** Explains why the list of pairs is empty, and suggests one action. */
export function EmptyList({ reason, filtered, dismissed, lastPageHref, onClearAll }: EmptyListProps) {
  switch (reason) {
    case 'no_projects':
      return <NoProjects>Similar issues appear here once a tracker is connected and synced.</NoProjects>;
    case 'working':
      return (
        <EmptyState icon={IconLoader} title="Looking for similar issues">
          The first pairs will appear here automatically.
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
          {dismissed ? 'Pairs that you dismiss appear here and can be restored.' : undefined}
        </EmptyState>
      );
  }
}
