import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../schema/tables.ts';
import { type Connection, type Provider, type ProviderProject, TrackerError } from '../provider.ts';
import { sampleOrganization, sampleProjects } from './backlog/projects.ts';
import { toComment, toIssue } from './map.ts';
import { PAGE_SIZE, pageOf, parseCursor } from './page-cursor.ts';
import * as store from './store.ts';
import { issueNotFound, issueRefOf, numberOf, SAMPLE_LOGIN, sampleWrites } from './writes.ts';

/**
 * Creates the provider for the sample backlog, a tracker stored in our own database and filled by
 * `seedSampleBacklog`. Its issues have no URL, since only the console shows them.
 * @throws {TypeError} if the connection does not belong to a stored tracker
 */
export function createSampleProvider(options: { connection: Connection; db: Db; clock: Clock }): Provider {
  const { db, clock } = options;
  const { accountId, trackerId } = options.connection;
  if (trackerId === null) throw new TypeError('A sample backlog belongs to a stored tracker.');
  const owner: store.SampleOwner = { accountId, trackerId };

  return {
    type: 'sample',
    commentsMoveIssues: false,
    rateLimitUse: () => ({ requests: 0, hourlyLimit: null }),

    async check(signal) {
      signal.throwIfAborted();
      return { login: SAMPLE_LOGIN, missingPermissions: [], reportsWriteAccess: true };
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
      return listedProjects();
    },

    async issues(project, cursor, signal) {
      signal.throwIfAborted();
      requireProject(project);
      const position = parseCursor(cursor);
      const rows = await store.listIssues(db, owner, project.identifier, position, PAGE_SIZE);
      const total = await store.countIssues(db, owner, project.identifier, position);
      signal.throwIfAborted();
      const items = rows.map((row) => toIssue(project, row));
      return pageOf(items, position, total);
    },

    async comments(project, cursor, signal) {
      signal.throwIfAborted();
      requireProject(project);
      const position = parseCursor(cursor);
      const rows = await store.listComments(db, owner, project.identifier, position, PAGE_SIZE);
      const total = await store.countComments(db, owner, project.identifier, position);
      signal.throwIfAborted();
      const items = rows.map(toComment);
      return pageOf(items, position, total);
    },

    async issue(target, signal) {
      signal.throwIfAborted();
      const row = await store.findIssue(db, owner, target.project.identifier, numberOf(target));
      return row === undefined ? null : toIssue(target.project, row);
    },

    async project(project, signal) {
      signal.throwIfAborted();
      return listedProjects().find(({ externalId }) => externalId === project.externalId) ?? null;
    },

    async expectWritable(_target, _write, signal) {
      signal.throwIfAborted();
    },

    async count(project, signal) {
      signal.throwIfAborted();
      return store.countIssues(db, owner, project.identifier, null);
    },

    async externalIds(project, _cursor, signal) {
      signal.throwIfAborted();
      const numbers = await store.issueNumbers(db, owner, project.identifier);
      return { items: numbers.map(String), cursor: '', done: true, total: numbers.length };
    },

    async links(target, signal) {
      signal.throwIfAborted();
      const row = await store.findIssue(db, owner, target.project.identifier, numberOf(target));
      if (!row) throw issueNotFound(target);
      const { blocks, blockedBy } = await store.linksOf(db, owner, issueRefOf(target));
      const key = ({ project, number }: store.SampleIssueRef) => `${project}#${number}`;
      return [
        ...(row.duplicate_of === null ? [] : [{ kind: 'duplicates' as const, key: row.duplicate_of }]),
        ...blockedBy.map((other) => ({ kind: 'blocked_by' as const, key: key(other) })),
        ...blocks.map((other) => ({ kind: 'blocks' as const, key: key(other) })),
      ];
    },

    async assignableUsers(project, query, signal) {
      signal.throwIfAborted();
      const people = await store.peopleOf(db, owner, project.identifier);
      return [...new Set([SAMPLE_LOGIN, ...people])]
        .filter((login) => login.toLowerCase().startsWith(query.toLowerCase()))
        .map((login) => ({ externalId: login, login, name: login }));
    },

    webhooks: null,
    ...sampleWrites({ db, clock, owner }),
  };
}

function listedProjects(): ProviderProject[] {
  return sampleProjects.map(({ identifier, name }) => ({ externalId: identifier, identifier, name }));
}

function requireProject(project: ProviderProject): void {
  if (sampleProjects.some(({ identifier }) => identifier === project.identifier)) return;
  throw new TrackerError('not_found', `The sample backlog has no project ${project.identifier}.`);
}
