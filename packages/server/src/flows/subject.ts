import type { FlowRun, TriggerEvent } from '@winnow/contract/flow';
import type { Issues } from '../issues/service.ts';
import { AppError, invalid } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { factsOfEvent, triggerEventOnIssue, triggerEventWithoutIssue } from './facts.ts';

/** What somebody names for a flow to be run or tried out on: an issue, an event that has been, or neither. */
export type NamedSubject = Pick<FlowRun, 'issue_key' | 'event'>;

export interface SubjectOptions {
  db: Db;
  issues: Pick<Issues, 'find' | 'projectNames'>;
  now: () => Date;
}

/**
 * What starts a flow on that. Where nothing is named it is about `projectId` alone, if that is still there.
 *
 * @throws {AppError} 422 at the field that names what is not there, and where both are named.
 */
export async function subjectOf(
  { db, issues, now }: SubjectOptions,
  accountId: string,
  { issue_key: key, event: eventId }: NamedSubject,
  projectId: string | null,
): Promise<TriggerEvent> {
  if (eventId !== undefined && key !== undefined) {
    throw invalid([{ path: 'issue_key', message: 'Name an issue or an event, not both.' }]);
  }
  if (eventId !== undefined) {
    const facts = await factsOfEvent(db, accountId, eventId);
    if (!facts) throw invalid([{ path: 'event', message: 'There is no such event any more.' }]);
    return facts.event;
  }
  if (key !== undefined) {
    const issue = await issues.find(accountId, key).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.status !== 404) throw error;
      throw invalid([{ path: 'issue_key', message: `There is no issue ${key} here.` }]);
    });
    return triggerEventOnIssue(issue, now());
  }
  const projects = projectId === null ? [] : await issues.projectNames(accountId);
  return triggerEventWithoutIssue(null, projects.find(({ id }) => id === projectId) ?? null, now());
}
