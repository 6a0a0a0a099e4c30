import { Button } from '@mantine/core';
import { type Icon, IconListSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../states/empty-state.tsx';

/** A page that its list no longer reaches, and the way to the last one. */
export function PastTheEnd({ icon = IconListSearch, lastPageHref }: { icon?: Icon; lastPageHref: string }) {
  return (
    <EmptyState
      icon={icon}
      title="Nothing is left on this page."
      action={
        <Button component={Link} to={lastPageHref}>
          Go to the last page
        </Button>
      }
    />
  );
}
