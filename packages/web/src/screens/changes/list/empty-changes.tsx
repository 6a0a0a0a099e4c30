import { Button } from '@mantine/core';
import { IconHistory, IconListSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { PastTheEnd } from '../../../ui/data-list/past-the-end.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';

export type EmptyChangesProps = {
  /** Whether a filter is on that could be taken away. */
  filtered: boolean;
  /** The last page, when there are changes but none on this page; null when there are none at all. */
  lastPageHref: string | null;
  onClearAll: () => void;
};

/** Why no change is listed, and the one thing that helps. */
export function EmptyChanges({ filtered, lastPageHref, onClearAll }: EmptyChangesProps) {
  if (lastPageHref !== null) return <PastTheEnd lastPageHref={lastPageHref} />;
  if (filtered) {
    return (
      <EmptyState
        icon={IconListSearch}
        title="No changes found for the current filters."
        action={<Button onClick={onClearAll}>Clear all</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={IconHistory}
      title="Nothing has been decided yet"
      action={
        <Button component={Link} to="/console/issues" variant="filled">
          Review similar issues
        </Button>
      }
    >
      Every write to a tracker is kept here: what was proposed, who approved it, each text before and after,
      and the way back.
    </EmptyState>
  );
}
