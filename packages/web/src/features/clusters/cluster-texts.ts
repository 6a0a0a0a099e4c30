import { countText } from '../../ui/texts/count-text.ts';

/** Formats a number of issues, such as `1 issue` or `3 issues`. */
export function issuesText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'issue' : 'issues'}`;
}

/** Returns the address of the clusters screen with a cluster open in the panel. */
export function clusterAddress(clusterId: string): string {
  return `/console/issues/clusters?selectedCluster=${clusterId}`;
}

/** Returns the address of the issue search, limited to the open and closed issues of a cluster. */
export function searchInClusterAddress(clusterId: string): string {
  return `/console/issues/compliance?status=all&cluster=${clusterId}`;
}
