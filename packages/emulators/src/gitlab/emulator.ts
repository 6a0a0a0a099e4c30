import { randomBytes } from 'node:crypto';
import { ACT_DEFAULTS, type Act, type ActInput } from '../http/acts.ts';
import { isoSeconds } from '../http/clock.ts';
import type { Deliveries } from '../http/deliveries.ts';
import type { EmulatedHost } from '../http/host.ts';
import { type ServedEmulator, type ServingOptions, serveEmulator } from '../http/start.ts';
import type { GitLabTier, Host } from './call.ts';
import { addNote, deleteItem, editItem, mergeRequest, moveIssue, type Place, tellItem } from './changes.ts';
import { dispatch } from './dispatch.ts';
import { type GitLabLimitAction, limitFaults } from './faults.ts';
import { type PushedCommit, pushPayload } from './hook-payloads.ts';
import { fullPath, type Item, type ItemKind, type Project } from './model.ts';
import { RateLimiter } from './rate-limit.ts';
import {
  accessLevels,
  type GitLabRole,
  type GitLabSeed,
  type GitLabSeedIssue,
  type GitLabSeedItem,
  type GitLabSeedToken,
} from './seed.ts';
import { type GitLabState, type ItemSnapshot, snapshotItem, snapshotState } from './snapshot.ts';
import { Store } from './store.ts';
import { Webhooks } from './webhooks.ts';

export interface GitLabEmulatorOptions extends ServingOptions {
  seed: GitLabSeed;
  /** default `premium` */
  tier?: GitLabTier;
  /** requests a minute for each token; default: no limit, which is how a self-managed GitLab comes */
  rateLimit?: number;
  /** default true; false for a host whose proxy drops them */
  etags?: boolean;
  /** default true; GitLab before 15.1 does not tell of which issue one is the duplicate */
  tellsDuplicates?: boolean;
  /** how many items a listing may have and still be counted; default 10 000 */
  countLimit?: number;
  /** default: the system's */
  clock?: () => Date;
}

/** What a person changes in the web pages. */
export interface PersonEdit {
  title?: string;
  description?: string | null;
  state_event?: 'close' | 'reopen';
  labels?: string[];
  assignees?: string[];
  confidential?: boolean;
}

/** An item of a project: `12` or `#12` is an issue, `!12` a merge request. */
export type ItemReference = string | number;

/** Projects are named by their full path. */
export interface GitLabEmulator extends ServedEmulator<GitLabLimitAction> {
  /** What was sent to registered hooks. */
  deliveries: Deliveries;
  state(): GitLabState;
  /** @throws Error when there is no such item */
  item(project: string, reference: ItemReference): ItemSnapshot;
  projectId(project: string): number;
  /** Adds an issue as a seed would; hooks are told. @throws Error when the iid is taken */
  createIssue(project: string, issue: GitLabSeedIssue): ItemSnapshot;
  createMergeRequest(project: string, request: GitLabSeedItem): ItemSnapshot;
  /** Somebody edits an item in the browser: no token, no permission asked, `updated_at` moves. */
  editAs(username: string, project: string, reference: ItemReference, edit: PersonEdit): ItemSnapshot;
  commentAs(username: string, project: string, reference: ItemReference, body: string): ItemSnapshot;
  /** Somebody merges a merge request; nothing happens to one that is not open. */
  mergeAs(username: string, project: string, reference: ItemReference): ItemSnapshot;
  /** The item answers 404 from now on. */
  deleteItem(project: string, reference: ItemReference): void;
  /** Copies the issue into the other project and closes it where it was. */
  moveIssueAs(username: string, project: string, reference: ItemReference, target: string): ItemSnapshot;
  /** Somebody pushes to a branch: hooks are told, and nothing else changes. */
  pushAs(username: string, project: string, branch: string, commits: readonly PushedCommit[]): void;
  /** Gives a project a new path within its namespace. The old one redirects from now on. */
  renameProject(project: string, path: string): void;
  deleteProject(project: string): void;
  setProject(
    project: string,
    flags: { archived?: boolean; issues_enabled?: boolean; merge_requests_enabled?: boolean },
  ): void;
  /** Gives a user a role in a project; null takes it away. */
  setMember(project: string, username: string, role: GitLabRole | null): void;
  /** Adds a token or replaces what it may do. */
  setToken(token: GitLabSeedToken): void;
  /** The token answers 401 from now on. */
  revokeToken(token: string): void;
}

/**
 * Starts a GitLab that lives in memory: REST v4 for issues, merge requests, notes, links, members and hooks, with the
 * host's permissions, paging, ETags, rate limits, quick actions and errors, with webhooks delivered to whoever registered,
 * and with faults on demand.
 *
 * @throws Error when the seed contradicts itself or the port is taken
 */
export async function startGitLabEmulator(options: GitLabEmulatorOptions): Promise<GitLabEmulator> {
  const store = new Store(options.seed, options.clock ?? (() => new Date()));
  let url = '';
  const host: Host = {
    store,
    webhooks: new Webhooks(() => url),
    limiter: options.rateLimit === undefined ? null : new RateLimiter(options.rateLimit, store.now),
    tier: options.tier ?? 'premium',
    etags: options.etags ?? true,
    tellsDuplicates: options.tellsDuplicates ?? true,
    revoked: new Set(),
    countLimit: options.countLimit ?? 10_000,
  };
  const edits = editing({
    host,
    get origin() {
      return url;
    },
  });
  const served = await serveEmulator({ ...emulatedHost(host), acts: acts(host.store, edits) }, options);
  url = served.url;
  return {
    ...served,
    deliveries: host.webhooks.deliveries,
    state: () => snapshotState(store),
    ...edits,
    setToken: (token) => {
      host.revoked.delete(token.token);
      store.setToken(token);
    },
    revokeToken: (token) => void host.revoked.add(token),
    close: async () => {
      await host.webhooks.deliveries.settled();
      await served.close();
    },
  };
}

function emulatedHost(host: Host): EmulatedHost<GitLabLimitAction> {
  return {
    name: 'GitLab',
    now: host.store.now,
    answer: (incoming) => dispatch(host, incoming),
    faultBody: (status) => ({ message: `${status} ${status >= 500 ? 'Internal Server Error' : 'Fault'}` }),
    ownFaults: limitFaults(host.store.now),
    snapshot: (query) => snapshotState(host.store, query.get('project') ?? undefined),
  };
}

/** What the owner of the emulator can do without a token. */
function editing(place: Place) {
  const { store, webhooks } = place.host;
  const projectAt = (path: string): Project => {
    const found = store.project(path);
    if (!found) throw new Error(`The GitLab emulator has no project ${path}.`);
    return found;
  };
  const itemAt = (path: string, reference: ItemReference): Item => {
    const [, sign = '#', iid] = /^([#!]?)(\d+)$/.exec(String(reference)) ?? [];
    const kind: ItemKind = sign === '!' ? 'merge_request' : 'issue';
    const found = store.item(projectAt(path), kind, Number(iid));
    if (!found) throw new Error(`The GitLab emulator has no ${kind} ${reference} in ${path}.`);
    return found;
  };
  const snapshot = (item: Item) => snapshotItem(store, item);
  const add = (path: string, kind: ItemKind, seed: GitLabSeedIssue | GitLabSeedItem) => {
    const item = store.addItem(projectAt(path), kind, seed);
    tellItem(place, item, item.author, 'open');
    return snapshot(item);
  };
  return {
    item: (path: string, reference: ItemReference) => snapshot(itemAt(path, reference)),
    projectId: (path: string) => projectAt(path).id,
    createIssue: (path: string, seed: GitLabSeedIssue) => add(path, 'issue', seed),
    createMergeRequest: (path: string, seed: GitLabSeedItem) => add(path, 'merge_request', seed),
    editAs: (username: string, path: string, reference: ItemReference, edit: PersonEdit) => {
      const { state_event, assignees, ...rest } = edit;
      const item = itemAt(path, reference);
      editItem(place, item, store.addUser(username), {
        ...rest,
        ...(assignees === undefined ? {} : { assignees: assignees.map((name) => store.addUser(name)) }),
        ...(state_event === undefined ? {} : { stateEvent: state_event }),
      });
      return snapshot(item);
    },
    commentAs: (username: string, path: string, reference: ItemReference, body: string) => {
      const item = itemAt(path, reference);
      addNote(place, item, store.addUser(username), body);
      return snapshot(item);
    },
    mergeAs: (username: string, path: string, reference: ItemReference) => {
      const item = itemAt(path, reference);
      mergeRequest(place, item, store.addUser(username));
      return snapshot(item);
    },
    deleteItem: (path: string, reference: ItemReference) => deleteItem(place.host, itemAt(path, reference)),
    moveIssueAs: (username: string, path: string, reference: ItemReference, target: string) => {
      const item = itemAt(path, reference);
      return snapshot(moveIssue(place, item, projectAt(target), store.addUser(username)));
    },
    pushAs: (username: string, path: string, branch: string, commits: readonly PushedCommit[]) => {
      const project = projectAt(path);
      const payload = pushPayload(place.origin, project, store.addUser(username), branch, commits);
      webhooks.send(project, 'push_events', 'Push Hook', payload);
    },
    renameProject: (path: string, to: string) => {
      const project = projectAt(path);
      store.formerPaths.set(fullPath(project).toLowerCase(), project);
      project.path = to;
    },
    deleteProject: (path: string) => {
      const gone = projectAt(path);
      store.projects = store.projects.filter((project) => project !== gone);
    },
    setProject: (
      path: string,
      flags: { archived?: boolean; issues_enabled?: boolean; merge_requests_enabled?: boolean },
    ) => {
      const project = projectAt(path);
      project.archived = flags.archived ?? project.archived;
      project.issuesEnabled = flags.issues_enabled ?? project.issuesEnabled;
      project.mergeRequestsEnabled = flags.merge_requests_enabled ?? project.mergeRequestsEnabled;
    },
    setMember: (path: string, username: string, role: GitLabRole | null) => {
      const user = store.addUser(username);
      if (role === null) projectAt(path).members.delete(user);
      else projectAt(path).members.set(user, accessLevels[role]);
    },
  };
}

/** Pushing and merging by hand: `{"project", "branch", "message", "user"}` and `{"project", "number", "user"}`. */
function acts(store: Store, { pushAs, mergeAs }: ReturnType<typeof editing>): Readonly<Record<string, Act>> {
  const placeOf = (input: ActInput) =>
    [input.text('user', ACT_DEFAULTS.user), input.text('project')] as const;
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
    merges: (input) => mergeAs(...placeOf(input), `!${input.number('number')}`),
  };
}
