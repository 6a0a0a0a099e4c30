import type { AgentIssue } from '@winnow/contract/mcp';
import { trackerLabel } from '../../issues/key-scope.ts';
import { findIssues, type IssueView } from '../../issues/service.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Action, ActionContext } from './action.ts';
import { quoted } from './quoted.ts';
import { type Counted, type NamedIssue, readBacklog } from './report-store.ts';
import { areJudged, areScored, isCompared } from './waiting.ts';

const DAYS = 7;
const UNTOUCHED_DAYS = 30;
/** Of what was opened, so many are compared and scored: the newest. */
const LOOKED_AT = 20;
const NAMED = 5;
const COMPARED = 3;

/** Tells what became of a project, of where the flow listens, or of the whole account, within a week. It writes nothing anywhere else. */
export const reportBacklog: Action = async (context) => {
  const { db, accountId, event, area, now } = context;
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS);
  const { open, opened, closed, untouched } = await readBacklog(db, accountId, {
    projectId: event.project_id,
    organizationId: event.project_id === null ? area.organizationId : null,
    trackerId: event.project_id === null ? area.trackerId : null,
    since: ago(DAYS),
    untouchedSince: ago(UNTOUCHED_DAYS),
    openedNamed: LOOKED_AT,
    named: NAMED,
  });
  const duplicates = await likelyDuplicates(context, opened.first);
  const unready = await leastReady(context, opened.first);
  return [
    `## ${event.project ?? area.name ?? 'All projects'}: the last ${DAYS} days`,
    `${numberOf(opened, 'opened')}, ${numberOf(closed, 'closed')}. ${issues(open)} open.`,
    ...section('Opened', opened),
    ...section('Closed', closed),
    ...section(`Open and not touched for ${UNTOUCHED_DAYS} days`, untouched),
    ...list('New and likely duplicates', duplicates),
    ...list('New and least ready to be worked on', unready),
  ].join('\n\n');
};

async function likelyDuplicates(context: ActionContext, opened: readonly NamedIssue[]): Promise<string[]> {
  const lines: string[] = [];
  for (const issue of await findIssues(
    context.db,
    context.accountId,
    opened.map(({ id }) => id),
  )) {
    if (!(await isCompared(context, issue)) || !(await areJudged(context, issue, COMPARED))) continue;
    const answer = await context.tools.read('find_similar', {
      issue: issue.id,
      limit: COMPARED,
      fields: ['title', 'state'],
    });
    const same = answer?.results.find(
      ({ verdict, issue: other }) => verdict === 'duplicate' && other.key !== issue.key,
    );
    if (same) lines.push(`${nameOf(issue)} says the same as ${nameBeside(same.issue, issue)}`);
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
    .slice(0, NAMED)
    .map(({ issue, score }) => `${nameOf(issue)}: ready by ${Math.round(score * 100)}%`);
}

function section(title: string, { total, first }: Counted): string[] {
  const shown = first.slice(0, NAMED).map(nameOf);
  return list(title, total > shown.length ? [...shown, `and ${total - shown.length} more`] : shown);
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`### ${title}`, lines.map((line) => `- ${line}`).join('\n')];
}

function nameOf({ key, title }: Pick<NamedIssue, 'key' | 'title'>): string {
  return `${key} ${quoted(title)}`;
}

/** The key of a similar issue, with its tracker if that is another one. */
function nameBeside({ key, tracker }: AgentIssue, issue: IssueView): string {
  return tracker === trackerLabel(issue) ? key : `${key} in ${tracker}`;
}

function numberOf({ total }: Counted, what: string): string {
  return `${issues(total)} ${what}`;
}

function issues(count: number): string {
  return count === 1 ? '1 issue' : `${count} issues`;
}
