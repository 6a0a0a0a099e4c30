import type { AgentIssue } from '@winnow/contract/mcp';
import { findIssues, type IssueView, trackerLabel } from '../../issues/index.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Action, ActionContext } from './action.ts';
import { quote } from './quote.ts';
import { type Counted, type NamedIssue, readBacklog } from './report-store.ts';
import { areJudged, areScored, isCompared } from './wait-for-results.ts';

const REPORT_DAYS = 7;
const UNTOUCHED_DAYS = 30;
/** Maximum number of new issues that are compared and scored, newest first. */
const MAX_NEW_ISSUES_CHECKED = 20;
const MAX_LISTED = 5;
const MAX_SIMILAR_ISSUES = 3;

/**
 * Reports on the last week of a project, of the flow's area, or of the whole account. Writes
 * nothing to trackers.
 */
export const reportBacklog: Action = async (context) => {
  const { db, accountId, event, area, now } = context;
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS);
  const { open, opened, closed, untouched } = await readBacklog(db, accountId, {
    projectId: event.project_id,
    organizationId: event.project_id === null ? area.organizationId : null,
    trackerId: event.project_id === null ? area.trackerId : null,
    since: ago(REPORT_DAYS),
    untouchedSince: ago(UNTOUCHED_DAYS),
    openedNamed: MAX_NEW_ISSUES_CHECKED,
    named: MAX_LISTED,
  });
  const duplicates = await likelyDuplicates(context, opened.first);
  const unready = await leastReady(context, opened.first);
  return [
    `## ${event.project ?? area.name ?? 'All projects'}: the last ${REPORT_DAYS} days`,
    `${numberOf(opened, 'opened')}, ${numberOf(closed, 'closed')}. ${issues(open)} open.`,
    ...section('Opened', opened),
    ...section('Closed', closed),
    ...section(`Open and untouched for ${UNTOUCHED_DAYS} days`, untouched),
    ...list('New issues, likely duplicates', duplicates),
    ...list('New issues, least ready', unready),
  ].join('\n\n');
};

async function likelyDuplicates(context: ActionContext, opened: readonly NamedIssue[]): Promise<string[]> {
  const lines: string[] = [];
  for (const issue of await findIssues(
    context.db,
    context.accountId,
    opened.map(({ id }) => id),
  )) {
    if (!(await isCompared(context, issue)) || !(await areJudged(context, issue, MAX_SIMILAR_ISSUES)))
      continue;
    const answer = await context.tools.read('find_similar', {
      issue: issue.id,
      limit: MAX_SIMILAR_ISSUES,
      fields: ['title', 'state'],
    });
    const same = answer?.results.find(
      ({ verdict, issue: other }) => verdict === 'duplicate' && other.key !== issue.key,
    );
    if (same) lines.push(`${nameOf(issue)} is a duplicate of ${nameBeside(same.issue, issue)}`);
  }
  return lines;
}

async function leastReady(context: ActionContext, opened: readonly NamedIssue[]): Promise<string[]> {
  const ids = opened.map(({ id }) => id);
  if (ids.length === 0 || !(await areScored(context, ids))) return [];
  const answer = await context.tools.read('check_compliance', { issues: ids });
  const scores = (answer?.results ?? []).flatMap(({ issue: scored, score }) => {
    const issue = opened.find(({ id }) => id === scored.id);
    return issue === undefined || score === undefined ? [] : [{ issue, score }];
  });
  return scores
    .sort((one, other) => one.score - other.score)
    .slice(0, MAX_LISTED)
    .map(({ issue, score }) => `${nameOf(issue)}: ${Math.round(score * 100)}% ready`);
}

function section(title: string, { total, first }: Counted): string[] {
  const shown = first.slice(0, MAX_LISTED).map(nameOf);
  return list(title, total > shown.length ? [...shown, `and ${total - shown.length} more`] : shown);
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`### ${title}`, lines.map((line) => `- ${line}`).join('\n')];
}

function nameOf({ key, title }: Pick<NamedIssue, 'key' | 'title'>): string {
  return `${key} ${quote(title)}`;
}

/**
 * Returns the key of a similar issue. Appends its tracker if that is not the tracker of `issue`.
 */
function nameBeside({ key, tracker }: AgentIssue, issue: IssueView): string {
  return tracker === trackerLabel(issue) ? key : `${key} in ${tracker}`;
}

function numberOf({ total }: Counted, what: string): string {
  return `${issues(total)} ${what}`;
}

function issues(count: number): string {
  return count === 1 ? '1 issue' : `${count} issues`;
}
