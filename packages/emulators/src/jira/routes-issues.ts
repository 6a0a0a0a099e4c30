import { isObject, type JsonObject } from '../http/json.ts';
import { type Call, canSee, issueOf, list, permit, type Reply, type Route } from './call.ts';
import { readEdit } from './fields-input.ts';
import { fieldError, JiraError } from './jira-error.ts';
import { issueKey, type Project } from './model.ts';
import { presentIssue } from './present.ts';

function getIssue(call: Call): Reply {
  const { query, view } = call;
  const expand = list(query, 'expand') ?? [];
  const wanted = {
    fields: list(query, 'fields'),
    properties: list(query, 'properties') ?? [],
    changelog: expand.includes('changelog'),
    isSearch: false,
  };
  return { status: 200, body: presentIssue(view, issueOf(call), wanted) };
}

function editIssue(call: Call): Reply {
  const issue = issueOf(call);
  const user = permit(
    call,
    issue.project,
    'EDIT_ISSUES',
    403,
    'You do not have permission to edit issues in this project.',
  );
  const edit = readEdit(call.store, issue, call.body);
  if (edit.assignee !== undefined) {
    permit(call, issue.project, 'ASSIGN_ISSUES', 403, 'You do not have permission to assign issues.');
  }
  call.changes.edit(issue, user, edit);
  return { status: 204 };
}

function targetProject(call: Call, fields: JsonObject): Project {
  const named = isObject(fields.project) ? (fields.project.id ?? fields.project.key) : undefined;
  const project = typeof named === 'string' ? call.store.project(named) : undefined;
  if (project !== undefined && canSee(call, project)) return project;
  throw fieldError('project', 'valid project is required');
}

function createIssue(call: Call): Reply {
  const { store, body, changes, view } = call;
  const fields = isObject(body.fields) ? body.fields : {};
  const project = targetProject(call, fields);
  const user = permit(
    call,
    project,
    'CREATE_ISSUES',
    400,
    'You do not have permission to create issues in this project.',
  );
  const named = isObject(fields.issuetype) ? fields.issuetype : {};
  const type = project.issueTypes.find(({ id, name }) => id === named.id || name === named.name);
  if (type === undefined) throw fieldError('issuetype', 'Specify a valid issue type');
  if (type.subtask)
    throw fieldError('issuetype', 'Issue type is a sub-task but parent issue key or id not specified.');
  for (const field of project.createFields) {
    if (field.required && field.hasDefault !== true && fields[field.key] === undefined) {
      throw fieldError(field.key, `${field.name} is required.`);
    }
  }
  const edit = readEdit(store, null, body);
  if (edit.summary === undefined) throw fieldError('summary', 'You must specify a summary of the issue.');
  const issue = store.addIssue(project, {
    summary: edit.summary,
    description: edit.description ?? null,
    type: type.name,
    labels: edit.labels ?? [],
    reporter: user.name,
    ...(edit.assignee ? { assignee: edit.assignee.name } : {}),
  });
  for (const property of Array.isArray(body.properties) ? body.properties : []) {
    if (isObject(property) && typeof property.key === 'string')
      issue.properties.set(property.key, property.value);
  }
  changes.created(issue, user);
  return { status: 201, body: { id: issue.id, key: issueKey(issue), self: `${view.api}/issue/${issue.id}` } };
}

function deleteIssue(call: Call): Reply {
  const issue = issueOf(call);
  const user = permit(
    call,
    issue.project,
    'DELETE_ISSUES',
    403,
    'You do not have permission to delete issues in this project.',
  );
  call.changes.delete(issue, user);
  return { status: 204 };
}

function createMeta(call: Call): { project: Project } {
  const project = call.store.project(call.params.project ?? '');
  if (project === undefined || !canSee(call, project)) {
    throw new JiraError(call.store.isCloud ? 400 : 404, [
      'The project is not found or you may not create issues in it.',
    ]);
  }
  return { project };
}

function createTypes(call: Call): Reply {
  const { project } = createMeta(call);
  const types = project.issueTypes.map((type) => ({
    self: `${call.view.api}/issuetype/${type.id}`,
    ...type,
  }));
  return pageOf(call, 'issueTypes', types);
}

function createFields(call: Call): Reply {
  const { project } = createMeta(call);
  const type = project.issueTypes.find(({ id }) => id === call.params.type);
  if (type === undefined) throw new JiraError(404, ['The issue type is not found.']);
  const field = (key: string, name: string, required: boolean, hasDefaultValue = false) => ({
    fieldId: key,
    key,
    name,
    required,
    hasDefaultValue,
    operations: ['set'],
    schema: { type: 'string', system: key },
  });
  const fields = [
    field('summary', 'Summary', true),
    field('issuetype', 'Issue Type', true),
    field('project', 'Project', true),
    field('reporter', 'Reporter', true, true),
    field('description', 'Description', false),
    field('labels', 'Labels', false),
    field('assignee', 'Assignee', false),
    ...(type.subtask ? [field('parent', 'Parent', true)] : []),
    ...project.createFields.map(({ key, name, required, hasDefault }) =>
      field(key, name, required, hasDefault),
    ),
  ];
  return pageOf(call, 'fields', fields);
}

/**
 * Returns one page of a list. On Cloud, the field with the items is `name`. On Data Center, it is
 * always `values`.
 */
function pageOf(call: Call, name: string, items: unknown[]): Reply {
  const { query, store } = call;
  const startAt = Number(query.get('startAt') ?? 0);
  const maxResults = Math.min(200, Number(query.get('maxResults') ?? 50));
  const page = items.slice(startAt, startAt + maxResults);
  const shared = { maxResults, startAt, total: items.length };
  if (store.isCloud) return { status: 200, body: { ...shared, [name]: page } };
  return { status: 200, body: { ...shared, isLast: startAt + maxResults >= items.length, values: page } };
}

export const issueRoutes: Route[] = [
  { method: 'POST', path: '/issue', handle: createIssue },
  { method: 'GET', path: '/issue/createmeta/:project/issuetypes', handle: createTypes },
  { method: 'GET', path: '/issue/createmeta/:project/issuetypes/:type', handle: createFields },
  { method: 'GET', path: '/issue/:issue', handle: getIssue },
  { method: 'PUT', path: '/issue/:issue', handle: editIssue },
  { method: 'DELETE', path: '/issue/:issue', handle: deleteIssue },
];
