import { IconCheck, IconEye, IconEyeOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Cluster, ClusterDecision, ClusterList as Page } from '@winnow/contract/cluster';
import { emptyReason } from '../../../features/issues/empty-reason.ts';
import { useProjects } from '../../../features/issues/queries.ts';
import { RowKey } from '../../../features/issues/row-key.tsx';
import { probabilityText } from '../../../features/pairs/pair-texts.ts';
import { TrackerIcon } from '../../../features/trackers/tracker-icon.tsx';
import { Meter } from '../../../theme/parts/meter.tsx';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { DataList, listStateOf } from '../../../ui/data-list/data-list.tsx';
import { type Column, RowTitle } from '../../../ui/data-list/data-table.tsx';
import { RowAction } from '../../../ui/data-list/row-action.tsx';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { countText } from '../../../ui/texts/count-text.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { type ClustersSearch, PAGE_SIZE, serializeSearch, withoutFilters } from '../search-params.ts';
import { ClusterBadge } from './cluster-badge.tsx';
import classes from './cluster-table.module.css';
import { EmptyList } from './empty-list.tsx';

/** Maximum number of projects named in a row. Further projects are counted. */
const MAX_PROJECTS_NAMED = 2;

type Decide = (cluster: Cluster, decision: ClusterDecision) => void;

function Actions({ cluster, onDecide }: { cluster: Cluster; onDecide: Decide }) {
  switch (cluster.status) {
    case 'to_decide':
      return (
        <>
          <RowAction label="Mark as decided" icon={IconCheck} onClick={() => onDecide(cluster, 'decided')} />
          <RowAction label="Dismiss" icon={IconEyeOff} onClick={() => onDecide(cluster, 'dismissed')} />
        </>
      );
    case 'decided':
    case 'dismissed':
      return <RowAction label="Open again" icon={IconEye} onClick={() => onDecide(cluster, 'to_decide')} />;
    case 'settled':
      return null;
  }
}

function Places({ cluster: { projects, trackers } }: { cluster: Cluster }) {
  const names = projects.map(({ name }) => name);
  const rest = names.length - MAX_PROJECTS_NAMED;
  const named = names.slice(0, MAX_PROJECTS_NAMED).join(', ');
  const title = `${names.join(', ')} in ${trackers.map(({ name }) => name).join(', ')}`;
  return (
    <span className={classes.placeNames} title={title}>
      {trackers.map(({ id, type }) => (
        <TrackerIcon type={type} size={12} key={id} />
      ))}
      <span className="trunc" dir="auto">
        {rest > 0 ? `${named}, +${rest}` : named}
      </span>
      <span className="vh">{` in ${trackers.map(({ name }) => name).join(', ')}`}</span>
    </span>
  );
}

function columnsOf(hrefOf: (cluster: Cluster) => string, onDecide: Decide): Column<Cluster>[] {
  return [
    {
      id: 'name',
      head: 'Cluster',
      className: classes.name,
      cell: (cluster, { replace }) => (
        <>
          <RowTitle to={hrefOf(cluster)} title={cluster.name} replace={replace} />
          <span className={classes.canonical}>
            {cluster.canonical === null ? (
              'No canonical issue'
            ) : (
              <>
                <RowKey>{cluster.canonical.issue.key}</RowKey>
                <span className={classes.stays}>
                  {cluster.canonical.chosen ? 'chosen to stay open' : 'proposed to stay open'}
                </span>
              </>
            )}
          </span>
        </>
      ),
    },
    {
      id: 'size',
      head: 'Issues',
      className: classes.size,
      cell: ({ size, open_issues: open }) => (
        <>
          <span className={classes.number}>{countText(size)}</span>
          <span className={classes.sub}>{`${countText(open)} open`}</span>
        </>
      ),
    },
    {
      id: 'places',
      head: 'Projects',
      className: classes.places,
      cell: (cluster) => <Places cluster={cluster} />,
    },
    {
      id: 'age',
      head: 'Oldest issue',
      className: classes.age,
      cell: ({ first_created_at: at }) => <RelativeTime at={at} />,
    },
    {
      id: 'engagement',
      head: 'Engagement',
      headTitle: 'Comments and reactions on all issues of the cluster',
      className: classes.engagement,
      cell: ({ engagement }) => countText(engagement),
    },
    {
      id: 'probability',
      head: 'Probability',
      headTitle:
        'Average probability, over all pairs of the cluster, that two issues report the same problem',
      className: classes.probability,
      cell: ({ probability }) => (
        <>
          <span className={classes.number}>{probabilityText(probability)}</span>
          <Meter value={probability} thin />
        </>
      ),
    },
    {
      id: 'cohesion',
      head: 'Cohesion',
      headTitle: 'Probability of the weakest link in the cluster',
      className: classes.cohesion,
      cell: ({ weakest_probability: weakest }) =>
        weakest === null ? (
          <span className={classes.sub} title="Connected only by equal texts, relations or decisions">
            Fixed
          </span>
        ) : (
          probabilityText(weakest)
        ),
    },
    {
      id: 'status',
      head: 'Status',
      className: classes.status,
      cell: (cluster) => <ClusterBadge cluster={cluster} />,
    },
    {
      id: 'actions',
      head: 'Actions',
      className: classes.actions,
      cell: (cluster) => <Actions cluster={cluster} onDecide={onDecide} />,
    },
  ];
}

export type ClusterListProps = {
  list: UseQueryResult<Page>;
  navigation: ScreenNavigation<ClustersSearch>;
  walk: ListWalk;
  /** True while issues are being read or compared. The list may change when this is done. */
  working: boolean;
  onDecide: Decide;
};

function isFiltered(search: ClustersSearch): boolean {
  const shown = { ...search, page: 1, selectedCluster: null };
  return serializeSearch(shown).toString() !== serializeSearch(withoutFilters(search)).toString();
}

/** List of clusters, each with its probability, size, status and actions. */
export function ClusterList({ list, navigation, walk, working, onDecide }: ClusterListProps) {
  const { search, go, hrefFor } = navigation;
  const { data: projects } = useProjects();
  const total = list.data?.total ?? 0;
  const pageHref = (page: number) => hrefFor({ ...search, page, selectedCluster: null });
  return (
    <DataList
      list={listStateOf(list, ({ clusters }) => clusters)}
      label="Clusters"
      loadingLabel="Loading clusters"
      failedTitle="Failed to load clusters."
      skeletonRows={10}
      columns={columnsOf(({ id }) => hrefFor({ ...search, selectedCluster: id }), onDecide)}
      classes={classes}
      walk={walk}
      selectedId={search.selectedCluster}
      onOpen={({ id }) => walk.open(id)}
      empty={
        <EmptyList
          reason={emptyReason({ total, projects: projects?.length, working })}
          status={search.status}
          filtered={isFiltered(search)}
          lastPageHref={pageHref(Math.max(1, Math.ceil(total / PAGE_SIZE)))}
          onClearAll={() => go(withoutFilters(search))}
        />
      }
      pager={{ page: search.page, pageSize: PAGE_SIZE, total, hrefFor: pageHref }}
    />
  );
}
