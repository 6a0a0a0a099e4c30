import { z } from 'zod';
import { type DescribedCall, instant } from './described-call.ts';

const user = z.looseObject({ login: z.string(), id: z.int(), type: z.string(), html_url: z.url() });
const label = z.looseObject({
  name: z.string(),
  color: z.string().regex(/^[0-9a-f]{6}$/i),
  description: z.string().nullable(),
});
const issue = z.looseObject({
  id: z.int(),
  node_id: z.string(),
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullable(),
  state: z.enum(['open', 'closed']),
  state_reason: z.enum(['completed', 'reopened', 'not_planned', 'duplicate']).nullish(),
  user: user.nullable(),
  labels: z.array(z.union([z.string(), label])),
  assignees: z.array(user),
  comments: z.int(),
  html_url: z.url(),
  created_at: instant,
  updated_at: instant,
  closed_at: instant.nullable(),
});
const comment = z.looseObject({
  id: z.int(),
  body: z.string(),
  user: user.nullable(),
  html_url: z.url(),
  issue_url: z.url(),
  created_at: instant,
  updated_at: instant,
});
const repository = z.looseObject({
  id: z.int(),
  name: z.string(),
  full_name: z.string(),
  private: z.boolean(),
  owner: user,
  html_url: z.url(),
});
const hook = z.looseObject({ id: z.int(), active: z.boolean(), events: z.array(z.string()) });

const REPO = '^/repos/[^/]+/[^/]+';
const ISSUE = `${REPO}/issues/\\d+`;
const labelNames = z.strictObject({ labels: z.array(z.string()) });
const logins = z.strictObject({ assignees: z.array(z.string()) });
const state = z.enum(['open', 'closed']);
const issueFields = {
  title: z.string(),
  body: z.string().nullish(),
  labels: z.array(z.string()).optional(),
  assignees: z.array(z.string()).optional(),
};

/** Calls that Winnow makes to GitHub, from https://docs.github.com/en/rest. */
export const gitHubCalls: readonly DescribedCall[] = [
  { method: 'GET', path: /^\/user$/, response: user },
  { method: 'GET', path: /^\/(user|orgs\/[^/]+|users\/[^/]+)\/repos$/, response: z.array(repository) },
  { method: 'GET', path: new RegExp(`${REPO}$`), response: repository },
  { method: 'GET', path: new RegExp(`${REPO}/issues$`), response: z.array(issue) },
  {
    method: 'POST',
    path: new RegExp(`${REPO}/issues$`),
    request: z.strictObject(issueFields),
    response: issue,
  },
  { method: 'GET', path: new RegExp(`${ISSUE}$`), response: issue },
  {
    method: 'PATCH',
    path: new RegExp(`${ISSUE}$`),
    request: z.strictObject({
      ...issueFields,
      title: z.string().optional(),
      state: state.optional(),
      state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).nullish(),
      duplicate_issue_id: z.int().optional(),
    }),
    response: issue,
  },
  { method: 'GET', path: new RegExp(`(${ISSUE}|${REPO}/issues)/comments$`), response: z.array(comment) },
  {
    method: 'POST',
    path: new RegExp(`${ISSUE}/comments$`),
    request: z.strictObject({ body: z.string() }),
    response: comment,
  },
  {
    method: 'PATCH',
    path: new RegExp(`${REPO}/issues/comments/\\d+$`),
    request: z.strictObject({ body: z.string() }),
    response: comment,
  },
  { method: 'POST', path: new RegExp(`${ISSUE}/labels$`), request: labelNames, response: z.array(label) },
  { method: 'PUT', path: new RegExp(`${ISSUE}/labels$`), request: labelNames, response: z.array(label) },
  { method: 'POST', path: new RegExp(`${ISSUE}/assignees$`), request: logins, response: issue },
  { method: 'DELETE', path: new RegExp(`${ISSUE}/assignees$`), request: logins, response: issue },
  {
    method: 'GET',
    path: new RegExp(`${ISSUE}/dependencies/(blocked_by|blocking)$`),
    response: z.array(issue),
  },
  {
    method: 'POST',
    path: new RegExp(`${ISSUE}/dependencies/blocked_by$`),
    request: z.strictObject({ issue_id: z.int() }),
    response: issue,
  },
  { method: 'GET', path: new RegExp(`${ISSUE}/sub_issues$`), response: z.array(issue) },
  {
    method: 'POST',
    path: new RegExp(`${ISSUE}/sub_issues$`),
    request: z.strictObject({ sub_issue_id: z.int(), replace_parent: z.boolean().optional() }),
    response: issue,
  },
  {
    method: 'POST',
    path: new RegExp(`${REPO}/hooks$`),
    request: z.looseObject({ config: z.looseObject({ url: z.url() }), events: z.array(z.string()) }),
    response: hook,
  },
];
