import { findIssue, findProjectIds } from '../lookups.ts';
import { agentIssue, fallbackNotice } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const findSimilar: RunTool<'find_similar'> = async (services, caller, input) => {
  const { accountId, budget } = caller;
  const issue = await findIssue(services.issues, caller, input.issue);
  const projectIds =
    input.projects === undefined ? null : await findProjectIds(services.issues, caller, input.projects);
  const filter = { createdBefore: null, status: input.status, projectIds, limit: input.limit };
  const { results } = await services.similar.findSimilar(accountId, issue, filter);
  if (results.length === 0) return { results: [] };
  const pairs = results.map((result) => ({ issue1_id: issue.id, issue2_id: result.issue.id }));
  const verdicts = await services.verdicts.check(accountId, pairs, { budget });
  return {
    results: results.map((result, index) => {
      const verdict = verdicts[index];
      return {
        issue: agentIssue(result.issue, input.fields),
        similarity: result.similarity,
        ...(verdict?.probability == null ? {} : { probability: verdict.probability }),
        ...(verdict === undefined ? {} : { verdict: verdict.decision, reason: verdict.reason }),
        ...(verdict === undefined || verdict.decision === 'checking'
          ? {}
          : { judged_by: verdict.ai_model_name, ...fallbackNotice(verdict.instead_of) }),
        ...(verdict?.stale ? { stale: true } : {}),
      };
    }),
  };
};
