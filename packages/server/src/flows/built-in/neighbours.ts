import { findIssues, type IssueView } from '../../issues/service.ts';
import type { ActionContext } from './action.ts';
import type { Neighbour } from './by-neighbours.ts';

/** The nearest that have a say. */
const LOOKED_FOR = 20;

/** The issues of its project that are similar to an issue; null where the flow may not look for them. */
export async function neighboursOf(
  { accountId, db, tools }: ActionContext,
  issue: IssueView,
): Promise<Neighbour[] | null> {
  const answer = await tools.read('find_similar', {
    issue: issue.id,
    projects: [issue.project_id],
    limit: LOOKED_FOR,
    fields: ['labels', 'assignees', 'project'],
  });
  if (answer === null) return null;
  const ids = answer.results.map((result) => result.issue.id);
  const issues = await findIssues(db, accountId, ids);
  return answer.results.flatMap((result) => {
    const other = issues.find(({ id }) => id === result.issue.id);
    if (other === undefined || other.project_id !== issue.project_id) return [];
    return [{ similarity: result.similarity, labels: other.labels, assignees: other.assignees }];
  });
}
