import { canReadProject, levelInNamespace, levelInProject } from './access.ts';
import type { Call, Reply, Route } from './call.ts';
import { badRequest, notFound } from './gitlab-error.ts';
import { callerOf, groupOf, projectOf, viewOf } from './lookup.ts';
import { fullPath, type Namespace, type Project, type User } from './model.ts';
import { page } from './pagination.ts';
import {
  isoTime,
  presentCurrentUser,
  presentGroup,
  presentProject,
  presentSimpleProject,
  presentUser,
} from './present.ts';

/** Routes for users, tokens, groups and projects. */
export const accountRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/user',
    scopes: ['api', 'read_api', 'read_user'],
    handle: (call) => ({
      status: 200,
      body: presentCurrentUser(call.origin, callerOf(call), call.host.store.now()),
    }),
  },
  { method: 'GET', path: '/personal_access_tokens/self', scopes: [], handle: ownToken },
  { method: 'GET', path: '/groups', handle: listGroups },
  {
    method: 'GET',
    path: '/groups/:id',
    handle: (call) => ({ status: 200, body: presentGroup(call.origin, groupOf(call)) }),
  },
  { method: 'GET', path: '/groups/:id/projects', handle: listGroupProjects },
  { method: 'GET', path: '/users/:id/projects', handle: listUserProjects },
  {
    method: 'GET',
    path: '/projects/:id',
    handle: (call) => ({ status: 200, body: presentProject(viewOf(call), projectOf(call)) }),
  },
  { method: 'GET', path: '/projects/:id/members/all', handle: listMembers },
];

function ownToken(call: Call): Reply {
  const { token } = call.access;
  callerOf(call);
  if (!token) throw badRequest('400 Bad request');
  return {
    status: 200,
    body: {
      id: token.id,
      name: 'Winnow',
      revoked: false,
      created_at: isoTime(call.host.store.now()),
      scopes: token.scopes,
      user_id: token.user.id,
      last_used_at: null,
      active: true,
      expires_at: token.expiresAt,
    },
  };
}

/**
 * Lists the groups that the caller belongs to, as a member of the group, of a parent group, or of a
 * project in the group.
 */
function listGroups(call: Call): Reply {
  const user = callerOf(call);
  const { store } = call.host;
  const isMember = (group: Namespace) =>
    levelInNamespace(user, group) > 0 ||
    store.projects.some((project) => project.namespace === group && project.members.has(user));
  const groups = store.namespaces.filter((entry) => entry.kind === 'group' && isMember(entry));
  groups.sort((a, b) => a.fullPath.localeCompare(b.fullPath));
  return page(call, groups, (group) => presentGroup(call.origin, group));
}

function listGroupProjects(call: Call): Reply {
  const group = groupOf(call);
  const withSubgroups = call.params.flag('include_subgroups') ?? false;
  const isIn = (namespace: Namespace | null): boolean =>
    namespace === group || (withSubgroups && namespace !== null && isIn(namespace.parent));
  return listProjects(call, (project) => isIn(project.namespace));
}

function listUserProjects(call: Call): Reply {
  const { store } = call.host;
  const id = call.path.id ?? '';
  const user = store.users.find((entry) => String(entry.id) === id) ?? store.user(id);
  if (!user) throw notFound('User');
  const own = store.namespace(user.username);
  return listProjects(call, (project) => project.namespace === own);
}

function listProjects(call: Call, isListed: (project: Project) => boolean): Reply {
  const { params, access, host } = call;
  const archived = params.flag('archived');
  const withIssues = params.flag('with_issues_enabled') ?? false;
  const simple = params.flag('simple') ?? false;
  const found = host.store.projects.filter(
    (project) =>
      isListed(project) &&
      canReadProject(access.user, project) &&
      (archived === undefined || project.archived === archived) &&
      (!withIssues || project.issuesEnabled),
  );
  found.sort((a, b) => fullPath(a).localeCompare(fullPath(b)));
  return page(call, found, (project) =>
    simple ? presentSimpleProject(call.origin, project) : presentProject(viewOf(call), project),
  );
}

/**
 * Lists the members of a project and of its parent groups. A query of one or two characters finds
 * only equal names.
 */
function listMembers(call: Call): Reply {
  const project = projectOf(call);
  callerOf(call);
  const query = (call.params.text('query') ?? '').toLowerCase();
  const members = new Set<User>(project.members.keys());
  for (let at: Namespace | null = project.namespace; at !== null; at = at.parent) {
    for (const user of at.members.keys()) members.add(user);
  }
  const fits = ({ username, name }: User) =>
    [username.toLowerCase(), name.toLowerCase()].some((text) =>
      query.length < 3 ? query === '' || text === query : text.includes(query),
    );
  const found = [...members].filter(fits).sort((a, b) => a.id - b.id);
  return page(call, found, (user) => ({
    ...presentUser(call.origin, user),
    access_level: levelInProject(user, project),
    expires_at: null,
  }));
}
