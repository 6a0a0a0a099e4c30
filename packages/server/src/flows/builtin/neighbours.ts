import type { IssueView } from '../../issues/service.ts';
import type { BuiltinRun } from './action.ts';
import type { Neighbour } from './by-neighbours.ts';

/** The most that the tool finds. */
const LOOKED_FOR = 20;

/** The issues of its project that are similar to an issue; null where the flow may not look for them. */
export async function neighboursOf(
  { accountId, tools, services }: BuiltinRun,
  issue: IssueView,
): Promise<Neighbour[] | null> {
  const answer = await tools.read('find_similar', {
    issue: issue.id,
    limit: LOOKED_FOR,
    fields: ['labels', 'assignees', 'project'],
  });
  if (answer === null) return null;
  const ids = answer.results.map((result) => result.issue.id);
  const issues = await services.issues.findAll(accountId, ids);
  return answer.results.flatMap((result) => {
    const other = issues.find(({ id }) => id === result.issue.id);
    if (other === undefined || other.project_id !== issue.project_id) return [];
    return [{ similarity: result.similarity, labels: other.labels, assignees: other.assignees }];
  });
}
