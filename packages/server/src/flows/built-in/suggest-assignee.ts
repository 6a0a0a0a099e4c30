import { onIssue } from './action.ts';
import { earlierSuggestions } from './earlier-suggestions.ts';
import { likelyAssignee } from './neighbour-suggestions.ts';
import { neighboursOf } from './neighbours.ts';
import { isCompared } from './wait-for-results.ts';

/**
 * Assigns an unassigned issue to the person who works on most of the similar issues in its project.
 * Suggests an assignee only once.
 */
export const suggestAssignee = onIssue(async (context, issue) => {
  const { tools } = context;
  if (issue.assignees.length > 0) return `${issue.key} is assigned to ${issue.assignees.join(', ')}.`;
  if (issue.state === 'closed') return `${issue.key} is already closed.`;
  if ((await earlierSuggestions(context, issue.id)).some(({ action }) => action === 'assign')) {
    return `An assignee was already suggested for ${issue.key}.`;
  }
  if (!(await isCompared(context, issue))) {
    return `${issue.key} could not be compared with the other issues in time.`;
  }
  const neighbours = await neighboursOf(context, issue);
  if (neighbours === null) return 'This flow may not search for similar issues.';
  const login = likelyAssignee(issue.labels, neighbours);
  if (login === null) return `No one works on most of the issues similar to ${issue.key}.`;
  const reason = 'Works on most of the similar issues in this project.';
  const input = { issue: issue.id, assignees: [login], reason };
  const written = await tools.write('assign_issue', input, issue.id);
  const said = `${login} works on most of the issues similar to ${issue.key}.`;
  return written === null ? `${said} This flow may not assign issues.` : said;
});
