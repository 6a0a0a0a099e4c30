import { randomBytes } from 'node:crypto';
import { ACT_DEFAULTS, type Act, type ActInput } from '../http/acts.ts';
import { isoSeconds } from '../http/clock.ts';
import type { Deliveries } from '../http/deliveries.ts';
import type { EmulatedHost } from '../http/host.ts';
import { type ServedEmulator, type ServingOptions, serveEmulator } from '../http/start.ts';
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
  /** behave as an Enterprise Server: only under `/api/v3`, with its version header, and no rate limit unless one is given */
  enterprise?: boolean;
  /** default 3.19.0 */
  enterpriseVersion?: string;
  /** does the host know the state reason `duplicate`? Default true; older Enterprise Servers answer 422 */
  duplicateReason?: boolean;
  /** does the host know dependencies between issues? Default true; older Enterprise Servers answer 404 */
  dependencies?: boolean;
  /** requests an hour for each login; default 5 000 */
  rateLimit?: number;
  /** default: the system's */
  clock?: () => Date;
}

/** What a person changes in the web pages. */
export interface PersonEdit {
  title?: string;
  body?: string | null;
  state?: 'open' | 'closed';
  state_reason?: GitHubStateReason;
  /** number, in the same repository, of the issue this one duplicates */
  duplicate_of?: number;
  labels?: string[];
  assignees?: string[];
  /** of a pull request, together with the state `closed` */
  merged?: boolean;
}

export interface GitHubEmulator extends ServedEmulator<GitHubLimitAction> {
  /** where the API is: `url`, or `url/api/v3` of an Enterprise Server */
  apiUrl: string;
  state(): GitHubState;
  /** @throws Error when there is no such issue */
  issue(owner: string, repo: string, number: number): IssueSnapshot;
  /** Adds an issue as a seed would. @throws Error when the number is taken */
  createIssue(owner: string, repo: string, issue: GitHubSeedIssue): IssueSnapshot;
  /** Somebody edits an issue in the browser: no token, no permission asked, `updated_at` moves. */
  editAs(login: string, owner: string, repo: string, number: number, edit: PersonEdit): IssueSnapshot;
  /** Somebody comments in the browser. */
  commentAs(login: string, owner: string, repo: string, number: number, body: string): IssueSnapshot;
  /** The issue answers 410 from now on. */
  deleteIssue(owner: string, repo: string, number: number): void;
  /** The issue gets a number in another repository of the owner; its old address leads there from now on. */
  transferIssue(owner: string, repo: string, number: number, target: string): IssueSnapshot;
  /** The repository answers 404 from now on. */
  deleteRepo(owner: string, repo: string): void;
  setArchived(owner: string, repo: string, archived: boolean): void;
  /** The old name redirects from now on. */
  renameRepo(owner: string, repo: string, name: string): void;
  setIssuesEnabled(owner: string, repo: string, enabled: boolean): void;
  /** Commits arrive on a branch; `main` is the default one. */
  pushAs(login: string, owner: string, repo: string, branch: string, commits: readonly PushedCommit[]): void;
  /** What was sent to the hooks. */
  deliveries: Deliveries;
  /** Adds a token or replaces what it may do. */
  setToken(token: GitHubSeedToken): void;
  /** The token answers 401 from now on. */
  revokeToken(token: string): void;
}

/**
 * Starts a GitHub that lives in memory: REST v3 for issues, comments, labels and what surrounds them, with the host's
 * permissions, paging, ETags, rate limits and errors, and with faults on demand. What it answers satisfies the published
 * API description; the tests beside it check every route.
 *
 * It is our own and does not stand on the npm package `emulate` (0.12.2), which was measured first: issues cannot be
 * seeded, and no author, date, number or closed state can be set when they are created over its API (10 000 take 5 s and,
 * at a fixed 5 000 requests an hour, more than one token); its list of issues leaves out pull requests; times carry
 * milliseconds; unknown tokens are let in; there is no ETag, `duplicate` becomes `completed`, and a page of 100 took 3 to
 * 11 ms. A proxy in front would have had to replace each answer that matters here.
 *
 * @throws Error when the seed contradicts itself or the port is taken
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
  const served = await serveEmulator({ ...emulatedHost(host), acts: acts(store, edits) }, options);
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

/** What the owner of the emulator can do to issues and repositories without a token. */
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

/** Pushing and merging by hand: `{"project", "branch", "message", "user"}` and `{"project", "number", "user"}`. */
function acts(
  store: Store,
  { issue, pushAs, editAs }: ReturnType<typeof editing>,
): Readonly<Record<string, Act>> {
  const placeOf = (input: ActInput) => {
    const [owner = '', name = ''] = input.text('project').split('/');
    return [input.text('user', ACT_DEFAULTS.user), owner, name] as const;
  };
  return {
    pushes: (input) => {
      const commit = {
        id: randomBytes(20).toString('hex'),
        message: input.text('message', ACT_DEFAULTS.message),
        timestamp: isoSeconds(store.now()),
      };
      pushAs(...placeOf(input), input.text('branch', ACT_DEFAULTS.branch), [commit]);
      return commit;
    },
    merges: (input) => {
      const [user, owner, name] = placeOf(input);
      const number = input.number('number');
      if (!issue(owner, name, number).pull_request) throw new Error(`Number ${number} is no pull request.`);
      return editAs(user, owner, name, number, { state: 'closed', merged: true });
    },
  };
}
