import { z } from 'zod';
import { type DescribedCall, instant } from './described-call.ts';

const user = z.looseObject({ id: z.int(), username: z.string(), name: z.string(), web_url: z.url() });
const project = z.looseObject({
  id: z.int(),
  name: z.string(),
  path_with_namespace: z.string(),
  web_url: z.url(),
});
const item = z.looseObject({
  id: z.int(),
  iid: z.int().positive(),
  project_id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  labels: z.array(z.string()),
  author: user,
  assignees: z.array(user),
  user_notes_count: z.int(),
  web_url: z.url(),
  created_at: instant,
  updated_at: instant,
});
const issue = item.extend({ state: z.enum(['opened', 'closed']), closed_at: instant.nullable() });
const mergeRequest = item.extend({ state: z.enum(['opened', 'closed', 'locked', 'merged']) });
const note = z.looseObject({
  id: z.int(),
  body: z.string(),
  author: user,
  system: z.boolean(),
  created_at: instant,
  updated_at: instant,
});
const linkType = z.enum(['relates_to', 'blocks', 'is_blocked_by']);
const link = z.looseObject({ source_issue: issue, target_issue: issue, link_type: linkType });
const linkedIssue = issue.extend({ issue_link_id: z.int(), link_type: linkType });
const hook = z.looseObject({ id: z.int(), url: z.url() });

const PROJECT = '^/projects/[^/]+';
const ISSUE = `${PROJECT}/issues/\\d+`;
const NOTES = `${PROJECT}/(issues|merge_requests)/\\d+/notes`;
const id = z.union([z.int(), z.string()]);
const labels = z.union([z.string(), z.array(z.string())]);
const issueFields = {
  description: z.string().optional(),
  labels: labels.optional(),
  assignee_ids: z.array(z.int()).optional(),
};
const changedFields = z.strictObject({
  ...issueFields,
  title: z.string().optional(),
  add_labels: labels.optional(),
  remove_labels: labels.optional(),
  state_event: z.enum(['close', 'reopen']).optional(),
});

/** Calls that Winnow makes to GitLab, from https://docs.gitlab.com/api/rest. */
export const gitLabCalls: readonly DescribedCall[] = [
  { method: 'GET', path: /^\/user$/, response: user },
  { method: 'GET', path: /^\/((groups|users)\/[^/]+\/)?projects$/, response: z.array(project) },
  { method: 'GET', path: new RegExp(`${PROJECT}$`), response: project },
  { method: 'GET', path: new RegExp(`${PROJECT}/issues$`), response: z.array(issue) },
  {
    method: 'POST',
    path: new RegExp(`${PROJECT}/issues$`),
    request: z.strictObject({ ...issueFields, title: z.string() }),
    response: issue,
  },
  { method: 'GET', path: new RegExp(`${ISSUE}$`), response: issue },
  { method: 'PUT', path: new RegExp(`${ISSUE}$`), request: changedFields, response: issue },
  { method: 'GET', path: new RegExp(`${PROJECT}/merge_requests$`), response: z.array(mergeRequest) },
  { method: 'GET', path: new RegExp(`${PROJECT}/merge_requests/\\d+$`), response: mergeRequest },
  {
    method: 'PUT',
    path: new RegExp(`${PROJECT}/merge_requests/\\d+$`),
    request: changedFields,
    response: mergeRequest,
  },
  { method: 'GET', path: new RegExp(`${NOTES}$`), response: z.array(note) },
  {
    method: 'POST',
    path: new RegExp(`${NOTES}$`),
    request: z.strictObject({ body: z.string() }),
    response: z.union([note, z.looseObject({ commands_changes: z.looseObject({}) })]),
  },
  {
    method: 'PUT',
    path: new RegExp(`${NOTES}/\\d+$`),
    request: z.strictObject({ body: z.string() }),
    response: note,
  },
  { method: 'GET', path: new RegExp(`${ISSUE}/links$`), response: z.array(linkedIssue) },
  {
    method: 'POST',
    path: new RegExp(`${ISSUE}/links$`),
    request: z.strictObject({ target_project_id: id, target_issue_iid: id, link_type: linkType.optional() }),
    response: link,
  },
  {
    method: 'POST',
    path: new RegExp(`${PROJECT}/hooks$`),
    request: z.looseObject({ url: z.url() }),
    response: hook,
  },
];
