import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../schema/tables.ts';
import { carriesMarker, withMarker } from '../comment-marker.ts';
import {
  type Connection,
  type IssueTarget,
  type Provider,
  type ProviderIssue,
  type ProviderProject,
  TrackerError,
} from '../provider.ts';
import { sampleOrganization, sampleProjects } from './backlog/projects.ts';
import { toComment, toIssue } from './map.ts';
import { PAGE_SIZE, pageOf, parsePlace } from './place.ts';
import * as store from './store.ts';

/** Who the sample's tracker thinks we are. */
export const SAMPLE_LOGIN = 'you';

/**
 * The sample backlog behind the port: a tracker that lives in our own database, filled by `seedSampleBacklog`. Its
 * issues have no address outside the console (`url` is empty).
 * @throws {TypeError} when the connection is not that of a stored tracker.
 */
export function createSampleProvider(options: { connection: Connection; db: Db; clock: Clock }): Provider {
  const { db, clock } = options;
  const { accountId, trackerId } = options.connection;
  if (trackerId === null) throw new TypeError('A sample backlog belongs to a stored tracker.');
  const owner: store.SampleOwner = { accountId, trackerId };

  async function changeState(
    target: IssueTarget,
    values: { state: 'open' | 'closed'; state_reason: string; duplicate_of: string | null },
    signal: AbortSignal,
  ): Promise<ProviderIssue> {
    signal.throwIfAborted();
    return store.write(db, owner, clock.now(), async (transaction, at) => {
      const { identifier } = target.project;
      const number = numberOf(target);
      const before = await store.findIssue(transaction, owner, identifier, number);
      if (!before) throw gone(target);
      const closedAt = values.state === 'open' ? null : (before.closed_at ?? at);
      const changed = { ...values, closed_at: closedAt, updated_at: at };
      await store.updateIssue(transaction, owner, identifier, number, changed);
      return toIssue(target.project, { ...before, ...changed });
    });
  }

  return {
    type: 'sample',

    async check(signal) {
      signal.throwIfAborted();
      return { login: SAMPLE_LOGIN, missingPermissions: [], tellsWriting: true };
    },

    async organizations(signal) {
      signal.throwIfAborted();
      return [{ identifier: sampleOrganization.identifier, name: sampleOrganization.name }];
    },

    async projects(organizationIdentifier, signal) {
      signal.throwIfAborted();
      if (organizationIdentifier !== sampleOrganization.identifier) {
        throw new TrackerError(
          'not_found',
          `The sample backlog has no organization ${organizationIdentifier}.`,
        );
      }
      return sampleProjects.map(({ identifier, name }) => ({ externalId: identifier, identifier, name }));
    },

    async issues(project, cursor, signal) {
      signal.throwIfAborted();
      requireProject(project);
      const place = parsePlace(cursor);
      const rows = await store.listIssues(db, owner, project.identifier, place, PAGE_SIZE);
      const total = await store.countIssues(db, owner, project.identifier, place);
      signal.throwIfAborted();
      const items = rows.map((row) => toIssue(project, row));
      return pageOf(items, place, total);
    },

    async comments(project, cursor, signal) {
      signal.throwIfAborted();
      requireProject(project);
      const place = parsePlace(cursor);
      const rows = await store.listComments(db, owner, project.identifier, place, PAGE_SIZE);
      const total = await store.countComments(db, owner, project.identifier, place);
      signal.throwIfAborted();
      const items = rows.map(toComment);
      return pageOf(items, place, total);
    },

    async issue(target, signal) {
      signal.throwIfAborted();
      const row = await store.findIssue(db, owner, target.project.identifier, numberOf(target));
      return row === undefined ? null : toIssue(target.project, row);
    },

    async comment(target, body, marker, signal) {
      signal.throwIfAborted();
      return store.write(db, owner, clock.now(), async (transaction, at) => {
        const place = { project: target.project.identifier, number: numberOf(target) };
        const values = { updated_at: at };
        const known = await store.updateIssue(transaction, owner, place.project, place.number, values);
        if (!known) throw gone(target);
        return store.insertComment(transaction, owner, {
          ...place,
          author: SAMPLE_LOGIN,
          body: withMarker(body, marker),
          at,
        });
      });
    },

    async findComment(target, marker, postedAfter, signal) {
      signal.throwIfAborted();
      const { identifier } = target.project;
      const comments = await store.commentsOf(db, owner, identifier, numberOf(target), postedAfter);
      return comments.find(({ body }) => carriesMarker(body, marker))?.id ?? null;
    },

    async deleteComment(target, commentExternalId, signal) {
      signal.throwIfAborted();
      const { identifier } = target.project;
      const number = numberOf(target);
      await store.write(db, owner, clock.now(), async (transaction, at) => {
        const deleted = await store.deleteComment(transaction, owner, identifier, number, commentExternalId);
        if (deleted) await store.updateIssue(transaction, owner, identifier, number, { updated_at: at });
      });
    },

    closeAsDuplicate(target, original, signal) {
      const values =
        original === null
          ? ({ state: 'closed', state_reason: 'not_planned', duplicate_of: null } as const)
          : ({ state: 'closed', state_reason: 'duplicate', duplicate_of: original.key } as const);
      return changeState(target, values, signal);
    },

    reopen(target, signal) {
      return changeState(target, { state: 'open', state_reason: 'reopened', duplicate_of: null }, signal);
    },
  };
}

function numberOf(target: IssueTarget): number {
  const number = Number(target.externalId);
  return Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : 0;
}

function requireProject(project: ProviderProject): void {
  if (sampleProjects.some(({ identifier }) => identifier === project.identifier)) return;
  throw new TrackerError('not_found', `The sample backlog has no project ${project.identifier}.`);
}

function gone(target: IssueTarget): TrackerError {
  return new TrackerError('not_found', `The sample backlog no longer has the issue ${target.key}.`);
}
