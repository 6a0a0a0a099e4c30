import { nextCursor, skipOfCursor } from '../cursor.ts';
import { findProjectIds } from '../lookups.ts';
import { agentCluster } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const listClusters: RunTool<'list_clusters'> = async ({ issues, clusters }, caller, input) => {
  const list = { caller, tool: 'list_clusters', asked: input };
  const skip = skipOfCursor(list, input.cursor);
  const found = await clusters.list(caller.accountId, {
    project_ids: await findProjectIds(issues, caller, input.projects ?? []),
    status: input.status,
    probability_threshold: input.min_probability,
    order_by: 'value',
    limit: input.limit,
    skip,
  });
  const next = nextCursor(list, skip, found.clusters.length, found.total);
  return {
    clusters: found.clusters.map(agentCluster),
    total: found.total,
    ...(next === undefined ? {} : { next_cursor: next }),
  };
};
