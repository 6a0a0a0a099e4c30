import { Button } from '@mantine/core';
import { IconCircleDashedCheck, IconListSearch, IconLoader, IconStack2 } from '@tabler/icons-react';
import type { EmptyReason } from '../../../features/issues/empty-reason.ts';
import { NoProjects } from '../../../features/issues/no-projects.tsx';
import { PastTheEnd } from '../../../ui/data-list/past-the-end.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import type { ClustersSearch } from '../search-params.ts';

export type EmptyListProps = {
  reason: EmptyReason;
  status: ClustersSearch['status'];
  /** True if at least one filter is active that Clear all would remove. */
  filtered: boolean;
  lastPageHref: string;
  onClearAll: () => void;
};

/** Explains why the list of clusters is empty, and suggests one action. */
export function EmptyList({ reason, status, filtered, lastPageHref, onClearAll }: EmptyListProps) {
  switch (reason) {
    case 'no_projects':
      return <NoProjects>Clusters appear here once a tracker is connected and synced.</NoProjects>;
    case 'working':
      return (
        <EmptyState icon={IconLoader} title="Looking for clusters">
          The first clusters will appear here automatically.
        </EmptyState>
      );
    case 'past_the_end':
      return <PastTheEnd icon={IconCircleDashedCheck} lastPageHref={lastPageHref} />;
    case 'no_match':
      if (!filtered) {
        return (
          <EmptyState icon={IconStack2} title="No clusters to decide">
            Open issues that are probably duplicates appear here as a cluster.
          </EmptyState>
        );
      }
      return (
        <EmptyState
          icon={IconListSearch}
          title="No clusters found for the current filters."
          action={<Button onClick={onClearAll}>Clear all</Button>}
        >
          {status === 'dismissed'
            ? 'Clusters that you dismiss appear here and can be opened again.'
            : undefined}
        </EmptyState>
      );
  }
}
