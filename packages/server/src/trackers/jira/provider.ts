import { z } from 'zod';
import type { Connection, IssueTarget, Provider, ProviderProject } from '../provider.ts';
import { readAs } from '../rest/read.ts';
import { jiraAddress } from './address.ts';
import { createJiraClient, type JiraClientOptions } from './client.ts';
import {
  CLOCK_DIFFERENCE_MS,
  commentsOf,
  findMarked,
  hasMarker,
  postComment,
  removeComment,
} from './comments.ts';
import { createIssue, MARKER_PROPERTY, oneLine, requireLabels } from './create.ts';
import { cloudDialect, dataCenterDialect } from './dialect.ts';
import { listIds } from './external-ids.ts';
import { checkToken, listOrganizations, listProjects } from './identity.ts';
import { createIssues } from './issues.ts';
import { addLink, linksTo, removeLink, requireWording } from './links.ts';
import { walk } from './listing.ts';
import { atOrBefore } from './local-time.ts';
import { ISSUE_FIELDS, linksOf, projectOf, wireIssue, wireProject } from './map.ts';
import { assigneeId, searchUsers } from './people.ts';
import { countIssues, searchAll } from './search.ts';
import { createSite, get, issuePath, orNull, projectClause, projectSubject, subjectOf } from './site.ts';
import { closeIssue, closeIssueAsDuplicate, expectClosable, reopenIssue } from './status-changes.ts';

export type JiraProviderOptions = Omit<JiraClientOptions, 'address' | 'username' | 'token'> & {
  connection: Connection;
};

const PAGE_SIZE = 100;
/**
 * Page size for comments. It is smaller than the page size for issues, because comments are longer.
 */
const COMMENTS_PAGE_SIZE = 50;

/**
 * Creates the provider for Jira Cloud or Data Center.
 * @throws {TrackerError} `invalid` if the connection's address is invalid
 */
export function createJiraProvider({ connection, ...options }: JiraProviderOptions): Provider {
  const address = jiraAddress(connection.url, connection.username);
  const client = createJiraClient({
    ...options,
    address,
    username: connection.username,
    token: connection.apiKey,
  });
  const dialect = address.isCloud ? cloudDialect : dataCenterDialect;
  const site = createSite({ address, client, dialect, clock: options.clock });
  const issues = createIssues(site);
  const { mapped } = issues;

  async function put(target: IssueTarget, body: object, signal: AbortSignal): Promise<void> {
    await client.call({ method: 'PUT', path: issuePath(target), body, subject: subjectOf(target) }, signal);
  }

  async function count(project: ProviderProject, signal: AbortSignal): Promise<number | null> {
    return countIssues(site, project, projectClause(project, address.name), signal);
  }

  return {
    type: 'jira',
    commentsMoveIssues: true,
    rateLimitUse: () => client.rateLimitUse(),
    webhooks: null,

    check: (signal) => checkToken(site, signal),

    organizations: (signal) => listOrganizations(site, signal),

    projects: (organizationIdentifier, signal) => listProjects(site, organizationIdentifier, signal),

    async project(project, signal) {
      const path = `/project/${encodeURIComponent(project.externalId)}`;
      const wire = await orNull(get(site, wireProject, { path, subject: projectSubject(project) }, signal));
      return wire === null ? null : projectOf(wire);
    },

    async issues(project, cursor, signal) {
      const read = (wire: unknown) => [
        mapped(readAs(wireIssue, wire, address.name, projectSubject(project))),
      ];
      const page = await walk(site, { project, fields: ISSUE_FIELDS, size: PAGE_SIZE, read }, cursor, signal);
      const total = cursor === null ? (page.total ?? (await count(project, signal))) : null;
      return { ...page, total };
    },

    async comments(project, cursor, signal) {
      const listing = {
        project,
        fields: ['updated', 'comment'],
        size: COMMENTS_PAGE_SIZE,
        read: (wire: unknown) => commentsOf(site, wire, signal),
      };
      return { ...(await walk(site, listing, cursor, signal)), total: null };
    },

    async issue(target, signal) {
      const wire = await orNull(issues.get(target, signal));
      if (wire === null) return null;
      return { ...mapped(wire), nativeDescription: JSON.stringify(wire.fields.description ?? null) };
    },

    async expectWritable(target, write, signal) {
      signal.throwIfAborted();
      if (write === 'close') await expectClosable(issues, target, signal);
    },

    count,

    externalIds: (project, cursor, signal) => listIds(site, project, cursor, signal),

    links: async (target, signal) => linksOf((await issues.get(target, signal)).fields.issuelinks),

    assignableUsers: (project, query, signal) => searchUsers(site, project, query, signal),

    comment: (target, body, marker, signal) => postComment(site, target, body, marker, signal),

    findComment: (target, marker, postedAfter, signal) =>
      findMarked(site, target, marker, postedAfter, signal),

    deleteComment: (target, commentId, signal) => removeComment(site, target, commentId, signal),

    closeAsDuplicate: (target, original, signal) => closeIssueAsDuplicate(issues, target, original, signal),
    close: (target, reason, signal) => closeIssue(issues, target, reason, signal),

    reopen: (target, signal) => reopenIssue(issues, target, signal),

    async edit(target, { title, description, nativeDescription }, signal) {
      const wire = await issues.get(target, signal);
      const before = mapped(wire);
      const original: unknown =
        nativeDescription === undefined ? wire.fields.description : JSON.parse(nativeDescription);
      const changed = {
        ...(title === undefined || oneLine(title) === before.title ? {} : { summary: oneLine(title) }),
        ...(description === undefined || description === before.description
          ? {}
          : { description: dialect.mergeText(original, description) }),
      };
      if (Object.keys(changed).length === 0) return before;
      await put(target, { fields: changed }, signal);
      return issues.now(target, signal);
    },

    async link(target, kind, other, signal) {
      const { fields } = await issues.get(target, signal);
      if (linksTo(fields.issuelinks, kind, other.externalId).length > 0) return;
      await addLink(site, await requireWording(site, kind, signal), target, other, signal);
    },

    async unlink(target, kind, other, signal) {
      const { fields } = await issues.get(target, signal);
      for (const link of linksTo(fields.issuelinks, kind, other.externalId)) {
        await removeLink(site, link, target, signal);
      }
    },

    async assign(target, logins, signal) {
      const wire = await issues.get(target, signal);
      const id = await assigneeId(site, logins, { issueKey: wire.key }, signal);
      const current = wire.fields.assignee ? dialect.idOf(wire.fields.assignee) : null;
      if (id === current) return mapped(wire);
      await put(target, { fields: { assignee: id === null ? null : dialect.userField(id) } }, signal);
      return issues.now(target, signal);
    },

    async changeLabels(target, { add, remove }, signal) {
      requireLabels(add);
      const wire = await issues.get(target, signal);
      const labels = [...add.map((label) => ({ add: label })), ...remove.map((label) => ({ remove: label }))];
      if (labels.length === 0) return mapped(wire);
      await put(target, { update: { labels } }, signal);
      return issues.now(target, signal);
    },

    async create(project, issue, marker, signal) {
      const externalId = await createIssue(site, project, issue, marker, signal);
      return issues.now({ project, externalId, key: externalId }, signal);
    },

    async findCreated(project, marker, createdAfter, signal) {
      const zone = (await site.myself(signal)).timeZone ?? null;
      const since = atOrBefore(createdAfter.getTime() - CLOCK_DIFFERENCE_MS, zone);
      const jql = `${projectClause(project, address.name)} AND created >= "${since.text}" ORDER BY created ASC, key ASC`;
      const search = { jql, fields: ['created'], properties: [MARKER_PROPERTY], size: PAGE_SIZE, project };
      const found = readAs(
        wireMarked,
        await searchAll(site, search, signal),
        address.name,
        projectSubject(project),
      );
      const issue = found.find(({ properties }) => hasMarker(properties?.[MARKER_PROPERTY], marker));
      if (issue === undefined) return null;
      return orNull(issues.now({ project, externalId: issue.id, key: issue.id }, signal));
    },
  };
}

const wireMarked = z.array(
  z.object({ id: z.string(), properties: z.record(z.string(), z.unknown()).nullish() }),
);
