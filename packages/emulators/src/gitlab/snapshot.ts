import { fullPath, fullReference, type Item } from './model.ts';
import { isoTime, linkTypeFrom, otherEnd } from './present.ts';
import type { Store } from './store.ts';

/** State of an issue or a merge request, for assertions in tests. */
export interface ItemSnapshot {
  iid: number;
  kind: 'issue' | 'merge_request';
  reference: string;
  title: string;
  description: string | null;
  state: 'opened' | 'closed' | 'merged';
  confidential: boolean;
  labels: string[];
  assignees: string[];
  closed_by: string | null;
  /** Reference of the original if this issue was closed as a duplicate; otherwise null. */
  duplicate_of: string | null;
  moved_to: string | null;
  /** Links of the issue with their types, such as `blocks group/project#1`. */
  links: string[];
  /** Notes that users wrote. */
  comments: { id: number; author: string; body: string }[];
  /** Notes that GitLab wrote. */
  system_notes: string[];
  updated_at: string;
}

export interface GitLabState {
  projects: { id: number; path: string; items: ItemSnapshot[] }[];
}

export function snapshotItem(store: Store, item: Item): ItemSnapshot {
  const links = store.links.filter(({ source, target }) => source === item || target === item);
  return {
    iid: item.iid,
    kind: item.kind,
    reference: fullReference(item),
    title: item.title,
    description: item.description,
    state: item.state,
    confidential: item.confidential,
    labels: item.labels,
    assignees: item.assignees.map(({ username }) => username),
    closed_by: item.closedBy?.username ?? null,
    duplicate_of: item.duplicatedTo === null ? null : fullReference(item.duplicatedTo),
    moved_to: item.movedTo === null ? null : fullReference(item.movedTo),
    links: links.map((link) => `${linkTypeFrom(link, item)} ${fullReference(otherEnd(link, item))}`),
    comments: item.notes
      .filter(({ system }) => !system)
      .map(({ id, author, body }) => ({ id, author: author.username, body })),
    system_notes: item.notes.filter(({ system }) => system).map(({ body }) => body),
    updated_at: isoTime(item.updatedMs),
  };
}

/** Returns the state of all projects, or of one. */
export function snapshotState(store: Store, path?: string): GitLabState {
  const projects = store.projects.filter((project) => path === undefined || fullPath(project) === path);
  return {
    projects: projects.map((project) => ({
      id: project.id,
      path: fullPath(project),
      items: project.items.map((item) => snapshotItem(store, item)),
    })),
  };
}
