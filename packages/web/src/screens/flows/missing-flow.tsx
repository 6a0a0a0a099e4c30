import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { id } from '@winnow/contract/primitives';
import { Link } from 'react-router';
import { ApiError } from '../../api/session/api-error.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';

/** Whether what an address names is not there: the server says so, or it could not have such an id. */
export function isGone(namedId: string, error: unknown): boolean {
  return !id.safeParse(namedId).success || (error instanceof ApiError && error.status === 404);
}

export type GoneProps = { title: string; back: { to: string; label: string } };

/** Says that what the address names is not there, and leads to what is. */
export function Gone({ title, back: { to, label } }: GoneProps) {
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
        The address may be mistyped, or it was removed.
      </EmptyState>
    </Card>
  );
}
