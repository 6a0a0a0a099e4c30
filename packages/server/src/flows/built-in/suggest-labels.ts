import { onIssue } from './action.ts';
import { earlierSuggestions } from './earlier-suggestions.ts';
import { likelyLabels } from './neighbour-suggestions.ts';
import { neighboursOf } from './neighbours.ts';
import { isCompared } from './wait-for-results.ts';

/** Adds labels that most similar issues in the project have. Suggests each label only once. */
export const suggestLabels = onIssue(async (context, issue) => {
  const { tools } = context;
  if (!(await isCompared(context, issue))) {
    return `${issue.key} could not be compared with the other issues in time.`;
  }
  const neighbours = await neighboursOf(context, issue);
  if (neighbours === null) return 'This flow may not search for similar issues.';
  const before = (await earlierSuggestions(context, issue.id)).flatMap(({ action, after }) =>
    action === 'change_labels' ? (after.labels ?? []) : [],
  );
  const labels = likelyLabels(issue.labels, neighbours).filter((label) => !before.includes(label));
  if (labels.length === 0) return `No labels to suggest for ${issue.key}.`;
  const reason = 'Most similar issues in this project have it.';
  const input = { issue: issue.id, add_labels: labels, reason };
  const written = await tools.write('update_issue', input, issue.id);
  const said = `Most issues similar to ${issue.key} are labeled ${labels.join(', ')}.`;
  return written === null ? `${said} This flow may not update issues.` : said;
});
