import { parseTime } from '../http/clock.ts';
import { type Account, type Comment, fullName, type Issue, type Label, type Repo } from './model.ts';
import { OrderedView } from './ordered-view.ts';
import type { GitHubSeed, GitHubSeedIssue, GitHubSeedRepo, GitHubSeedToken } from './seed.ts';
import { Webhooks } from './webhooks.ts';

type IdKind = 'account' | 'repo' | 'label' | 'issue' | 'comment' | 'event' | 'hook';

/** The emulator's data in memory. Finds and creates objects. `issue-changes.ts` edits them. */
export class Store {
  readonly now: () => number;
  readonly accounts = new Map<string, Account>();
  readonly repos: Repo[] = [];
  readonly issuesById = new Map<number, Issue>();
  readonly commentsById = new Map<number, Comment>();
  readonly tokens = new Map<string, GitHubSeedToken>();
  readonly webhooks = new Webhooks();
  readonly #byName = new Map<string, Repo>();
  readonly #formerNames = new Map<string, Repo>();
  readonly #lastIds: Record<IdKind, number> = {
    account: 1_000,
    repo: 500_000,
    label: 7_000_000_000,
    issue: 3_100_000_000,
    comment: 2_900_000_000,
    event: 15_000_000_000,
    hook: 400_000_000,
  };

  /**
   * Fills the store from a seed.
   * @throws {Error} if the seed is inconsistent, such as a repeated number or an invalid time
   */
  constructor(seed: GitHubSeed, clock: () => Date) {
    this.now = () => Math.floor(clock().getTime() / 1000) * 1000;
    for (const user of seed.users ?? []) {
      const account = this.account(user.login);
      account.name = user.name ?? null;
      account.email = user.email ?? null;
    }
    for (const org of seed.orgs ?? []) {
      const account = this.account(org.login);
      account.kind = 'Organization';
      account.name = org.name ?? null;
      account.description = org.description ?? null;
      for (const member of org.members ?? []) account.members.add(this.account(member).login.toLowerCase());
    }
    for (const token of seed.tokens) this.setToken(token);
    for (const repo of seed.repos) this.addRepo(repo, seed.users?.[0]?.login);
  }

  /** Returns the account with this login. If it does not exist, creates a user. */
  account(login: string): Account {
    const key = login.toLowerCase();
    let account = this.accounts.get(key);
    if (!account) {
      account = {
        id: this.nextId('account'),
        login,
        kind: 'User',
        name: null,
        email: null,
        description: null,
        members: new Set(),
        createdMs: this.now(),
      };
      this.accounts.set(key, account);
    }
    return account;
  }

  setToken(token: GitHubSeedToken): void {
    this.account(token.login);
    this.tokens.set(token.token, token);
  }

  /**
   * Returns a new id. Ids of issues, comments and events exceed 2^31, as on github.com. Code that
   * stores them as 32-bit integers then fails in tests.
   */
  nextId(kind: IdKind): number {
    this.#lastIds[kind] += kind === 'issue' || kind === 'comment' ? 17 : 1;
    return this.#lastIds[kind];
  }

  /** Finds a repository by name, ignoring case. */
  repo(owner: string, name: string): Repo | undefined {
    return this.#byName.get(`${owner}/${name}`.toLowerCase());
  }

  /** Finds a renamed repository by its previous name. */
  renamedRepo(owner: string, name: string): Repo | undefined {
    return this.#formerNames.get(`${owner}/${name}`.toLowerCase());
  }

  renameRepo(repo: Repo, name: string): void {
    const former = fullName(repo).toLowerCase();
    this.#byName.delete(former);
    this.#formerNames.set(former, repo);
    repo.name = name;
    repo.updatedMs = this.now();
    this.#formerNames.delete(fullName(repo).toLowerCase());
    this.#byName.set(fullName(repo).toLowerCase(), repo);
  }

  removeRepo(repo: Repo): void {
    this.repos.splice(this.repos.indexOf(repo), 1);
    this.#byName.delete(fullName(repo).toLowerCase());
  }

  addRepo(seed: GitHubSeedRepo, defaultAuthor: string | undefined): Repo {
    const owner = this.account(seed.owner);
    const key = `${owner.login}/${seed.name}`.toLowerCase();
    if (this.#byName.has(key)) throw new Error(`The repository ${key} is seeded twice.`);
    const repo: Repo = {
      id: this.nextId('repo'),
      owner,
      name: seed.name,
      description: seed.description ?? null,
      isPrivate: seed.private ?? false,
      hasIssues: seed.has_issues ?? true,
      archived: seed.archived ?? false,
      createdMs: this.now(),
      updatedMs: this.now(),
      labels: new Map(),
      issues: new OrderedView<Issue>({
        created: (issue) => issue.createdMs,
        updated: (issue) => issue.updatedMs,
        comments: (issue) => issue.comments.length,
      }),
      byNumber: new Map(),
      deletedNumbers: new Set(),
      transferred: new Map(),
      comments: new OrderedView<Comment>({ created: (c) => c.createdMs, updated: (c) => c.updatedMs }),
      events: [],
      hooks: [],
      nextNumber: 1,
    };
    for (const label of seed.labels ?? []) {
      const wanted = typeof label === 'string' ? { name: label } : label;
      this.label(repo, wanted.name, wanted);
    }
    this.repos.push(repo);
    this.#byName.set(key, repo);
    for (const issue of seed.issues) this.addIssue(repo, issue, defaultAuthor ?? owner.login);
    return repo;
  }

  /** Returns the label with this name, ignoring case. Creates it if it does not exist. */
  label(repo: Repo, name: string, look: { color?: string; description?: string | null } = {}): Label {
    const key = name.toLowerCase();
    let label = repo.labels.get(key);
    if (!label) {
      const color = look.color ?? 'ededed';
      label = { id: this.nextId('label'), name, color, description: look.description ?? null };
      repo.labels.set(key, label);
    }
    return label;
  }

  /**
   * Adds an issue from a seed without recording events.
   * @throws {Error} if its number already exists
   */
  addIssue(repo: Repo, seed: GitHubSeedIssue, defaultAuthor: string): Issue {
    const number = seed.number ?? repo.nextNumber;
    if (repo.byNumber.has(number))
      throw new Error(`${fullName(repo)} has two issues with the number ${number}.`);
    repo.nextNumber = Math.max(repo.nextNumber, number + 1);
    const createdMs = seed.created_at === undefined ? this.now() : parseTime(seed.created_at);
    const state = seed.state ?? 'open';
    const issue: Issue = {
      id: this.nextId('issue'),
      repo,
      number,
      title: seed.title,
      body: seed.body,
      state,
      stateReason:
        seed.state_reason ?? (state === 'closed' && seed.pull_request !== true ? 'completed' : null),
      duplicateOf: null,
      user: this.account(seed.user ?? defaultAuthor),
      labels: (seed.labels ?? []).map((name) => this.label(repo, name)),
      assignees: (seed.assignees ?? []).map((login) => this.account(login)),
      blockedBy: [],
      blocking: [],
      parent: null,
      subIssues: [],
      locked: seed.locked ?? false,
      thumbsUp: seed.thumbs_up ?? 0,
      milestone: seed.milestone ?? null,
      isPull: seed.pull_request ?? false,
      comments: [],
      events: [],
      createdMs,
      updatedMs: createdMs,
      closedMs: null,
      closedBy: null,
      mergedMs: null,
    };
    for (const comment of seed.comments ?? []) {
      const atMs = comment.created_at === undefined ? createdMs : parseTime(comment.created_at);
      this.addComment(issue, this.account(comment.user), comment.body, atMs);
      issue.updatedMs = Math.max(issue.updatedMs, atMs);
    }
    if (seed.updated_at !== undefined) issue.updatedMs = parseTime(seed.updated_at);
    if (state === 'closed') {
      issue.closedMs = issue.updatedMs;
      issue.closedBy = issue.user;
    }
    repo.issues.add(issue);
    repo.byNumber.set(number, issue);
    this.issuesById.set(issue.id, issue);
    return issue;
  }

  addComment(issue: Issue, user: Account, body: string, atMs: number): Comment {
    const comment: Comment = {
      id: this.nextId('comment'),
      issue,
      user,
      body,
      createdMs: atMs,
      updatedMs: atMs,
    };
    issue.comments.push(comment);
    issue.repo.comments.add(comment);
    this.commentsById.set(comment.id, comment);
    return comment;
  }
}
