import { parseTime } from '../http/clock.ts';
import {
  fullPath,
  type IssueLink,
  type Item,
  type ItemKind,
  type Namespace,
  type Note,
  type Project,
  type Token,
  type User,
} from './model.ts';
import {
  accessLevels,
  type GitLabMembers,
  type GitLabSeed,
  type GitLabSeedGroup,
  type GitLabSeedIssue,
  type GitLabSeedItem,
  type GitLabSeedProject,
  type GitLabSeedToken,
} from './seed.ts';

/**
 * All data of the GitLab emulator. All objects get their ids from one counter, so newer objects
 * have higher ids.
 */
export class Store {
  readonly users: User[] = [];
  readonly namespaces: Namespace[] = [];
  projects: Project[] = [];
  readonly tokens = new Map<string, Token>();
  links: IssueLink[] = [];
  /** Renamed projects by their previous paths. */
  readonly formerPaths = new Map<string, Project>();
  readonly now: () => number;
  #lastId = 100;

  /**
   * Fills the store with the data of a seed.
   * @throws {Error} if the seed is inconsistent
   */
  constructor(seed: GitLabSeed, clock: () => Date) {
    this.now = () => clock().getTime();
    for (const user of seed.users) this.addUser(user.username, user.name ?? user.username);
    for (const group of seed.groups ?? []) this.#addGroup(group);
    for (const project of seed.projects) this.#addProject(project);
    for (const token of seed.tokens) this.setToken(token);
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  user(username: string): User | undefined {
    return this.users.find((user) => same(user.username, username));
  }

  /** Returns the user with this name. If it does not exist, creates it. */
  addUser(username: string, name = username): User {
    const found = this.user(username);
    if (found) return found;
    const user: User = { id: this.nextId(), username, name };
    this.users.push(user);
    this.namespaces.push({
      id: this.nextId(),
      kind: 'user',
      path: username,
      fullPath: username,
      name,
      fullName: name,
      parent: null,
      visibility: 'public',
      members: new Map([[user, accessLevels.owner]]),
    });
    return user;
  }

  namespace(path: string): Namespace | undefined {
    return this.namespaces.find((entry) => same(entry.fullPath, path));
  }

  /** Finds a group by its id or full path. */
  group(idOrPath: string): Namespace | undefined {
    return this.namespaces.find(
      (entry) => entry.kind === 'group' && (String(entry.id) === idOrPath || same(entry.fullPath, idOrPath)),
    );
  }

  /** Finds a project by its id or current path. */
  project(idOrPath: string): Project | undefined {
    return this.projects.find((entry) => String(entry.id) === idOrPath || same(fullPath(entry), idOrPath));
  }

  item(project: Project, kind: ItemKind, iid: number): Item | undefined {
    return project.items.find((item) => item.kind === kind && item.iid === iid);
  }

  setToken(seed: GitLabSeedToken): void {
    const token: Token = {
      id: this.tokens.get(seed.token)?.id ?? this.nextId(),
      token: seed.token,
      user: this.addUser(seed.username),
      scopes: seed.scopes ?? ['api'],
      expiresAt: seed.expires_at ?? null,
    };
    this.tokens.set(seed.token, token);
  }

  /**
   * Adds an item from a seed.
   * @throws {Error} if its iid already exists
   */
  addItem(project: Project, kind: ItemKind, seed: GitLabSeedIssue | GitLabSeedItem): Item {
    const iid = seed.iid ?? this.nextIid(project, kind);
    if (this.item(project, kind, iid)) throw new Error(`${fullPath(project)} already has a ${kind} ${iid}.`);
    const createdMs = seed.created_at === undefined ? this.now() : parseTime(seed.created_at);
    const state = seed.state ?? 'opened';
    const author = seed.author === undefined ? this.#somebody(project) : this.addUser(seed.author);
    const item: Item = {
      id: this.nextId(),
      iid,
      kind,
      project,
      title: seed.title,
      description: seed.description ?? null,
      issueType: ('issue_type' in seed ? seed.issue_type : undefined) ?? 'issue',
      confidential: 'confidential' in seed && seed.confidential === true,
      state,
      author,
      assignees: (seed.assignees ?? []).map((username) => this.addUser(username)),
      labels: [...(seed.labels ?? [])].sort(),
      upvotes: seed.upvotes ?? 0,
      milestone: seed.milestone ?? null,
      discussionLocked: seed.discussion_locked ?? false,
      notes: [],
      createdMs,
      updatedMs: createdMs,
      closedMs: null,
      closedBy: null,
      movedTo: null,
      duplicatedTo: null,
    };
    if (state !== 'opened') {
      item.closedMs = seed.closed_at === undefined ? createdMs : parseTime(seed.closed_at);
      item.closedBy = author;
    }
    for (const label of item.labels) this.addLabel(project, label);
    for (const note of seed.notes ?? []) {
      const noteMs = note.created_at === undefined ? createdMs : parseTime(note.created_at);
      item.notes.push({
        id: this.nextId(),
        item,
        author: note.author === undefined ? author : this.addUser(note.author),
        body: note.body,
        system: note.system ?? false,
        internal: note.internal ?? false,
        createdMs: noteMs,
        updatedMs: note.updated_at === undefined ? noteMs : parseTime(note.updated_at),
      });
    }
    item.updatedMs =
      seed.updated_at === undefined
        ? Math.max(createdMs, item.closedMs ?? 0, ...item.notes.map((note) => note.updatedMs))
        : parseTime(seed.updated_at);
    project.items.push(item);
    return item;
  }

  nextIid(project: Project, kind: ItemKind): number {
    return Math.max(0, ...project.items.filter((item) => item.kind === kind).map(({ iid }) => iid)) + 1;
  }

  addLabel(project: Project, name: string): void {
    if (!project.labels.has(name)) project.labels.set(name, { id: this.nextId(), createdMs: this.now() });
  }

  findNote(item: Item, id: number): Note | undefined {
    return item.notes.find((note) => note.id === id);
  }

  #addGroup({ full_path, name, visibility, members }: GitLabSeedGroup): void {
    const parts = full_path.split('/');
    const path = parts.pop() ?? '';
    const parent = parts.length === 0 ? null : this.namespace(parts.join('/'));
    if (parent === undefined) throw new Error(`The parent group of ${full_path} is not in the seed.`);
    if (this.namespace(full_path)) throw new Error(`There are two namespaces ${full_path}.`);
    this.namespaces.push({
      id: this.nextId(),
      kind: 'group',
      path,
      fullPath: full_path,
      name: name ?? path,
      fullName: parent === null ? (name ?? path) : `${parent.fullName} / ${name ?? path}`,
      parent,
      visibility: visibility ?? 'private',
      members: this.#members(members),
    });
  }

  #addProject(seed: GitLabSeedProject): void {
    const parts = seed.path_with_namespace.split('/');
    const path = parts.pop() ?? '';
    const namespace = this.namespace(parts.join('/'));
    if (!namespace) throw new Error(`The namespace of ${seed.path_with_namespace} is not in the seed.`);
    if (this.project(seed.path_with_namespace))
      throw new Error(`There are two projects ${seed.path_with_namespace}.`);
    const project: Project = {
      id: this.nextId(),
      path,
      name: seed.name ?? path,
      namespace,
      visibility: seed.visibility ?? 'private',
      archived: seed.archived ?? false,
      issuesEnabled: seed.issues_enabled ?? true,
      mergeRequestsEnabled: seed.merge_requests_enabled ?? true,
      members: this.#members(seed.members),
      labels: new Map(),
      items: [],
      hooks: [],
      createdMs: this.now(),
    };
    this.projects.push(project);
    for (const label of seed.labels ?? []) this.addLabel(project, label);
    for (const issue of seed.issues) this.addItem(project, 'issue', issue);
    for (const request of seed.merge_requests ?? []) this.addItem(project, 'merge_request', request);
  }

  #members(members: GitLabMembers | undefined): Map<User, number> {
    const entries = Object.entries(members ?? {});
    return new Map(entries.map(([username, role]) => [this.addUser(username), accessLevels[role]]));
  }

  #somebody(project: Project): User {
    const [first] = [...project.members.keys(), ...project.namespace.members.keys(), ...this.users];
    if (!first) throw new Error('The seed has no user.');
    return first;
  }
}

/** True if two paths or user names are equal, ignoring case. */
function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
