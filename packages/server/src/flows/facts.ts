import type { TriggerEvent } from '@winnow/contract/flow';
import { nameOfAccount } from '../accounts/index.ts';
import { findIssues, findProject, type IssueView } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import { findEvents, type StreamEvent } from '../tracker-events/index.ts';

/** Facts about an event that filters and templates can use. */
export interface EventFacts {
  event: TriggerEvent;
  /**
   * Current state of the event's issue. Null if the event has no issue, or if the issue was
   * deleted.
   */
  issue: IssueView | null;
  project: { id: string; name: string; identifier: string; tracker_id: string } | null;
  account: { name: string };
}

/**
 * Returns the facts of events by event number. Omits deleted events and those of other accounts.
 */
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

/** Returns the facts of an event; undefined if it was deleted or belongs to another account. */
export async function factsOfEvent(
  db: Db,
  accountId: string,
  eventId: number,
): Promise<EventFacts | undefined> {
  return (await factsOfEvents(db, accountId, [eventId])).get(eventId);
}

/**
 * Returns the facts for the trigger of an execution, with the current issue and the current
 * project.
 */
export async function factsOfTrigger(db: Db, accountId: string, event: TriggerEvent): Promise<EventFacts> {
  const [issue] = event.issue_id === null ? [] : await findIssues(db, accountId, [event.issue_id]);
  const project = event.project_id === null ? undefined : await findProject(db, accountId, event.project_id);
  return {
    event,
    issue: issue ?? null,
    project: project ?? null,
    account: { name: await nameOfAccount(db, accountId) },
  };
}

/** Builds the trigger of a manual run on an issue. */
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

/**
 * Builds the trigger of a scheduled or manual run without an issue. The trigger may have a project.
 */
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
