import type { ClusterDetail } from '@winnow/contract/cluster';
import { useState } from 'react';

/** Keyboard navigation between the issues of the displayed cluster. */
export type MemberWalk = {
  /** Id of the current issue; null until the user moves to one. */
  currentId: string | null;
  next: () => void;
  previous: () => void;
  /** Makes the given issue the current one. */
  go: (issueId: string) => void;
};

/**
 * Navigates between the issues of a cluster. When another cluster is displayed, no issue is
 * current.
 */
export function useMemberWalk(cluster: ClusterDetail | undefined): MemberWalk {
  const [place, setPlace] = useState<{ clusterId: string; issueId: string } | null>(null);
  const ids = cluster?.members.map(({ issue }) => issue.id) ?? [];
  const isHere = place !== null && place.clusterId === cluster?.id && ids.includes(place.issueId);
  const currentId = isHere ? place.issueId : null;
  const go = (issueId: string | undefined) => {
    if (cluster !== undefined && issueId !== undefined) setPlace({ clusterId: cluster.id, issueId });
  };
  const at = currentId === null ? -1 : ids.indexOf(currentId);
  return {
    currentId,
    next: () => go(ids[Math.min(at + 1, ids.length - 1)]),
    previous: () => go(ids[Math.max(at - 1, 0)]),
    go,
  };
}
