import { findIssues, type IssueView } from '../../issues/index.ts';
import type { ActionContext } from './action.ts';
import type { Neighbour } from './neighbour-suggestions.ts';

/** Maximum number of similar issues requested. */
const MAX_NEIGHBOURS_REQUESTED = 20;

/** Returns similar issues of the same project. Null if the flow may not search for them. */
export async function neighboursOf(
  { accountId, db, tools }: ActionContext,
  issue: IssueView,
): Promise<Neighbour[] | null> {
  const answer = await tools.read('find_similar', {
    issue: issue.id,
    projects: [issue.project_id],
    limit: MAX_NEIGHBOURS_REQUESTED,
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
