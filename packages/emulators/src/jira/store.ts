import { parseTime } from '../http/clock.ts';
import {
  type Comment,
  type Issue,
  issueKey,
  type Link,
  type LinkType,
  type Project,
  type Site,
  type Status,
  type User,
} from './model.ts';
import {
  classicWorkflow,
  type JiraSeed,
  type JiraSeedComment,
  type JiraSeedIssue,
  type JiraSeedProject,
  type JiraSeedUser,
  simplifiedWorkflow,
} from './seed.ts';

const defaultTypes = [
  { name: 'Task' },
  { name: 'Bug' },
  { name: 'Story' },
  { name: 'Sub-task', subtask: true },
];
const defaultLinkTypes = [
  { name: 'Blocks', inward: 'is blocked by', outward: 'blocks' },
  { name: 'Cloners', inward: 'is cloned by', outward: 'clones' },
  { name: 'Duplicate', inward: 'is duplicated by', outward: 'duplicates' },
  { name: 'Relates', inward: 'relates to', outward: 'relates to' },
];

/** The emulator's data in memory. Finds and creates objects. `issue-changes.ts` edits them. */
export class Store {
  readonly now: () => number;
  readonly site: Site;
  readonly users = new Map<string, User>();
  /** Names of the users by their tokens. */
  readonly tokens = new Map<string, string>();
  readonly projects: Project[] = [];
  readonly issues = new Map<string, Issue>();
  readonly links = new Map<string, Link>();
  readonly linkTypes: LinkType[];
  readonly #resolutions = new Map<string, { id: string; name: string }>();
  #lastId = 10_000;

  /**
   * Fills the store with the data of a seed.
   * @throws {Error} if the seed is inconsistent
   */
  constructor(seed: JiraSeed, site: Site, clock: () => Date) {
    this.now = () => clock().getTime();
    this.site = site;
    for (const user of seed.users) this.addUser(user);
    for (const { token, user } of seed.tokens) this.tokens.set(token, this.user(user).name);
    this.linkTypes = (seed.linkTypes ?? defaultLinkTypes).map((type) => ({ id: this.nextId(), ...type }));
    for (const project of seed.projects) this.addProject(project);
  }

  get isCloud(): boolean {
    return this.site.deployment === 'cloud';
  }

  nextId(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }

  addUser(seed: JiraSeedUser): User {
    const user: User = {
      name: seed.name,
      accountId: seed.accountId ?? `712020:${seed.name}`,
      displayName: seed.displayName ?? `${seed.name.charAt(0).toUpperCase()}${seed.name.slice(1)}`,
      email: seed.email ?? `${seed.name}@example.com`,
      timeZone: seed.timeZone ?? 'Etc/UTC',
      assignable: seed.assignable ?? true,
      administrator: seed.administrator ?? false,
    };
    this.users.set(user.name, user);
    return user;
  }

  /** Returns the user with this name. If it does not exist, creates it. */
  user(name: string): User {
    return this.users.get(name) ?? this.addUser({ name });
  }

  /**
   * Finds a user by the value of an assignee field. This is the account id on Cloud and the name on
   * Data Center.
   */
  userBy(id: string): User | undefined {
    return [...this.users.values()].find(({ accountId, name }) => (this.isCloud ? accountId : name) === id);
  }

  resolution(name: string): { id: string; name: string } {
    const found = this.#resolutions.get(name) ?? { id: this.nextId(), name };
    this.#resolutions.set(name, found);
    return found;
  }

  /** Finds a project by its id, key or previous key. */
  project(idOrKey: string): Project | undefined {
    const key = idOrKey.toUpperCase();
    return (
      this.projects.find((project) => project.id === idOrKey || project.key === key) ??
      this.projects.find(({ formerKeys }) => formerKeys.includes(key))
    );
  }

  /** Finds an issue by its id, key or previous key. */
  issue(idOrKey: string): Issue | undefined {
    const byId = this.issues.get(idOrKey);
    if (byId !== undefined) return byId;
    const [, projectKey = '', number = ''] = /^([A-Za-z][A-Za-z0-9_]*)-(\d+)$/.exec(idOrKey) ?? [];
    const project = this.project(projectKey);
    const all = [...this.issues.values()];
    return (
      all.find((issue) => issue.project === project && issue.number === Number(number)) ??
      all.find(({ formerKeys }) => formerKeys.includes(idOrKey.toUpperCase()))
    );
  }

  addProject(seed: JiraSeedProject): Project {
    const workflow = seed.workflow ?? (this.isCloud ? simplifiedWorkflow : classicWorkflow);
    const statuses = workflow.statuses.map((status): Status => ({ id: this.nextId(), ...status }));
    const project: Project = {
      id: this.nextId(),
      key: seed.key,
      formerKeys: [],
      name: seed.name ?? seed.key,
      archived: seed.archived ?? false,
      statuses,
      transitions: workflow.transitions.map((transition, index) => {
        const to = statuses.find(({ name }) => name === transition.to);
        if (to === undefined) throw new Error(`No status ${transition.to} in the workflow of ${seed.key}.`);
        return { ...transition, id: String(11 + 10 * index), to };
      }),
      issueTypes: (seed.issueTypes ?? defaultTypes).map((type) => {
        return { id: this.nextId(), subtask: false, ...type };
      }),
      createFields: seed.createFields ?? [],
      nextNumber: 1,
      denied: new Map(),
    };
    this.projects.push(project);
    for (const issue of seed.issues) this.addIssue(project, issue);
    return project;
  }

  /**
   * Adds an issue from a seed without history entries.
   * @throws {Error} if its status or issue type does not exist
   */
  addIssue(project: Project, seed: JiraSeedIssue): Issue {
    const number = seed.number ?? project.nextNumber;
    project.nextNumber = Math.max(project.nextNumber, number + 1);
    const createdMs = seed.created === undefined ? this.now() : parseTime(seed.created);
    const status = project.statuses.find(({ name }) => seed.status === undefined || name === seed.status);
    const type = project.issueTypes.find(({ name }) => name === (seed.type ?? project.issueTypes[0]?.name));
    if (status === undefined || type === undefined)
      throw new Error(`${project.key}-${number} has an unknown status or issue type.`);
    const isDone = status.category === 'done';
    const updatedMs = seed.updated === undefined ? createdMs : parseTime(seed.updated);
    const issue: Issue = {
      id: this.nextId(),
      project,
      number,
      formerKeys: [],
      summary: seed.summary,
      description: this.#document(seed.description ?? null),
      type,
      status,
      resolution: isDone && seed.resolution !== '' ? this.resolution(seed.resolution ?? 'Done') : null,
      resolvedMs: isDone && seed.resolution !== '' ? updatedMs : null,
      categoryChangedMs: isDone ? updatedMs : createdMs,
      priority: seed.priority ?? 'Medium',
      labels: [...(seed.labels ?? [])],
      votes: seed.votes ?? 0,
      fixVersions: [...(seed.fixVersions ?? [])],
      assignee: seed.assignee === undefined ? null : this.user(seed.assignee),
      reporter: this.user(seed.reporter ?? [...this.users.keys()][0] ?? 'admin'),
      parent: seed.parent === undefined ? null : (this.issue(seed.parent) ?? null),
      comments: [],
      histories: [],
      properties: new Map(),
      createdMs,
      updatedMs,
    };
    for (const comment of seed.comments ?? []) {
      const added = this.addComment(issue, comment);
      if (seed.updated === undefined) issue.updatedMs = Math.max(issue.updatedMs, added.createdMs);
    }
    this.issues.set(issue.id, issue);
    return issue;
  }

  addComment(issue: Issue, seed: JiraSeedComment): Comment {
    const createdMs = seed.created === undefined ? this.now() : parseTime(seed.created);
    const comment: Comment = {
      id: this.nextId(),
      author: seed.user === undefined ? issue.reporter : this.user(seed.user),
      body: this.#document(seed.body),
      properties: new Map(Object.entries(seed.properties ?? {})),
      createdMs,
      updatedMs: createdMs,
    };
    issue.comments.push(comment);
    return comment;
  }

  linksOf(issue: Issue): Link[] {
    return [...this.links.values()].filter(({ source, target }) => source === issue || target === issue);
  }

  /**
   * Returns the issue with this id or key.
   * @throws {Error} if it does not exist
   */
  requireIssue(idOrKey: string): Issue {
    const issue = this.issue(idOrKey);
    if (issue === undefined) throw new Error(`The Jira emulator has no issue ${idOrKey}.`);
    return issue;
  }

  /** Moves an issue to another project, where it gets a new key. Its previous key remains valid. */
  move(issue: Issue, project: Project): void {
    issue.formerKeys.push(issueKey(issue));
    issue.project = project;
    issue.number = project.nextNumber;
    project.nextNumber += 1;
    issue.updatedMs = this.now();
  }

  /**
   * Converts a rich text to its stored form. On Cloud, a string becomes a document with one
   * paragraph.
   */
  #document(value: unknown): unknown {
    if (!this.isCloud || typeof value !== 'string') return value;
    const content = value === '' ? [] : [{ type: 'paragraph', content: [{ type: 'text', text: value }] }];
    return { type: 'doc', version: 1, content };
  }
}
