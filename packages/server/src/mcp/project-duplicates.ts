import { SIMILARITY } from '@winnow/contract/duplicate';
import { findProject, namedIssue, type ToolServices } from '../agent-tools/index.ts';

/** Maximum number of pairs returned. */
const MAX_PAIRS = 50;

/**
 * Lists pairs of open issues in a project that are likely duplicates, with their verdicts. Only
 * unresolved pairs are listed, most probable first.
 * @throws {AppError} `invalid` if the project does not exist
 */
export async function listProjectDuplicates(
  { duplicates, issues, verdicts }: ToolServices,
  accountId: string,
  project: string,
): Promise<object> {
  const { id: projectId } = await findProject(issues, { accountId }, project);
  const { pairs, total } = await duplicates.list(accountId, {
    project_ids: [projectId],
    status: 'opened',
    standing: 'to_decide',
    resolution: 'unresolved',
    similarity_threshold: SIMILARITY.stored,
    probability_threshold: 0,
    above_mark: true,
    order_by: 'probability',
    one_per_series: true,
    scope: 'project',
    dismissed: false,
    limit: MAX_PAIRS,
  });
  const named = pairs.map(({ first, second }) => ({ issue1_id: first.id, issue2_id: second.id }));
  const judged = named.length === 0 ? [] : await verdicts.check(accountId, named, { budget: null });
  const left = total - pairs.length;
  return {
    total,
    ...(left > 0
      ? { notice: `${left} more pairs are not shown. find_similar finds those of an issue.` }
      : {}),
    pairs: pairs.map(({ row, first, second }, index) => ({
      similarity: row.similarity,
      probability: row.probability,
      issues: [first, second].map((issue) => ({ ...namedIssue(issue), title: issue.title, url: issue.url })),
      verdict: judged[index]?.decision,
      reason: judged[index]?.reason ?? '',
      judged_by: judged[index]?.ai_model_name,
      ...(judged[index]?.stale ? { stale: true } : {}),
    })),
  };
}
