import { Button } from '@mantine/core';
import { type Icon, IconListSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../states/empty-state.tsx';

/** Message for a page number after the end of the list, with a link to the last page. */
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
