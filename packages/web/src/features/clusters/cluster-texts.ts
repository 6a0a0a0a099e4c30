import { countText } from '../../ui/texts/count-text.ts';

/** Counts issues, such as `1 issue` or `3 issues`. */
export function issuesText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'issue' : 'issues'}`;
}

/** Returns the address of the screen with a cluster open in the panel. */
export function clusterAddress(clusterId: string): string {
  return `/console/issues/clusters?selectedCluster=${clusterId}`;
}

/** Returns the address of the issue search limited to a cluster, open and closed issues alike. */
export function searchInClusterAddress(clusterId: string): string {
  return `/console/issues/compliance?status=all&cluster=${clusterId}`;
}
