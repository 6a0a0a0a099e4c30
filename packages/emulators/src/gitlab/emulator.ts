import { randomBytes } from 'node:crypto';
import { isoSeconds } from '../http/clock.ts';
import type { Deliveries } from '../http/deliveries.ts';
import type { EmulatedHost } from '../http/host.ts';
import { type ServedEmulator, type ServingOptions, serveEmulator } from '../http/start.ts';
import { USER_ACTION_DEFAULTS, type UserAction, type UserActionInput } from '../http/user-actions.ts';
import type { GitLabTier, Host } from './call.ts';
import {
  addNote,
  deleteItem,
  editItem,
  mergeRequest,
  moveIssue,
  notifyItemHooks,
  type Place,
} from './changes.ts';
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
  /** Default: `premium`. */
  tier?: GitLabTier;
  /** Maximum requests per minute and token. Default: no limit, as on a self-managed GitLab. */
  rateLimit?: number;
  /** True if responses have ETags; default true. False simulates a proxy that removes them. */
  etags?: boolean;
  /**
   * True if responses name the original of a duplicate; default true. False simulates a GitLab
   * before 15.1.
   */
  reportsDuplicates?: boolean;
  /** Maximum number of list items that are counted for the paging headers; default 10,000. */
  countLimit?: number;
  /** Default: the system clock. */
  clock?: () => Date;
}

/** An edit that a user makes in GitLab's web interface. */
interface PersonEdit {
  title?: string;
  description?: string | null;
  state_event?: 'close' | 'reopen';
  labels?: string[];
  assignees?: string[];
  confidential?: boolean;
}

/** Reference to an item of a project. `12` and `#12` are issues, and `!12` is a merge request. */
type ItemReference = string | number;

/** A running GitLab emulator. Its methods take the full path of a project. */
export interface GitLabEmulator extends ServedEmulator<GitLabLimitAction> {
  /** Requests that were sent to webhooks. */
  deliveries: Deliveries;
  state(): GitLabState;
  /**
   * Returns the state of an item.
   * @throws {Error} if the item does not exist
   */
  item(project: string, reference: ItemReference): ItemSnapshot;
  projectId(project: string): number;
  /**
   * Adds an issue from a description in the seed's format, and notifies webhooks.
   * @throws {Error} if its iid already exists
   */
  createIssue(project: string, issue: GitLabSeedIssue): ItemSnapshot;
  createMergeRequest(project: string, request: GitLabSeedItem): ItemSnapshot;
  /**
   * Edits an item as a user does in the web interface. Needs no token and checks no permissions.
   * Updates `updated_at`.
   */
  editAs(username: string, project: string, reference: ItemReference, edit: PersonEdit): ItemSnapshot;
  commentAs(username: string, project: string, reference: ItemReference, body: string): ItemSnapshot;
  /** Merges an open merge request. Does nothing for other items. */
  mergeAs(username: string, project: string, reference: ItemReference): ItemSnapshot;
  /** Deletes an item. Requests for it then get 404. */
  deleteItem(project: string, reference: ItemReference): void;
  /** Copies an issue to another project and closes the original. */
  moveIssueAs(username: string, project: string, reference: ItemReference, target: string): ItemSnapshot;
  /** Notifies webhooks of a push to a branch. The commits are not stored. */
  pushAs(username: string, project: string, branch: string, commits: readonly PushedCommit[]): void;
  /**
   * Changes the path of a project within its namespace. Requests for the old path are then
   * redirected.
   */
  renameProject(project: string, path: string): void;
  deleteProject(project: string): void;
  setProject(
    project: string,
    flags: { archived?: boolean; issues_enabled?: boolean; merge_requests_enabled?: boolean },
  ): void;
  /** Sets the role of a user in a project. Null removes the user from the project. */
  setMember(project: string, username: string, role: GitLabRole | null): void;
  /** Adds a token, or replaces the permissions of an existing token. */
  setToken(token: GitLabSeedToken): void;
  /** Revokes a token. Requests with it then get 401. */
  revokeToken(token: string): void;
}

/**
 * Starts an in-memory GitLab server with REST API v4 for issues, merge requests, notes, links,
 * members and webhooks. Emulates permissions, paging, ETags, rate limits, quick actions and errors.
 * Sends webhooks. Tests can add faults.
 *
 * @throws {Error} if the seed is inconsistent or the port is in use
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
    reportsDuplicates: options.reportsDuplicates ?? true,
    revoked: new Set(),
    countLimit: options.countLimit ?? 10_000,
  };
  const edits = editing({
    host,
    get origin() {
      return url;
    },
  });
  const served = await serveEmulator(
    { ...emulatedHost(host), userActions: userActions(host.store, edits) },
    options,
  );
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

/** Returns functions that edit data without a token. */
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
    notifyItemHooks(place, item, item.author, 'open');
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

/**
 * Returns the user actions that an HTTP request can trigger. A push takes `{"project", "branch",
 * "message", "user"}`. A merge takes `{"project", "number", "user"}`.
 */
function userActions(
  store: Store,
  { pushAs, mergeAs }: ReturnType<typeof editing>,
): Readonly<Record<string, UserAction>> {
  const placeOf = (input: UserActionInput) =>
    [input.text('user', USER_ACTION_DEFAULTS.user), input.text('project')] as const;
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
    merges: (input) => mergeAs(...placeOf(input), `!${input.number('number')}`),
  };
}
