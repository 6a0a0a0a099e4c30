import { z } from 'zod';
import type { DescribedCall } from './described-call.ts';

/** A time in Jira's format, with an offset without a colon. */
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/);
const person = z.looseObject({ displayName: z.string() });
const named = z.looseObject({ id: z.string(), name: z.string() });
const project = z.looseObject({ id: z.string(), key: z.string(), name: z.string() });
/** A rich text: a document in version 3, and a string with wiki markup in version 2. */
const document = z.looseObject({
  type: z.literal('doc'),
  version: z.literal(1),
  content: z.array(z.unknown()),
});

const endOfLink = z.union([z.strictObject({ key: z.string() }), z.strictObject({ id: z.string() })]);
const either = z.union([z.strictObject({ id: z.string() }), z.strictObject({ name: z.string() })]);
const created = z.looseObject({ id: z.string(), key: z.string(), self: z.url() });

function callsOf(version: 2 | 3): DescribedCall[] {
  const text = version === 3 ? document : z.string();
  const root = `^/rest/api/${version}`;
  const issue = `${root}/issue/[^/]+`;
  const fields = z.looseObject({
    summary: z.string().optional(),
    description: text.nullish(),
    status: named.optional(),
    labels: z.array(z.string()).optional(),
    created: time.optional(),
    updated: time.optional(),
  });
  const bean = z.looseObject({ id: z.string(), key: z.string(), self: z.url(), fields });
  const comment = z.looseObject({
    id: z.string(),
    body: text,
    author: person.nullish(),
    created: time,
    updated: time,
  });
  const sentFields = z.looseObject({
    summary: z.string().optional(),
    description: text.nullish(),
    labels: z.array(z.string()).optional(),
  });
  const sentComment = z.looseObject({ body: text });
  const found = z.looseObject({ issues: z.array(z.looseObject({ id: z.string() })) });
  return [
    { method: 'GET', path: new RegExp(`${root}/myself$`), response: person },
    { method: 'GET', path: new RegExp(`${root}/project$`), response: z.array(project) },
    {
      method: 'GET',
      path: new RegExp(`${root}/project/search$`),
      response: z.looseObject({ values: z.array(project), isLast: z.boolean() }),
    },
    { method: 'GET', path: new RegExp(`${root}/project/[^/]+$`), response: project },
    version === 3
      ? {
          method: 'GET',
          path: new RegExp(`${root}/search/jql$`),
          response: found.extend({ nextPageToken: z.string().nullish(), isLast: z.boolean().optional() }),
        }
      : {
          method: 'GET',
          path: new RegExp(`${root}/search$`),
          response: found.extend({ startAt: z.int(), maxResults: z.int(), total: z.int() }),
        },
    {
      method: 'POST',
      path: new RegExp(`${root}/issue$`),
      request: z.looseObject({
        fields: sentFields.extend({ summary: z.string(), project: endOfLink, issuetype: either }),
      }),
      response: created,
    },
    { method: 'GET', path: new RegExp(`${issue}$`), response: bean },
    {
      method: 'PUT',
      path: new RegExp(`${issue}$`),
      request: z.strictObject({ fields: sentFields.optional(), update: z.looseObject({}).optional() }),
    },
    {
      method: 'GET',
      path: new RegExp(`${issue}/comment$`),
      response: z.looseObject({ comments: z.array(comment), startAt: z.int(), total: z.int() }),
    },
    { method: 'POST', path: new RegExp(`${issue}/comment$`), request: sentComment, response: comment },
    { method: 'PUT', path: new RegExp(`${issue}/comment/\\d+$`), request: sentComment, response: comment },
    {
      method: 'GET',
      path: new RegExp(`${issue}/transitions$`),
      response: z.looseObject({ transitions: z.array(named.extend({ to: named })) }),
    },
    {
      method: 'POST',
      path: new RegExp(`${issue}/transitions$`),
      request: z.looseObject({ transition: z.looseObject({ id: z.string() }) }),
    },
    {
      method: 'POST',
      path: new RegExp(`${root}/issueLink$`),
      request: z.looseObject({ type: either, inwardIssue: endOfLink, outwardIssue: endOfLink }),
    },
  ];
}

/** Calls that Winnow makes to Jira Cloud and Data Center, from https://developer.atlassian.com. */
export const jiraCalls: readonly DescribedCall[] = [...callsOf(3), ...callsOf(2)];
