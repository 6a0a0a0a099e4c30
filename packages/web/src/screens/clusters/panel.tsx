import { Button } from '@mantine/core';
import { IconCircleOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Cluster } from '@winnow/contract/cluster';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../../api/session/api-error.ts';
import { clusterOptions } from '../../features/clusters/queries.ts';
import { PermissionGate } from '../../features/workspaces/permission.tsx';
import { KeyCap } from '../../ui/keyboard/key-cap.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../ui/states/skeletons.tsx';
import { ClusterDetails } from './details/cluster-details.tsx';
import classes from './panel.module.css';
import type { Act } from './use-cluster-actions.tsx';
import type { MemberWalk } from './use-member-walk.ts';

const SKELETON_WIDTHS = ['64%', '92%', '78%', '88%', '40%', '84%', '72%'];

/** Placeholder for the details of a cluster while they load. */
export function DetailsSkeleton() {
  return (
    <Loading label="Loading the cluster">
      <div className={classes.skeleton}>
        {SKELETON_WIDTHS.map((width) => (
          <TextSkeleton key={width} width={width} />
        ))}
      </div>
    </Loading>
  );
}

/** Buttons that act on the whole cluster, with their keyboard shortcuts. */
export function ClusterButtons(props: { cluster: Cluster; onAct: Act; children?: ReactNode }) {
  const { cluster, onAct, children } = props;
  const isOpen = cluster.status !== 'decided' && cluster.status !== 'dismissed';
  return (
    <div className={classes.buttons}>
      <PermissionGate needs="write">
        {isOpen ? (
          <>
            {cluster.open_issues < 2 ? null : (
              <Button
                variant="filled"
                rightSection={<KeyCap>r</KeyCap>}
                onClick={() => onAct(cluster, { kind: 'resolve' })}
              >
                Resolve
              </Button>
            )}
            <Button
              rightSection={<KeyCap>d</KeyCap>}
              onClick={() => onAct(cluster, { kind: 'decide', decision: 'decided' })}
            >
              Mark as decided
            </Button>
            <Button
              rightSection={<KeyCap>e</KeyCap>}
              onClick={() => onAct(cluster, { kind: 'decide', decision: 'dismissed' })}
            >
              Dismiss
            </Button>
          </>
        ) : (
          <Button
            rightSection={<KeyCap>e</KeyCap>}
            onClick={() => onAct(cluster, { kind: 'decide', decision: 'to_decide' })}
          >
            Open again
          </Button>
        )}
        <Button rightSection={<KeyCap>i</KeyCap>} onClick={() => onAct(cluster, { kind: 'include' })}>
          Include
        </Button>
        <Button rightSection={<KeyCap>m</KeyCap>} onClick={() => onAct(cluster, { kind: 'merge' })}>
          Merge
        </Button>
      </PermissionGate>
      {children}
    </div>
  );
}

/** Explains that a cluster has ended. Its URL may be a bookmark or a shared link. */
function EndedCluster() {
  return (
    <EmptyState
      icon={IconCircleOff}
      title="This cluster has ended"
      action={
        <Link className="link" to="/console/issues/clusters">
          All clusters
        </Link>
      }
    >
      Its issues are in other clusters or in none.
    </EmptyState>
  );
}

export type ClusterPanelProps = {
  clusterId: string;
  /**
   * Position in the list, such as `2 of 31`. Undefined if the cluster is not on the current page of
   * the list.
   */
  position: string | undefined;
  walk: MemberWalk;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  onAct: Act;
};

/** Panel that displays the selected cluster. */
export function ClusterPanel({ clusterId, position, walk, onAct, ...steps }: ClusterPanelProps) {
  const { data, error, refetch, isFetching } = useQuery(clusterOptions(clusterId));
  const hasEnded = error instanceof ApiError && error.code === 'not_found';
  const cluster = hasEnded ? undefined : data;
  return (
    <SidePanel
      title="Cluster Details"
      itemName="cluster"
      {...(position === undefined ? {} : { position })}
      {...steps}
      footer={cluster === undefined ? undefined : <ClusterButtons cluster={cluster} onAct={onAct} />}
    >
      {hasEnded ? <EndedCluster /> : null}
      {error === null || hasEnded ? null : (
        <div className={classes.failed}>
          <ErrorState
            error={error}
            title={
              cluster === undefined
                ? 'This cluster could not be shown'
                : 'This cluster could not be brought up to date'
            }
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        </div>
      )}
      {cluster === undefined && error === null ? <DetailsSkeleton /> : null}
      {cluster === undefined ? null : <ClusterDetails cluster={cluster} walk={walk} onAct={onAct} />}
    </SidePanel>
  );
}
