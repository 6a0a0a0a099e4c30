import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTrackers } from '../../features/trackers/tracker-list.ts';
import { useApiUsage } from '../../features/usage/queries.ts';
import { Card } from '../../ui/card.tsx';
import { Loading, TextSkeleton } from '../../ui/states/skeletons.tsx';
import { ConnectedTrackers } from './connected-trackers.tsx';
import classes from './metrics.module.css';
import { countText } from './numbers.ts';
import { useIssuesCount } from './queries.ts';

function MetricLoading({ label }: { label: string }) {
  return (
    <Loading label={`Loading ${label}`}>
      <div className={classes.value}>
        <TextSkeleton width={72} height={20} />
      </div>
      <div className={classes.sub}>
        <TextSkeleton width={128} />
      </div>
    </Loading>
  );
}

type MetricProps<T> = {
  label: ReactNode;
  name: string;
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
};

/** Metric in the card. Handles its three states: loading, failed and loaded. */
function Metric<T>({ label, name, query, children }: MetricProps<T>) {
  return (
    <div className={classes.metric}>
      <h3 className={classes.label}>{label}</h3>
      {query.data !== undefined ? (
        children(query.data)
      ) : query.isError ? (
        <div role="alert">
          <p className={classes.failed}>Could not be loaded.</p>
          <Button size="xs" loading={query.isFetching} onClick={() => void query.refetch()}>
            Retry
          </Button>
        </div>
      ) : (
        <MetricLoading label={name} />
      )}
    </div>
  );
}

/** Card with key metrics: connected trackers, API requests and processed issues. */
export function Metrics() {
  const trackers = useTrackers();
  const usage = useApiUsage();
  const issues = useIssuesCount();
  return (
    <Card className={classes.place}>
      <h2 className={classes.title}>Key Metrics</h2>
      <div className={classes.metrics}>
        <Metric
          label={
            <Link to="/console/trackers" className={classes.link ?? ''}>
              Connected Trackers
            </Link>
          }
          name="connected trackers"
          query={trackers}
        >
          {(list) => <ConnectedTrackers trackers={list} />}
        </Metric>
        <Metric
          label={
            <Link to="/console/settings/api-keys" className={classes.link ?? ''}>
              Total API Requests
            </Link>
          }
          name="API requests"
          query={usage}
        >
          {({ requests_ever }) => (
            <>
              <p className={classes.value}>{countText(requests_ever)}</p>
              <p className={classes.sub}>Made with API keys</p>
            </>
          )}
        </Metric>
        <Metric label="Total Issues Processed" name="issues processed" query={issues}>
          {({ total_issues, total_processed, notice }) => (
            <>
              <p className={classes.value}>{countText(total_processed)}</p>
              <p className={classes.sub}>
                {total_issues === 0
                  ? 'None synced yet'
                  : `of ${countText(total_issues)} synced, ${countText(Math.max(0, total_issues - total_processed))} waiting`}
              </p>
              {notice === null ? null : <p className={classes.notice}>{notice}</p>}
            </>
          )}
        </Metric>
      </div>
    </Card>
  );
}
