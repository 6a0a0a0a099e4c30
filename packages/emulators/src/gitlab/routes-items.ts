import {
  canRead,
  canReadMergeRequests,
  canReadProject,
  canSetMetadata,
  canUpdate,
  levelInProject,
  requireLevel,
} from './access.ts';
import type { Call, Reply, Route } from './call.ts';
import { deleteItem, editItem, type ItemEdit, moveIssue, notifyItemHooks } from './changes.ts';
import { badRequest, forbidden, invalidParameter, notFound } from './gitlab-error.ts';
import { callerOf, itemOf, placeOf, projectOf, viewOf, visibleProject } from './lookup.ts';
import type { Item, ItemKind, User } from './model.ts';
import { page } from './pagination.ts';
import type { Params } from './params.ts';
import { presentIssue, presentItem, presentMergeRequest, presentSimpleMergeRequest } from './present.ts';
import { extractQuickActions } from './quick-actions.ts';
import { accessLevels } from './seed.ts';

const longestText = 1_048_576;

/** Routes for issues and merge requests. */
export const itemRoutes: readonly Route[] = [
  { method: 'GET', path: '/projects/:id/issues', handle: listIssues },
  { method: 'POST', path: '/projects/:id/issues', handle: createIssue },
  { method: 'GET', path: '/projects/:id/issues/:iid', handle: (call) => getItem(call, 'issue') },
  { method: 'PUT', path: '/projects/:id/issues/:iid', handle: (call) => updateItem(call, 'issue') },
  { method: 'DELETE', path: '/projects/:id/issues/:iid', handle: removeIssue },
  { method: 'POST', path: '/projects/:id/issues/:iid/move', handle: move },
  { method: 'GET', path: '/projects/:id/merge_requests', handle: listMergeRequests },
  {
    method: 'GET',
    path: '/projects/:id/merge_requests/:iid',
    handle: (call) => getItem(call, 'merge_request'),
  },
  {
    method: 'PUT',
    path: '/projects/:id/merge_requests/:iid',
    handle: (call) => updateItem(call, 'merge_request'),
  },
];

/** Lists issues. If issues are disabled, returns an empty array instead of status 403. */
function listIssues(call: Call): Reply {
  const project = projectOf(call);
  call.params.choice('state', ['opened', 'closed', 'all']);
  const items = project.items.filter((item) => item.kind === 'issue' && canRead(call.access.user, item));
  return list(call, items, (item) => presentIssue(viewOf(call), item));
}

function listMergeRequests(call: Call): Reply {
  const project = projectOf(call);
  if (!canReadMergeRequests(call.access.user, project)) throw forbidden();
  call.params.choice('state', ['opened', 'closed', 'locked', 'merged', 'all']);
  const isSimple = call.params.choice('view', ['simple']) === 'simple';
  const items = project.items.filter((item) => item.kind === 'merge_request');
  const present = isSimple ? presentSimpleMergeRequest : presentMergeRequest;
  return list(call, items, (item) => present(viewOf(call), item));
}

/**
 * Returns a page of items, filtered and sorted by the parameters of the request. Compares times in
 * milliseconds, the precision of times in responses.
 */
function list(call: Call, items: readonly Item[], present: (item: Item) => unknown): Reply {
  const { params, access } = call;
  const by = params.choice('order_by', ['created_at', 'updated_at']) ?? 'created_at';
  const direction = (params.choice('sort', ['asc', 'desc']) ?? 'desc') === 'asc' ? 1 : -1;
  const state = params.text('state') ?? 'all';
  const scopes = ['created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me'] as const;
  const scope = params.choice('scope', scopes) ?? 'all';
  const limits = {
    updatedAfter: params.time('updated_after') ?? Number.NEGATIVE_INFINITY,
    updatedBefore: params.time('updated_before') ?? Number.POSITIVE_INFINITY,
    createdAfter: params.time('created_after') ?? Number.NEGATIVE_INFINITY,
    createdBefore: params.time('created_before') ?? Number.POSITIVE_INFINITY,
  };
  const iids = params.integers('iids');
  const found = items.filter(
    (item) =>
      (state === 'all' || item.state === state) &&
      (scope !== 'created_by_me' || item.author === access.user) &&
      item.updatedMs >= limits.updatedAfter &&
      item.updatedMs <= limits.updatedBefore &&
      item.createdMs >= limits.createdAfter &&
      item.createdMs <= limits.createdBefore &&
      (iids === undefined || iids.includes(item.iid)),
  );
  const key = (item: Item) => (by === 'updated_at' ? item.updatedMs : item.createdMs);
  found.sort((a, b) => direction * (key(a) - key(b) || a.id - b.id));
  return page(call, found, present);
}

function getItem(call: Call, kind: ItemKind): Reply {
  return { status: 200, body: presentItem(viewOf(call), itemOf(call, kind)) };
}

/** Creates an issue. Fields that the caller may not set are ignored without an error. */
function createIssue(call: Call): Reply {
  const { params, host } = call;
  const title = params.requiredText('title');
  const project = projectOf(call);
  const author = callerOf(call);
  if (!project.issuesEnabled || project.archived || !canReadProject(author, project)) throw forbidden();
  checkText(title, params.text('description'));
  const isMember = levelInProject(author, project) >= accessLevels.reporter;
  const { content } = extractQuickActions(params.text('description') ?? '');
  const item = host.store.addItem(project, 'issue', {
    title,
    description: params.text('description') === undefined ? null : content,
    author: author.username,
    issue_type: params.choice('issue_type', ['issue', 'incident', 'task']) ?? 'issue',
    confidential: params.flag('confidential') ?? false,
    labels: isMember ? (params.names('labels') ?? []) : [],
  });
  if (isMember) item.assignees = assigneesOf(call, params, item) ?? [];
  notifyItemHooks(placeOf(call), item, author, 'open');
  return { status: 201, body: presentIssue(viewOf(call), item) };
}

/**
 * Checks the lengths of title and description.
 * @throws {GitLabError} 400 in the format of a failed validation
 */
function checkText(title: string | undefined, description: string | undefined): void {
  if (title?.trim() === '') throw badRequest({ title: ["can't be blank"] });
  if ((title?.length ?? 0) > 255) throw badRequest({ title: ['is too long (maximum is 255 characters)'] });
  if ((description?.length ?? 0) > longestText) {
    throw badRequest({ description: [`is too long (maximum is ${longestText} characters)`] });
  }
}

/**
 * Returns the requested assignees who can see the item; undefined if the request has none. Only the
 * premium tier supports more than one.
 */
function assigneesOf({ host }: Call, params: Params, item: Item): User[] | undefined {
  const ids = params.integers('assignee_ids');
  if (ids === undefined) return undefined;
  const found = ids
    .filter((id) => id !== 0)
    .flatMap((id) => host.store.users.filter((user) => user.id === id && canRead(user, item)));
  return host.tier !== 'premium' ? found.slice(0, 1) : found;
}

function updateItem(call: Call, kind: ItemKind): Reply {
  const { params, access } = call;
  const known = [
    'title',
    'description',
    'assignee_ids',
    'labels',
    'add_labels',
    'remove_labels',
    'state_event',
    'confidential',
  ];
  if (!known.some((name) => params.has(name))) {
    throw invalidParameter(`${known.join(', ')} are missing, at least one parameter must be provided`);
  }
  const stateEvent = params.choice('state_event', ['close', 'reopen']);
  const item = itemOf(call, kind);
  const actor = callerOf(call);
  if (!canUpdate(access.user, item)) throw forbidden();
  const title = params.text('title');
  const description = params.text('description');
  checkText(title, description);
  const edit: ItemEdit = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description: extractQuickActions(description).content }),
    ...(canSetMetadata(access.user, item) ? metadataEdit(call, item) : {}),
    ...(stateEvent === undefined ? {} : { stateEvent }),
  };
  editItem(placeOf(call), item, actor, edit);
  return { status: 200, body: presentItem(viewOf(call), item) };
}

function metadataEdit(call: Call, item: Item): ItemEdit {
  const { params } = call;
  const assignees = assigneesOf(call, params, item);
  const confidential = params.flag('confidential');
  const removed = params.names('remove_labels') ?? [];
  const labels = [...(params.names('labels') ?? item.labels), ...(params.names('add_labels') ?? [])].filter(
    (label) => !removed.includes(label),
  );
  return {
    labels,
    ...(assignees === undefined ? {} : { assignees }),
    ...(confidential === undefined ? {} : { confidential }),
  };
}

function removeIssue(call: Call): Reply {
  const item = itemOf(call, 'issue');
  requireLevel(call.access.user, item.project, accessLevels.owner);
  deleteItem(call.host, item);
  return { status: 204 };
}

function move(call: Call): Reply {
  const target = call.params.requiredText('to_project_id');
  const item = itemOf(call, 'issue');
  const actor = callerOf(call);
  const project = visibleProject(call, target);
  const mayMove = [item.project, project].every(
    (entry) => levelInProject(actor, entry) >= accessLevels.reporter,
  );
  if (!mayMove) throw badRequest('Cannot move issue due to insufficient permissions!');
  if (project === item.project) throw badRequest('Cannot move issue to project it originates from!');
  if (item.movedTo !== null) throw notFound('Issue');
  return { status: 201, body: presentIssue(viewOf(call), moveIssue(placeOf(call), item, project, actor)) };
}
