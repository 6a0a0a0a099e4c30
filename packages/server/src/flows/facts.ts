import type { TriggerEvent } from '@winnow/contract/flow';
import { nameOfAccount } from '../accounts/service.ts';
import { findIssues, findProject, type IssueView } from '../issues/service.ts';
import type { Db } from '../schema/tables.ts';
import { findEvents, type StreamEvent } from '../tracker-events/service.ts';

/** What filters and templates know of an event. */
export interface EventFacts {
  event: TriggerEvent;
  /** As it is stored now; null where the event is about none, or it is gone. */
  issue: IssueView | null;
  project: { id: string; name: string; identifier: string; tracker_id: string } | null;
  account: { name: string };
}

/** The facts of events of the stream, by their numbers; those that are gone or another account's are left out. */
export async function factsOfEvents(
  db: Db,
  accountId: string,
  eventIds: readonly number[],
): Promise<Map<number, EventFacts>> {
  const rows = await findEvents(db, accountId, eventIds);
  const ids = rows.flatMap(({ issue_id }) => (issue_id === null ? [] : [issue_id]));
  const issues = new Map((await findIssues(db, accountId, ids)).map((issue) => [issue.id, issue]));
  const account = { name: await nameOfAccount(db, accountId) };
  return new Map(
    rows.map((row) => {
      const { project_id, project_name: name, project_identifier: identifier, tracker_id } = row;
      const issue = (row.issue_id === null ? undefined : issues.get(row.issue_id)) ?? null;
      const facts: EventFacts = {
        event: triggerEventOf(row, issue),
        issue,
        project: { id: project_id, name, identifier, tracker_id },
        account,
      };
      return [row.id, facts];
    }),
  );
}

/** The facts of one event of the stream; undefined when it is gone or another account's. */
export async function factsOfEvent(
  db: Db,
  accountId: string,
  eventId: number,
): Promise<EventFacts | undefined> {
  return (await factsOfEvents(db, accountId, [eventId])).get(eventId);
}

/** The facts of what started an execution, with issue and project as they are now. */
export async function factsAbout(db: Db, accountId: string, event: TriggerEvent): Promise<EventFacts> {
  const [issue] = event.issue_id === null ? [] : await findIssues(db, accountId, [event.issue_id]);
  const project = event.project_id === null ? undefined : await findProject(db, accountId, event.project_id);
  return {
    event,
    issue: issue ?? null,
    project: project ?? null,
    account: { name: await nameOfAccount(db, accountId) },
  };
}

/** What starts an execution that somebody runs on an issue. */
export function triggerEventOnIssue(issue: IssueView, now: Date): TriggerEvent {
  return {
    type: null,
    actor: null,
    occurred_at: now.toISOString(),
    project_id: issue.project_id,
    project: issue.project_identifier,
    issue_id: issue.id,
    issue_key: issue.key,
    issue_title: issue.title,
    url: issue.url,
    details: {},
    coalesced: 0,
  };
}

/** What starts an execution that is about nothing but perhaps a project: by the clock, or by hand. */
export function triggerEventWithoutIssue(
  type: TriggerEvent['type'],
  project: { id: string; identifier: string } | null,
  now: Date,
): TriggerEvent {
  return {
    type,
    actor: null,
    occurred_at: now.toISOString(),
    project_id: project?.id ?? null,
    project: project?.identifier ?? null,
    issue_id: null,
    issue_key: null,
    issue_title: null,
    url: null,
    details: {},
    coalesced: 0,
  };
}

function triggerEventOf(row: StreamEvent, issue: IssueView | null): TriggerEvent {
  const { title, url, key, ...details } = row.details;
  return {
    type: row.type,
    actor: row.actor,
    occurred_at: row.occurred_at.toISOString(),
    project_id: row.project_id,
    project: row.project_identifier,
    issue_id: issue?.id ?? null,
    issue_key: issue?.key ?? key ?? null,
    issue_title: issue?.title ?? title ?? null,
    url: url || (issue?.url ?? null),
    details,
    coalesced: 0,
  };
}
