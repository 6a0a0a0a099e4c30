import type { FlowDefinition, FlowRun, TriggerEvent } from '@winnow/contract/flow';
import {
  ANY_TRACKER,
  findOrganization,
  findProject,
  type Issues,
  type IssueView,
  type KeyScope,
  trackerLabel,
} from '../issues/index.ts';
import { AppError, invalid } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { findTracker } from '../trackers/index.ts';
import { factsOfEvent, triggerEventOnIssue, triggerEventWithoutIssue } from './facts.ts';

/** Subject of a run or a preview: an issue, a past event, or neither. */
export type NamedSubject = Pick<FlowRun, 'issue_key' | 'event'>;

/** The tracker, organization and project that a flow listens to. */
export type ListeningFlow = Pick<
  FlowDefinition,
  'trigger_event_source' | 'trigger_organization_id' | 'trigger_project_id'
>;

export interface SubjectOptions {
  db: Db;
  issues: Pick<Issues, 'findByIdOrKey' | 'projectNames' | 'placesOf'>;
  now: () => Date;
}

/**
 * Builds the trigger for a run on a subject. Without a subject, the trigger contains at most the
 * project of the flow. An issue key is looked up in the tracker of the flow.
 *
 * @throws {AppError} `invalid` if the subject is unknown or in another tracker, or if both an issue
 * and an event are given
 */
export async function subjectOf(
  options: SubjectOptions,
  accountId: string,
  { issue_key: key, event }: NamedSubject,
  flow: ListeningFlow,
): Promise<TriggerEvent> {
  if (event !== undefined && key !== undefined) {
    throw invalid([{ path: 'issue_key', message: 'Name an issue or an event, not both.' }]);
  }
  if (event !== undefined) return subjectOfEvent(options, accountId, event, flow);
  if (key !== undefined) {
    return triggerEventOnIssue(await issueNamed(options, accountId, key, flow), options.now());
  }
  const { trigger_project_id: projectId } = flow;
  const projects = projectId === null ? [] : await options.issues.projectNames(accountId);
  return triggerEventWithoutIssue(null, projects.find(({ id }) => id === projectId) ?? null, options.now());
}

async function subjectOfEvent(
  { db, issues }: SubjectOptions,
  accountId: string,
  eventId: number,
  flow: ListeningFlow,
): Promise<TriggerEvent> {
  const facts = await factsOfEvent(db, accountId, eventId);
  if (!facts) throw invalid([{ path: 'event', message: 'Event not found.' }]);
  const trackerId = await trackerIdOf(db, accountId, flow);
  if (trackerId !== null && facts.project !== null && facts.project.tracker_id !== trackerId) {
    const place = (await issues.placesOf(accountId, [facts.project.id])).get(facts.project.id);
    const where = place === undefined ? 'another tracker' : trackerLabel(place);
    const message = `This event belongs to ${where}. ${await listensTo(db, accountId, trackerId)}`;
    throw invalid([{ path: 'event', message }]);
  }
  return facts.event;
}

async function issueNamed(
  { db, issues }: SubjectOptions,
  accountId: string,
  name: string,
  flow: ListeningFlow,
): Promise<IssueView> {
  const find = (scope: KeyScope) => issues.findByIdOrKey(accountId, name, scope).catch(nullIfMissing);
  const trackerId = await trackerIdOf(db, accountId, flow);
  const found = await find(trackerId === null ? ANY_TRACKER : { type: 'only', trackerId });
  if (found !== null) return found;
  const elsewhere = trackerId === null ? null : await find(ANY_TRACKER);
  const message =
    elsewhere === null || trackerId === null
      ? `Issue ${name} not found.`
      : `${elsewhere.key} belongs to ${trackerLabel(elsewhere)}. ${await listensTo(db, accountId, trackerId)}`;
  throw invalid([{ path: 'issue_key', message }]);
}

/** Returns the tracker that a flow listens to; null if it listens to all trackers. */
async function trackerIdOf(
  db: Db,
  accountId: string,
  { trigger_event_source, trigger_organization_id, trigger_project_id }: ListeningFlow,
): Promise<string | null> {
  if (trigger_event_source !== null) return trigger_event_source;
  const place =
    (trigger_project_id && (await findProject(db, accountId, trigger_project_id))) ||
    (trigger_organization_id && (await findOrganization(db, accountId, trigger_organization_id)));
  return place ? place.tracker_id : null;
}

async function listensTo(db: Db, accountId: string, trackerId: string): Promise<string> {
  const tracker = await findTracker(db, accountId, trackerId);
  return tracker === undefined
    ? 'The tracker of this flow was removed.'
    : `This flow only listens to ${trackerLabel({ tracker_name: tracker.name, tracker_type: tracker.tracker_type })}.`;
}

function nullIfMissing(error: unknown): null {
  if (!(error instanceof AppError) || error.category !== 'not_found') throw error;
  return null;
}
