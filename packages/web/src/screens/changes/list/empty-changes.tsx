import { Button } from '@mantine/core';
import { IconHistory, IconListSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { PastTheEnd } from '../../../ui/data-list/past-the-end.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';

export type EmptyChangesProps = {
  /** True if at least one filter is active. */
  filtered: boolean;
  /**
   * URL of the last page, if the current page is past the end. Null if there are no changes at all.
   */
  lastPageHref: string | null;
  onClearAll: () => void;
};

/** Explains why the list of changes is empty, and suggests one action. */
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
      Every write to a tracker is recorded here: the proposal, who approved it, each text before and after,
      and how to undo it.
    </EmptyState>
  );
}
