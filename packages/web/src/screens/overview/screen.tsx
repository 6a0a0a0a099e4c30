import { VerifyNotice } from '../../features/account/verify-notice.tsx';
import { ModelNotice } from '../../features/models/model-notice.tsx';
import { useTrackers } from '../../features/trackers/tracker-list.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { Metrics } from './metrics.tsx';
import { NoTrackers } from './no-trackers.tsx';
import { ProjectShares } from './project-shares.tsx';
import { Proposals } from './proposals.tsx';
import { Suggestions } from './suggestions.tsx';
import { SyncList, SyncListSkeleton } from './sync-list.tsx';

/** Overview screen: similar issues, key metrics, and the syncs of trackers. */
export function OverviewScreen() {
  const trackers = useTrackers();
  const list = trackers.data;
  return (
    <Page aside={<Metrics />}>
      <VerifyNotice />
      <ModelNotice />
      {list?.length === 0 ? <NoTrackers /> : null}
      <Proposals />
      <Suggestions />
      {list?.length === 0 ? null : <ProjectShares />}
      {trackers.isError ? (
        <ErrorState
          error={trackers.error}
          title="Error: Failed to fetch trackers"
          onRetry={() => void trackers.refetch()}
          retrying={trackers.isFetching}
        />
      ) : null}
      {list === undefined ? trackers.isError ? null : <SyncListSkeleton /> : <SyncList trackers={list} />}
    </Page>
  );
}
