import { randomBytes } from 'node:crypto';
import { isoSeconds } from '../http/clock.ts';
import type { Deliveries } from '../http/deliveries.ts';
import type { EmulatedHost } from '../http/host.ts';
import { type ServedEmulator, type ServingOptions, serveEmulator } from '../http/start.ts';
import { USER_ACTION_DEFAULTS, type UserAction, type UserActionInput } from '../http/user-actions.ts';
import type { Host } from './call.ts';
import { dispatch } from './dispatch.ts';
import { type GitHubLimitAction, limitFaults } from './faults.ts';
import { GitHubError } from './github-error.ts';
import { issuePage } from './html-page.ts';
import {
  addComment,
  deleteIssue,
  editIssue,
  type IssueEdit,
  openIssue,
  transferIssue,
} from './issue-changes.ts';
import type { Issue, Repo } from './model.ts';
import { RateLimiter } from './rate-limit.ts';
import type { GitHubSeed, GitHubSeedIssue, GitHubSeedToken, GitHubStateReason } from './seed.ts';
import { type GitHubState, type IssueSnapshot, snapshotIssue, snapshotState } from './snapshot.ts';
import { Store } from './store.ts';
import type { PushedCommit } from './webhooks.ts';

export interface GitHubEmulatorOptions extends ServingOptions {
  seed: GitHubSeed;
  /**
   * True to emulate an Enterprise Server. Its API is only below `/api/v3` and has a version header.
   * It has no rate limit by default.
   */
  enterprise?: boolean;
  /** Default: 3.19.0. */
  enterpriseVersion?: string;
  /**
   * True if the host supports the state reason `duplicate`; default true. If false, the reason gets
   * status 422, as on older Enterprise Servers.
   */
  duplicateReason?: boolean;
  /**
   * True if the host supports dependencies between issues; default true. If false, their routes
   * return 404, as on older Enterprise Servers.
   */
  dependencies?: boolean;
  /** Maximum requests per hour and login; default 5,000 on github.com. */
  rateLimit?: number;
  /** Default: the system clock. */
  clock?: () => Date;
}

/** An edit that a user makes in GitHub's web interface. */
interface PersonEdit {
  title?: string;
  body?: string | null;
  state?: 'open' | 'closed';
  state_reason?: GitHubStateReason;
  /**
   * Number of the original issue in the same repository. The edited issue is marked as its
   * duplicate.
   */
  duplicate_of?: number;
  labels?: string[];
  assignees?: string[];
  /** True to merge a pull request. Requires the state `closed`. */
  merged?: boolean;
}

export interface GitHubEmulator extends ServedEmulator<GitHubLimitAction> {
  /** Root URL of the API: `url`, or `url/api/v3` for an Enterprise Server. */
  apiUrl: string;
  state(): GitHubState;
  /**
   * Returns the state of an issue.
   * @throws {Error} if the issue does not exist
   */
  issue(owner: string, repo: string, number: number): IssueSnapshot;
  /**
   * Adds an issue from a description in the seed's format.
   * @throws {Error} if its number already exists
   */
  createIssue(owner: string, repo: string, issue: GitHubSeedIssue): IssueSnapshot;
  /**
   * Edits an issue as a user does in the web interface. Needs no token and checks no permissions.
   * Updates `updated_at`.
   */
  editAs(login: string, owner: string, repo: string, number: number, edit: PersonEdit): IssueSnapshot;
  /** Adds a comment as a user does in the web interface. */
  commentAs(login: string, owner: string, repo: string, number: number, body: string): IssueSnapshot;
  /** Deletes an issue. Requests for it then get 410. */
  deleteIssue(owner: string, repo: string, number: number): void;
  /**
   * Transfers an issue to another repository of the same owner. Requests for its old number are
   * then redirected.
   */
  transferIssue(owner: string, repo: string, number: number, target: string): IssueSnapshot;
  /** Deletes a repository. Requests for it then get 404. */
  deleteRepo(owner: string, repo: string): void;
  setArchived(owner: string, repo: string, archived: boolean): void;
  /** Renames a repository. Requests for its old name are then redirected. */
  renameRepo(owner: string, repo: string, name: string): void;
  setIssuesEnabled(owner: string, repo: string, enabled: boolean): void;
  /** Pushes commits to a branch. The default branch is `main`. */
  pushAs(login: string, owner: string, repo: string, branch: string, commits: readonly PushedCommit[]): void;
  /** Requests that were sent to webhooks. */
  deliveries: Deliveries;
  /** Adds a token, or replaces the permissions of an existing token. */
  setToken(token: GitHubSeedToken): void;
  /** Revokes a token. Requests with it then get 401. */
  revokeToken(token: string): void;
}

/**
 * Starts an in-memory GitHub server with REST API v3 for issues, comments, labels and related data.
 * Emulates permissions, paging, ETags, rate limits and errors. Tests can add faults. Tests also
 * check every route against GitHub's published API description.
 *
 * The npm package `emulate` (0.12.2) was evaluated first and does not fit:
 * - It cannot seed issues, or set author, date, number or closed state.
 * - Creating 10,000 issues takes 5 s and several tokens, because its limit of 5,000 requests an
 *   hour is fixed.
 * - Its issue list omits pull requests.
 * - It accepts unknown tokens, has no ETags, and turns `duplicate` into `completed`.
 * - A page of 100 issues took 3 to 11 ms.
 *
 * @throws {Error} if the seed is inconsistent or the port is in use
 */
export async function startGitHubEmulator(options: GitHubEmulatorOptions): Promise<GitHubEmulator> {
  const { enterprise = false } = options;
  const store = new Store(options.seed, options.clock ?? (() => new Date()));
  const limited = options.rateLimit !== undefined || !enterprise;
  const host: Host = {
    store,
    limiter: limited ? new RateLimiter(options.rateLimit ?? 5_000, store.now) : null,
    enterpriseVersion: enterprise ? (options.enterpriseVersion ?? '3.19.0') : null,
    duplicateReason: options.duplicateReason ?? true,
    dependencies: options.dependencies ?? true,
  };
  const edits = editing(store);
  const served = await serveEmulator(
    { ...emulatedHost(host), userActions: userActions(store, edits) },
    options,
  );
  const apiUrl = enterprise ? `${served.url}/api/v3` : served.url;
  store.webhooks.linkTo({ api: apiUrl, html: served.url });
  return {
    ...served,
    apiUrl,
    deliveries: store.webhooks.deliveries,
    state: () => snapshotState(store),
    ...edits,
    setToken: (token) => store.setToken(token),
    revokeToken: (token) => void store.tokens.delete(token),
  };
}

function emulatedHost(host: Host): EmulatedHost<GitHubLimitAction> {
  const { store } = host;
  return {
    name: 'GitHub',
    now: store.now,
    answer: (incoming) => dispatch(host, incoming),
    faultBody: (status) =>
      new GitHubError(status, status >= 500 ? 'Server Error' : 'Fault set in the emulator').body,
    ownFaults: limitFaults(store),
    snapshot: (query) => snapshotState(store, query.get('repo') ?? undefined),
    page: (pathname) => issuePage(store, pathname),
  };
}

/** Returns functions that edit data without a token. */
function editing(store: Store) {
  const repo = (owner: string, name: string): Repo => {
    const found = store.repo(owner, name);
    if (!found) throw new Error(`The GitHub emulator has no repository ${owner}/${name}.`);
    return found;
  };
  const issue = (owner: string, name: string, number: number): Issue => {
    const found = repo(owner, name).byNumber.get(number);
    if (!found) throw new Error(`The GitHub emulator has no issue ${owner}/${name}#${number}.`);
    return found;
  };
  return {
    issue: (owner: string, name: string, number: number) => snapshotIssue(issue(owner, name, number)),
    createIssue: (owner: string, name: string, seed: GitHubSeedIssue) =>
      snapshotIssue(openIssue(store, repo(owner, name), seed, owner)),
    editAs: (login: string, owner: string, name: string, number: number, edit: PersonEdit) => {
      const { state_reason, duplicate_of, ...rest } = edit;
      const change: IssueEdit = {
        ...rest,
        ...(state_reason === undefined ? {} : { stateReason: state_reason }),
        ...(duplicate_of === undefined ? {} : { duplicateOf: issue(owner, name, duplicate_of) }),
      };
      const target = issue(owner, name, number);
      editIssue(store, target, store.account(login), change);
      return snapshotIssue(target);
    },
    commentAs: (login: string, owner: string, name: string, number: number, body: string) => {
      const target = issue(owner, name, number);
      addComment(store, target, store.account(login), body);
      return snapshotIssue(target);
    },
    deleteIssue: (owner: string, name: string, number: number) =>
      deleteIssue(store, issue(owner, name, number), repo(owner, name).owner),
    pushAs: (login: string, owner: string, name: string, branch: string, commits: readonly PushedCommit[]) =>
      store.webhooks.push(repo(owner, name), branch, commits, store.account(login)),
    transferIssue: (owner: string, name: string, number: number, target: string) => {
      const from = issue(owner, name, number);
      return snapshotIssue(transferIssue(store, from, repo(owner, target), from.repo.owner));
    },
    deleteRepo: (owner: string, name: string) => store.removeRepo(repo(owner, name)),
    setArchived: (owner: string, name: string, archived: boolean) => {
      repo(owner, name).archived = archived;
    },
    renameRepo: (owner: string, name: string, to: string) => store.renameRepo(repo(owner, name), to),
    setIssuesEnabled: (owner: string, name: string, enabled: boolean) => {
      repo(owner, name).hasIssues = enabled;
    },
  };
}

/**
 * Returns the user actions that an HTTP request can trigger. A push takes `{"project", "branch",
 * "message", "user"}`. A merge takes `{"project", "number", "user"}`.
 */
function userActions(
  store: Store,
  { issue, pushAs, editAs }: ReturnType<typeof editing>,
): Readonly<Record<string, UserAction>> {
  const placeOf = (input: UserActionInput) => {
    const [owner = '', name = ''] = input.text('project').split('/');
    return [input.text('user', USER_ACTION_DEFAULTS.user), owner, name] as const;
  };
  return {
    pushes: (input) => {
      const commit = {
        id: randomBytes(20).toString('hex'),
        message: input.text('message', USER_ACTION_DEFAULTS.message),
        timestamp: isoSeconds(store.now()),
      };
      pushAs(...placeOf(input), input.text('branch', USER_ACTION_DEFAULTS.branch), [commit]);
      return commit;
    },
    merges: (input) => {
      const [user, owner, name] = placeOf(input);
      const number = input.number('number');
      if (!issue(owner, name, number).pull_request)
        throw new Error(`Number ${number} is not a pull request.`);
      return editAs(user, owner, name, number, { state: 'closed', merged: true });
    },
  };
}
