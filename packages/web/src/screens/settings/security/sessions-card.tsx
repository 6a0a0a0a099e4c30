import { Button } from '@mantine/core';
import type { Session } from '@winnow/contract/account-activity';
import { useState } from 'react';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { useEndOtherSessions, useEndSession, useSessions } from './queries.ts';
import classes from './security.module.css';

const UNKNOWN_DEVICE = 'Unknown device';

function Row({ session }: { session: Session }) {
  const end = useEndSession();
  const { address, created_at, current, device, last_used_at } = session;
  return (
    <li className={classes.row}>
      <div className={classes.main}>
        <span className={classes.name}>
          {device ?? UNKNOWN_DEVICE}
          {current ? (
            <Badge tone="success" small>
              This session
            </Badge>
          ) : null}
        </span>
        <span className={classes.facts}>
          <span>{address ?? 'Unknown address'}</span>
          <span>
            Last used <RelativeTime at={last_used_at} />
          </span>
          <span>
            Signed in <RelativeTime at={created_at} />
          </span>
        </span>
        {end.isError ? <FormMessage tone="danger">{sentenceOf(end.error)}</FormMessage> : null}
      </div>
      {current ? null : (
        <Button
          size="xs"
          aria-label={`End the session on ${device ?? UNKNOWN_DEVICE}`}
          loading={end.isPending}
          onClick={() => end.mutate(session)}
        >
          End
        </Button>
      )}
    </li>
  );
}

/** The active sessions, with buttons to end them. */
export function SessionsCard() {
  const sessions = useSessions();
  const endOthers = useEndOtherSessions();
  const [asking, setAsking] = useState(false);
  const list = sessions.data;
  const others = list?.filter(({ current }) => !current).length ?? 0;
  return (
    <Card
      title="Sessions"
      actions={
        others === 0 ? null : (
          <Button size="xs" onClick={() => setAsking(true)}>
            End all others
          </Button>
        )
      }
    >
      {sessions.isError ? (
        <ErrorState
          error={sessions.error}
          title="Failed to load sessions"
          onRetry={() => void sessions.refetch()}
          retrying={sessions.isFetching}
        />
      ) : list === undefined ? (
        <Loading label="Loading sessions">
          <RowsSkeleton rows={2} />
        </Loading>
      ) : (
        <ul className={classes.list} aria-label="Sessions">
          {list.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </ul>
      )}
      <p className={classes.foot}>A session ends after 30 days without use, and after 90 days in any case.</p>
      <ConfirmDialog
        opened={asking}
        title="End all other sessions"
        confirmLabel="End sessions"
        destructive
        pending={endOthers.isPending}
        error={endOthers.error}
        onClose={() => setAsking(false)}
        onConfirm={() => endOthers.mutate(undefined, { onSuccess: () => setAsking(false) })}
      >
        {others === 1
          ? 'One other device is signed out immediately.'
          : `${others} other devices are signed out immediately.`}
      </ConfirmDialog>
    </Card>
  );
}
