import { AppError, invalid } from '../../platform/errors.ts';
import { agentCluster, excerptOf, MAX_EXCERPT_CHARS, namedIssue } from '../present.ts';
import type { RunTool } from '../tool.ts';

/** Maximum number of members returned, and of facts returned per member. */
const MAX_SHOWN = { members: 50, facts: 5 } as const;

export const getCluster: RunTool<'get_cluster'> = async ({ clusters }, { accountId }, input) => {
  const { view, members, cohesion } = await clusters
    .detail(accountId, input.cluster_id)
    .catch(clusterNotFound);
  const named = new Map(members.map(({ issue }) => [issue.id, namedIssue(issue)]));
  const { weakest } = cohesion;
  const [issue, other] = [named.get(weakest?.a ?? ''), named.get(weakest?.b ?? '')];
  const isLinked = weakest !== null && issue !== undefined && other !== undefined;
  return {
    ...agentCluster(view),
    ...(view.canonical === null ? {} : { canonical_reasons: view.canonical.reasons }),
    members: members.slice(0, MAX_SHOWN.members).map(({ issue: member, adds }) => ({
      ...namedIssue(member),
      title: member.title,
      state: member.state,
      ...(adds.length === 0
        ? {}
        : {
            adds: adds
              .slice(0, MAX_SHOWN.facts)
              .map(({ kind, quote }) => ({ kind, quote: excerptOf(quote, MAX_EXCERPT_CHARS.step) })),
          }),
    })),
    ...(isLinked ? { weakest_link: { issue, other, probability: weakest.probability } } : {}),
  };
};

/** Rethrows an error. Replaces `not_found` by an error that explains how to find a cluster. */
export function clusterNotFound(error: unknown): never {
  if (!(error instanceof AppError) || error.category !== 'not_found') throw error;
  const message = 'Cluster not found. Find its id with list_clusters.';
  throw invalid([{ path: 'cluster_id', message }]);
}
