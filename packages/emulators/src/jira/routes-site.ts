import { may, PERMISSIONS, type Permission } from './access.ts';
import { type Call, canSee, integer, list, type Reply, type Route, userOf } from './call.ts';
import { JiraError } from './jira-error.ts';
import { jiraTime } from './local-time.ts';
import type { Project } from './model.ts';
import { presentProject, presentUser } from './present.ts';

function projectOf(call: Call, idOrKey: string): Project {
  const project = call.store.project(idOrKey);
  if (project !== undefined && canSee(call, project)) return project;
  throw new JiraError(404, [
    `No project could be found with ${/^\d+$/.test(idOrKey) ? 'id' : 'key'} '${idOrKey}'.`,
  ]);
}

function isPermission(name: string): name is Permission {
  return Object.hasOwn(PERMISSIONS, name);
}

function myPermissions(call: Call): Reply {
  const { query, user, store } = call;
  const wanted = list(query, 'permissions');
  if (wanted === null && store.isCloud) {
    throw new JiraError(400, ['The permissions query parameter is required.']);
  }
  const unknown = wanted?.filter((name) => !isPermission(name)) ?? [];
  if (unknown.length > 0) throw new JiraError(400, [`Unrecognized permission(s): ${unknown.join(', ')}`]);
  const inProject = query.get('projectKey') ?? query.get('projectId');
  const projects = inProject === null ? store.projects : [projectOf(call, inProject)];
  const permissions = Object.entries(PERMISSIONS)
    .filter(([key]) => wanted === null || wanted.includes(key))
    .map(([key, name], index) => {
      const havePermission = isPermission(key) && projects.some((project) => may(user, project, key));
      return [key, { id: String(10 + index), key, name, type: 'PROJECT', description: '', havePermission }];
    });
  return { status: 200, body: { permissions: Object.fromEntries(permissions) } };
}

function pageOfProjects(call: Call): Reply {
  const { query, store, view } = call;
  const startAt = integer(query, 'startAt', 0);
  const maxResults = Math.min(50, integer(query, 'maxResults', 50));
  const visible = store.projects
    .filter((project) => canSee(call, project) && !project.archived)
    .sort((left, right) => left.key.localeCompare(right.key));
  const values = visible.slice(startAt, startAt + maxResults).map((project) => presentProject(view, project));
  const isLast = startAt + maxResults >= visible.length;
  const self = `${view.api}/project/search`;
  return { status: 200, body: { self, maxResults, startAt, total: visible.length, isLast, values } };
}

function assignable(call: Call): Reply {
  const { query, store, view } = call;
  userOf(call);
  const issue = query.get('issueKey') ?? query.get('issueId');
  const project = issue === null ? query.get('project') : (store.issue(issue)?.project.key ?? null);
  if (project === null) throw new JiraError(400, ["Either the 'issueKey' or the 'project' must be given."]);
  projectOf(call, project);
  const words = (query.get(store.isCloud ? 'query' : 'username') ?? '').toLowerCase();
  const startAt = integer(query, 'startAt', 0);
  const found = [...store.users.values()].filter(({ name, displayName, email, assignable }) => {
    const texts = [store.isCloud ? '' : name, email, ...displayName.split(' '), displayName];
    return assignable && texts.some((text) => text !== '' && text.toLowerCase().startsWith(words));
  });
  const page = found.slice(startAt, startAt + Math.min(1000, integer(query, 'maxResults', 50)));
  return { status: 200, body: page.map((user) => presentUser(view, user)) };
}

export const siteRoutes: Route[] = [
  {
    method: 'GET',
    path: '/serverInfo',
    handle: ({ store, view }) => ({
      status: 200,
      body: {
        baseUrl: view.api.replace(/\/rest\/api\/\d$/, ''),
        version: store.isCloud ? '1001.0.0-SNAPSHOT' : '9.12.2',
        versionNumbers: store.isCloud ? [1001, 0, 0] : [9, 12, 2],
        deploymentType: store.isCloud ? 'Cloud' : 'Server',
        buildNumber: 100_291,
        serverTime: jiraTime(store.now(), view.timeZone),
        serverTitle: 'Jira',
      },
    }),
  },
  {
    method: 'GET',
    path: '/myself',
    handle: (call) => ({ status: 200, body: presentUser(call.view, userOf(call)) }),
  },
  { method: 'GET', path: '/mypermissions', handle: myPermissions },
  { method: 'GET', path: '/project/search', only: 'cloud', handle: pageOfProjects },
  {
    method: 'GET',
    path: '/project',
    handle: (call) => {
      const visible = call.store.projects.filter((project) => canSee(call, project) && !project.archived);
      return { status: 200, body: visible.map((project) => presentProject(call.view, project)) };
    },
  },
  {
    method: 'GET',
    path: '/project/:project',
    handle: (call) => ({
      status: 200,
      body: presentProject(call.view, projectOf(call, call.params.project ?? '')),
    }),
  },
  { method: 'GET', path: '/user/assignable/search', handle: assignable },
  {
    method: 'GET',
    path: '/issueLinkType',
    handle: ({ store, view }) => {
      if (store.linkTypes.length === 0) throw new JiraError(404, ['Issue linking is currently disabled.']);
      const issueLinkTypes = store.linkTypes.map((type) => ({
        ...type,
        self: `${view.api}/issueLinkType/${type.id}`,
      }));
      return { status: 200, body: { issueLinkTypes } };
    },
  },
];
