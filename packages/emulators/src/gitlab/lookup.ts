import { canRead, canReadGroup, canReadProject, requireUser } from './access.ts';
import type { Call } from './call.ts';
import type { Place } from './changes.ts';
import { notFound } from './gitlab-error.ts';
import type { Item, ItemKind, Namespace, Note, Project, User } from './model.ts';
import type { View } from './present.ts';

/**
 * Finds the project that the path names.
 * @throws {GitLabError} 404 if it does not exist or the caller cannot see it
 */
export function projectOf(call: Call): Project {
  return visibleProject(call, call.path.id ?? '');
}

/**
 * Finds a project by its id or path.
 * @throws {GitLabError} 404 if it does not exist or the caller cannot see it
 */
export function visibleProject({ host, access }: Call, idOrPath: string): Project {
  const project = host.store.project(idOrPath);
  if (!project || !canReadProject(access.user, project)) throw notFound('Project');
  return project;
}

export function groupOf({ host, access, path }: Call): Namespace {
  const group = host.store.group(path.id ?? '');
  if (!group || !canReadGroup(access.user, group)) throw notFound('Group');
  return group;
}

/**
 * Finds the issue or merge request that the path names.
 * @throws {GitLabError} 404 if it does not exist or the caller cannot see it
 */
export function itemOf(call: Call, kind: ItemKind): Item {
  return visibleItem(call, projectOf(call), kind, Number(call.path.iid));
}

export function visibleItem({ host, access }: Call, project: Project, kind: ItemKind, iid: number): Item {
  const item = host.store.item(project, kind, iid);
  if (!item || !canRead(access.user, item)) throw notFound(kind === 'issue' ? 'Issue' : undefined);
  return item;
}

export function noteOf(call: Call, item: Item): Note {
  const note = call.host.store.findNote(item, Number(call.path.noteId));
  if (!note) throw notFound('Note');
  return note;
}

export function viewOf({ host, access, origin }: Call): View {
  return {
    origin,
    viewer: access.user,
    reportsDuplicates: host.reportsDuplicates,
    canRead: (item) => canRead(access.user, item),
  };
}

export function placeOf({ host, origin }: Call): Place {
  return { host, origin };
}

/**
 * Returns the user who sent the request.
 * @throws {GitLabError} 401 if the caller is anonymous
 */
export function callerOf(call: Call): User {
  return requireUser(call.access);
}
