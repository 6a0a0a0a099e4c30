import { Button } from '@mantine/core';
import { ACCOUNT_EVENTS, type AccountEvent } from '@winnow/contract/account-activity';
import { useState } from 'react';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { pageRange } from '../../../ui/data-list/page-range.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { EVENTS_PER_PAGE, useActivity } from './queries.ts';
import classes from './security.module.css';

function Row({ event }: { event: AccountEvent }) {
  const { label, tone } = ACCOUNT_EVENTS[event.kind];
  return (
    <li className={classes.row}>
      <div className={classes.main}>
        <span className={classes.name}>
          <Badge tone={tone} small>
            {label}
          </Badge>
          {event.detail === null ? null : <span>{event.detail}</span>}
        </span>
        <span className={classes.facts}>
          <RelativeTime at={event.at} />
          {event.address === null ? null : <span>{event.address}</span>}
          {event.device === null ? null : <span>{event.device}</span>}
        </span>
      </div>
    </li>
  );
}

/** Recent security events of the account, such as sign-ins, password changes and new keys. */
export function ActivityCard() {
  const [page, setPage] = useState(1);
  const activity = useActivity((page - 1) * EVENTS_PER_PAGE);
  const shown = activity.data;
  return (
    <Card title="Recent activity">
      {activity.isError ? (
        <ErrorState
          error={activity.error}
          title="Failed to load recent activity"
          onRetry={() => void activity.refetch()}
          retrying={activity.isFetching}
        />
      ) : shown === undefined ? (
        <Loading label="Loading recent activity">
          <RowsSkeleton rows={5} />
        </Loading>
      ) : shown.total === 0 ? (
        <p className={classes.foot}>Sign-ins, new passwords and API keys are listed here.</p>
      ) : (
        <>
          <ul className={classes.list} aria-label="Recent activity">
            {shown.events.map((event) => (
              <Row key={event.id} event={event} />
            ))}
          </ul>
          {shown.total <= EVENTS_PER_PAGE ? null : (
            <div className={classes.pages}>
              <span>{pageRange(page, EVENTS_PER_PAGE, shown.total).range}</span>
              <Button size="xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
                Newer
              </Button>
              <Button
                size="xs"
                disabled={page * EVENTS_PER_PAGE >= shown.total}
                onClick={() => setPage(page + 1)}
              >
                Older
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  );
}
