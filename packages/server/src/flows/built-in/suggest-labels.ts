import { onIssue } from './action.ts';
import { likelyLabels } from './by-neighbours.ts';
import { neighboursOf } from './neighbours.ts';
import { suggestedBefore } from './suggested-before.ts';
import { isCompared } from './waiting.ts';

/** Puts on an issue the labels that most of the similar ones in its project have; each is suggested once. */
export const suggestLabels = onIssue(async (context, issue) => {
  const { tools } = context;
  if (!(await isCompared(context, issue))) {
    return `${issue.key} could not be compared with the other issues in time.`;
  }
  const neighbours = await neighboursOf(context, issue);
  if (neighbours === null) return 'The flow may not look for similar issues.';
  const before = (await suggestedBefore(context, issue.id)).flatMap(({ action, after }) =>
    action === 'change_labels' ? (after.labels ?? []) : [],
  );
  const labels = likelyLabels(issue.labels, neighbours).filter((label) => !before.includes(label));
  if (labels.length === 0) return `Similar issues share no label that ${issue.key} lacks.`;
  const reason = 'Most of the similar issues in this project have it.';
  const input = { issue: issue.id, add_labels: labels, reason };
  const written = await tools.write('update_issue', input, issue.id);
  const said = `Issues like ${issue.key} have ${labels.join(', ')}.`;
  return written === null ? `${said} The flow may not update issues.` : said;
});
