import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCurrentUser } from '../../features/account/current-user.ts';
import { clusterListOptions } from '../../features/clusters/queries.ts';
import { FiltersDialog } from '../../features/issues/filters/filters-dialog.tsx';
import { projectSegment } from '../../features/issues/project-segment.ts';
import { useProjects } from '../../features/issues/queries.ts';
import { useTrackers } from '../../features/trackers/tracker-list.ts';
import { type ScreenNavigation, useScreenSearch } from '../../ui/address/use-screen-search.ts';
import { Card } from '../../ui/card.tsx';
import { ListSkeleton } from '../../ui/data-list/data-list.tsx';
import { KeyHints } from '../../ui/keyboard/key-hints.tsx';
import { isUnderDialog, useScreenKeys } from '../../ui/keyboard/screen-keys.ts';
import { useListedShortcuts } from '../../ui/keyboard/shortcuts.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { BulkDialog } from './bulk/bulk-dialog.tsx';
import { undoLastChange } from './cluster-actions.ts';
import { ClusterList } from './list/cluster-list.tsx';
import { FilterBar } from './list/filter-bar.tsx';
import { ProbabilityField } from './list/probability-field.tsx';
import { ClusterPanel } from './panel.tsx';
import { ReviewMode } from './review/review-mode.tsx';
import { newSession, useReviewSession } from './review/session.ts';
import {
  CLUSTER_STATUS_LABELS,
  type ClustersSearch,
  listFilters,
  parseSearch,
  type SearchFilters,
  serializeSearch,
  withFilters,
  withoutFilters,
} from './search-params.ts';
import { LIST_SECTION, LIST_SHORTCUTS, mayActOn } from './shortcuts.ts';
import { clusterKeys, useClusterActions } from './use-cluster-actions.tsx';
import { useClusterWalk } from './use-cluster-walk.ts';
import { useMemberWalk } from './use-member-walk.ts';

type ListModeProps = {
  navigation: ScreenNavigation<ClustersSearch>;
  /** True if the user has an interrupted review, which can be continued. */
  interrupted: boolean;
  onReview: () => void;
};

function ListMode({ navigation, interrupted, onReview }: ListModeProps) {
  const { search, go } = navigation;
  const list = useQuery({ ...clusterListOptions(listFilters(search)), placeholderData: keepPreviousData });
  const { data: trackers = [] } = useTrackers();
  const working = trackers.some(({ sync }) => sync.state === 'running' || sync.state === 'queued');
  const walk = useClusterWalk(list.data, navigation);
  const members = useMemberWalk(walk.detail);
  const [filtersOpen, setFiltersOpen] = useState(false);
  const [bulkOpen, setBulkOpen] = useState(false);
  const { act, dialogs } = useClusterActions({
    decided: ({ id }) => walk.leave(id),
    refused: ({ id }) => walk.show(id),
  });
  const change = (filters: Partial<SearchFilters>) => go(withFilters(search, filters));
  const closePanel = () => {
    // A dialog above the panel also closes on Escape. Keep the panel open in this case.
    if (!isUnderDialog()) walk.close();
  };
  useListedShortcuts(LIST_SECTION);
  useScreenKeys(
    {
      j: () => walk.next?.(),
      k: () => walk.previous?.(),
      n: members.next,
      p: members.previous,
      Enter: () => {
        const cluster = walk.shownCluster();
        if (cluster !== null) walk.open(cluster.id);
      },
      ...clusterKeys(walk.shownCluster, members, act),
      z: undoLastChange,
      a: () => setBulkOpen(true),
      b: onReview,
      Escape: closePanel,
    },
    mayActOn,
  );
  return (
    <Page
      width="full"
      footer={<KeyHints shortcuts={LIST_SHORTCUTS} />}
      panel={
        search.selectedCluster === null ? undefined : (
          <ClusterPanel
            clusterId={search.selectedCluster}
            position={walk.position}
            walk={members}
            onPrevious={walk.previous}
            onNext={walk.next}
            onClose={closePanel}
            onAct={act}
          />
        )
      }
    >
      <FilterBar
        search={search}
        onOpenDialog={() => setFiltersOpen(true)}
        onChange={change}
        onClearAll={() => go(withoutFilters(search))}
        interrupted={interrupted}
        onReview={onReview}
        onBulk={() => setBulkOpen(true)}
      />
      <ClusterList
        list={list}
        navigation={navigation}
        walk={walk}
        working={working}
        onDecide={(cluster, decision) => act(cluster, { kind: 'decide', decision })}
      />
      <FiltersDialog
        opened={filtersOpen}
        values={{ projects: search.projects, status: search.status, probability: search.probability }}
        statuses={CLUSTER_STATUS_LABELS}
        statusLabel="Status"
        more={(draft, onChange) => (
          <ProbabilityField
            probability={draft.probability}
            onChange={(probability) => onChange({ probability })}
          />
        )}
        onApply={(values) => {
          setFiltersOpen(false);
          change(values);
        }}
        onClose={() => setFiltersOpen(false)}
      />
      <BulkDialog opened={bulkOpen} projects={search.projects} onClose={() => setBulkOpen(false)} />
      {dialogs}
    </Page>
  );
}

function ClustersOf({ userId }: { userId: string }) {
  const navigation = useScreenSearch(parseSearch, serializeSearch);
  const { search, go } = navigation;
  const { data: projects = [] } = useProjects();
  const [session, setSession] = useReviewSession(userId);
  const startReview = () => {
    if (session === null) {
      const chosen = projects.filter(({ id }) => search.projects.includes(projectSegment(id)));
      const filters = { projects: chosen.map(({ id }) => id), probability: search.probability };
      setSession(newSession(filters, new Date()));
    } else if (session.ended) setSession({ ...session, ended: false });
    go({ ...search, selectedCluster: null, review: true });
  };
  if (search.review && session !== null) {
    return (
      <ReviewMode
        key={session.reviewer}
        session={session}
        onSession={setSession}
        onLeave={() => go({ ...search, review: false })}
      />
    );
  }
  return <ListMode navigation={navigation} interrupted={session !== null} onReview={startReview} />;
}

/**
 * Issue Clusters screen: lists groups of issues that are probably the same, and offers to review
 * them one by one.
 */
export function ClustersScreen() {
  // The key of the stored review contains the user id.
  const { data: user, error, refetch } = useCurrentUser();
  if (user !== undefined) return <ClustersOf userId={user.id} />;
  return (
    <Page width="full">
      {error === null ? (
        <Card>
          <ListSkeleton label="Loading clusters" rows={10} />
        </Card>
      ) : (
        <ErrorState error={error} title="Failed to load clusters." onRetry={() => void refetch()} />
      )}
    </Page>
  );
}
