import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { id } from '@winnow/contract/primitives';
import { Link } from 'react-router';
import { ApiError } from '../../api/session/api-error.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';

/** True if a flow or execution does not exist: the id is invalid, or the server returned 404. */
export function isMissing(namedId: string, error: unknown): boolean {
  return !id.safeParse(namedId).success || (error instanceof ApiError && error.status === 404);
}

export type MissingResourceProps = { title: string; back: { to: string; label: string } };

/** Displayed instead of a flow or execution that does not exist, with a link to the list. */
export function MissingResource({ title, back: { to, label } }: MissingResourceProps) {
  return (
    <Card>
      <EmptyState
        icon={IconMapOff}
        title={title}
        action={
          <Button component={Link} to={to} variant="filled">
            {label}
          </Button>
        }
      >
        Check the address, or it may have been deleted.
      </EmptyState>
    </Card>
  );
}
