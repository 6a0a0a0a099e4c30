import { z } from 'zod';
import { type NewIssue, type ProviderProject, TrackerError } from '../provider.ts';
import type { RestCall } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { assigneeId } from './people.ts';
import { pageOf, projectSubject, readAll, type Site } from './site.ts';

/** Key of the property that Winnow stores on comments and issues that it creates. */
export const MARKER_PROPERTY = 'winnow';

const wireType = z.object({ id: z.string(), name: z.string(), subtask: z.boolean().nullish() });
const wireField = z.object({
  fieldId: z.string(),
  name: z.string(),
  required: z.boolean(),
  hasDefaultValue: z.boolean().nullish(),
});

/**
 * Fields that are set on every new issue. Winnow sets them, except the reporter: Jira sets it to
 * the token's owner.
 */
const ALWAYS_SET_FIELDS = ['summary', 'description', 'project', 'issuetype', 'reporter'];

/**
 * Creates an issue with the most basic issue type of the project, and returns the id of the issue.
 * @throws {TrackerError} `invalid` if the project requires fields that Winnow does not support.
 * Nothing is written then
 */
export async function createIssue(
  site: Site,
  project: ProviderProject,
  issue: NewIssue,
  marker: string,
  signal: AbortSignal,
): Promise<string> {
  requireLabels(issue.labels);
  const subject = projectSubject(project);
  const path = `/issue/createmeta/${encodeURIComponent(project.externalId)}/issuetypes`;
  const types = await readAll(site, pageOf(wireType, 'issueTypes', 'values'), { path, subject }, signal);
  const type = chooseType(types);
  if (type === undefined) {
    throw new TrackerError(
      'forbidden',
      `This token is not allowed to create issues in ${subject} in ${site.address.name}.`,
    );
  }
  const fields = await readAll(
    site,
    pageOf(wireField, 'fields', 'values', 'results'),
    { path: `${path}/${encodeURIComponent(type.id)}`, subject },
    signal,
  );
  requireFields(project, fields, issue);
  const id = await assigneeId(site, issue.assignees, { project }, signal);
  const body = {
    fields: {
      project: { id: project.externalId },
      issuetype: { id: type.id },
      summary: oneLine(issue.title),
      ...(issue.description === '' ? {} : { description: site.dialect.writeText(issue.description) }),
      ...(issue.labels.length === 0 ? {} : { labels: issue.labels }),
      ...(id === null ? {} : { assignee: site.dialect.userField(id) }),
    },
    properties: [{ key: MARKER_PROPERTY, value: { marker } }],
  };
  const call: RestCall = { method: 'POST', path: '/issue', body, subject };
  const answer = await site.client.call(call, signal);
  return readAs(z.object({ id: z.string() }), answer.data, site.address.name, subject).id;
}

/** Replaces line breaks, because Jira allows only one line in a title. */
export function oneLine(title: string): string {
  return title.replace(/\s*[\r\n]+\s*/g, ' ').trim();
}

/**
 * Refuses labels that Jira does not allow.
 * @throws {TrackerError} `invalid` for a label that contains a space
 */
export function requireLabels(labels: readonly string[]): void {
  const bad = labels.find((label) => /\s/.test(label) || label === '');
  if (bad === undefined) return;
  throw new TrackerError('invalid', `Jira does not allow spaces in labels: “${bad}”.`);
}

function chooseType(types: readonly z.infer<typeof wireType>[]): z.infer<typeof wireType> | undefined {
  const whole = types.filter(({ subtask }) => !subtask);
  const called = (name: string) => whole.find((type) => type.name.toLowerCase() === name);
  return called('task') ?? called('story') ?? whole[0];
}

function requireFields(
  project: ProviderProject,
  fields: readonly z.infer<typeof wireField>[],
  issue: NewIssue,
): void {
  const given = [
    ...ALWAYS_SET_FIELDS,
    ...(issue.labels.length > 0 ? ['labels'] : []),
    ...(issue.assignees.length > 0 ? ['assignee'] : []),
  ];
  const missing = fields.filter(
    ({ fieldId, required, hasDefaultValue }) => required && !hasDefaultValue && !given.includes(fieldId),
  );
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(' and ');
  throw new TrackerError(
    'invalid',
    `Jira requires ${names} to create an issue in ${project.identifier}. Create it in Jira.`,
  );
}
