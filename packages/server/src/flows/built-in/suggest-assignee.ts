import { onIssue } from './action.ts';
import { likelyAssignee } from './by-neighbours.ts';
import { neighboursOf } from './neighbours.ts';
import { suggestedBefore } from './suggested-before.ts';
import { isCompared } from './waiting.ts';

/** Assigns an issue that nobody works on to whoever works on most of the similar ones in its project; once. */
export const suggestAssignee = onIssue(async (context, issue) => {
  const { tools } = context;
  if (issue.assignees.length > 0) return `${issue.key} is assigned to ${issue.assignees.join(', ')}.`;
  if (issue.state === 'closed') return `${issue.key} is closed already.`;
  if ((await suggestedBefore(context, issue.id)).some(({ action }) => action === 'assign')) {
    return `Somebody was suggested for ${issue.key} before.`;
  }
  if (!(await isCompared(context, issue))) {
    return `${issue.key} could not be compared with the other issues in time.`;
  }
  const neighbours = await neighboursOf(context, issue);
  if (neighbours === null) return 'The flow may not look for similar issues.';
  const login = likelyAssignee(issue.labels, neighbours);
  if (login === null) return `Nobody works on most of the issues like ${issue.key}.`;
  const reason = 'Works on most of the similar issues in this project.';
  const input = { issue: issue.id, assignees: [login], reason };
  const written = await tools.write('assign_issue', input, issue.id);
  const said = `${login} works on most of the issues like ${issue.key}.`;
  return written === null ? `${said} The flow may not assign issues.` : said;
});
