import { useQueries } from '@tanstack/react-query';
import type { Cluster, ClusterDetail, ClustersResolution } from '@winnow/contract/cluster';
import type { IssueReference } from '@winnow/contract/issue';
import type { PreviewRequest } from '@winnow/contract/preview';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { clusterOptions } from '../../../features/clusters/queries.ts';
import { previewOptions } from '../../../features/write-dialog/preview-options.ts';

/** An issue in the preview of a resolution. The title is empty while it loads. */
export type PlannedIssue = { issue: IssueReference; title: string };

/** A cluster with the preview of its resolution, or the reason why it cannot be resolved. */
export type BulkPlan = {
  cluster: Cluster;
  /**
   * Issues of the resolution and the request for it. Null while the preview loads, or if the
   * cluster cannot be resolved.
   */
  planned: {
    canonical: PlannedIssue;
    closed: PlannedIssue[];
    wanted: ClustersResolution['clusters'][number];
  } | null;
  /** Reason why the cluster cannot be resolved; null if it can. */
  refusal: string | null;
};

function resolutionOf({ id, revision }: Cluster): PreviewRequest {
  return { kind: 'cluster', payload: { cluster_id: id, revision, facts: 'nowhere' } };
}

/**
 * Loads a preview of the resolution of each cluster. `loading` is the number of previews that are
 * still loading.
 */
export function useBulkPlans(clusters: readonly Cluster[]): { plans: BulkPlan[]; loading: number } {
  const previews = useQueries({ queries: clusters.map((each) => previewOptions(resolutionOf(each))) });
  const details = useQueries({ queries: clusters.map(({ id }) => clusterOptions(id)) });
  const plans = clusters.map((cluster, at): BulkPlan => {
    const { data: preview, error, isFetching } = previews[at] ?? {};
    if (error) return { cluster, planned: null, refusal: sentenceOf(error) };
    if (preview === undefined || isFetching === true) return { cluster, planned: null, refusal: null };
    const titled = withTitles(details[at]?.data);
    const closing = preview.steps.filter(({ action }) => action === 'close_as_duplicate');
    const closedIds = new Set(closing.map(({ target_id }) => target_id));
    const closed = preview.issues.filter(({ id }) => closedIds.has(id));
    const canonical = preview.issues.find(({ id }) => !closedIds.has(id));
    if (canonical === undefined)
      return { cluster, planned: null, refusal: 'This cluster has no canonical issue.' };
    const wanted = {
      cluster_id: cluster.id,
      revision: cluster.revision,
      canonical_id: canonical.id,
      member_ids: closed.map(({ id }) => id),
      base_hashes: preview.base_hashes,
    };
    return {
      cluster,
      planned: { canonical: titled(canonical), closed: closed.map(titled), wanted },
      refusal: null,
    };
  });
  return {
    plans,
    loading: plans.filter(({ planned, refusal }) => planned === null && refusal === null).length,
  };
}

function withTitles(detail: ClusterDetail | undefined) {
  const titles = new Map(detail?.members.map(({ issue }) => [issue.id, issue.title]));
  return (issue: IssueReference): PlannedIssue => ({ issue, title: titles.get(issue.id) ?? '' });
}
