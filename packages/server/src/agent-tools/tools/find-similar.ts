import { findIssue } from '../lookups.ts';
import { agentIssueOf } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const findSimilar: RunTool<'find_similar'> = async (services, { accountId }, input) => {
  const issue = await findIssue(services.issues, accountId, input.issue);
  const filter = { createdBefore: null, status: input.status, limit: input.limit };
  const { results } = await services.similar.find(accountId, issue, filter);
  if (results.length === 0) return { results: [] };
  const pairs = results.map((result) => ({ issue1_id: issue.id, issue2_id: result.issue.id }));
  const ids = results.map((result) => result.issue.id);
  const [verdicts, full] = await Promise.all([
    services.verdicts.check(accountId, pairs),
    services.issues.findAll(accountId, ids),
  ]);
  return {
    results: results.flatMap((result, index) => {
      const verdict = verdicts[index];
      const other = full.find(({ id }) => id === result.issue.id);
      if (!other) return [];
      return {
        issue: agentIssueOf(other, input.fields),
        similarity: result.similarity,
        ...(verdict === undefined ? {} : { verdict: verdict.decision, reason: verdict.reason }),
      };
    }),
  };
};
