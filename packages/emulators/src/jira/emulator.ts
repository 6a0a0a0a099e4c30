import type { Deliveries } from '../http/deliveries.ts';
import type { EmulatedHost } from '../http/host.ts';
import { type ServedEmulator, type ServingOptions, serveEmulator } from '../http/start.ts';
import type { Permission } from './access.ts';
import { dispatch } from './dispatch.ts';
import { type JiraFaultAction, ownFaults } from './faults.ts';
import { IssueChanges, type IssueEdit } from './issue-changes.ts';
import { type Issue, issueKey, type Site } from './model.ts';
import type { View } from './present.ts';
import type { JiraDeployment, JiraSeed, JiraSeedIssue, JiraSeedToken } from './seed.ts';
import { Store } from './store.ts';
import { type Webhook, Webhooks } from './webhooks.ts';

export interface JiraEmulatorOptions extends ServingOptions {
  seed: JiraSeed;
  /** Default: `cloud`. */
  deployment?: JiraDeployment;
  /** Path of the site after the origin, such as `/jira`. Default: none. */
  contextPath?: string;
  /**
   * At the end of daylight saving time, one local hour occurs twice. This option selects the
   * occurrence that a local time means. Default: `later`, as in Java.
   */
  ambiguousTime?: Site['ambiguousTime'];
  /** Converts a text to its stored form, like `savedText`. Default: stores the text unchanged. */
  storedText?: Site['storedText'];
  /** Default: the system clock. */
  clock?: () => Date;
}

/** An edit that a user makes in Jira's web interface. */
interface PersonEdit {
  summary?: string;
  description?: unknown;
  labels?: string[];
  /** Name of the assignee; null to remove the assignee. */
  assignee?: string | null;
}

/** State of an issue, for assertions in tests. */
interface JiraIssueSnapshot {
  id: string;
  key: string;
  summary: string;
  description: unknown;
  type: string;
  status: string;
  category: string;
  resolution: string | null;
  labels: string[];
  assignee: string | null;
  properties: Record<string, unknown>;
  comments: { id: string; user: string; body: unknown; properties: Record<string, unknown> }[];
  /** Links of the issue with their types, such as "duplicates ACME-1" or "is blocked by ACME-2". */
  links: string[];
}

export interface JiraEmulator extends ServedEmulator<JiraFaultAction> {
  /** URL of the site: `url` followed by the context path. */
  siteUrl: string;
  /** Requests that were sent to webhooks. */
  deliveries: Deliveries;
  /** Returns the state of all issues of a project. */
  issues(project: string): JiraIssueSnapshot[];
  /**
   * Finds an issue by its id or key.
   * @throws {Error} if it does not exist
   */
  issue(idOrKey: string): JiraIssueSnapshot;
  /**
   * Adds an issue without checking permissions. Notifies webhooks of the creation by its reporter.
   */
  createIssue(project: string, issue: JiraSeedIssue): JiraIssueSnapshot;
  /**
   * Edits an issue as a user does in the web interface. Needs no token and checks no permissions.
   * Changes the field `updated`.
   */
  editAs(user: string, idOrKey: string, edit: PersonEdit): JiraIssueSnapshot;
  /** Performs a transition, given by its name, as a user does in the web interface. */
  transitionAs(user: string, idOrKey: string, transition: string, resolution?: string): JiraIssueSnapshot;
  linkAs(user: string, type: string, source: string, target: string): void;
  /** Adds a comment as a user does in the web interface. Returns its id. */
  commentAs(user: string, idOrKey: string, body: unknown): string;
  deleteIssue(idOrKey: string): void;
  /** Moves an issue to another project, where it gets a new key. Its previous key remains valid. */
  moveIssue(idOrKey: string, project: string): JiraIssueSnapshot;
  /** Changes the key of a project. The previous key remains valid. */
  renameProject(key: string, to: string): void;
  deleteProject(key: string): void;
  /** Archives or restores a project. Lists leave out archived projects. */
  setArchived(key: string, archived: boolean): void;
  /** Takes permissions in a project away from a user. An empty array restores all permissions. */
  deny(user: string, project: string, permissions: readonly Permission[]): void;
  setTimeZone(user: string, timeZone: string): void;
  /** Adds a token. */
  setToken(token: JiraSeedToken): void;
  revokeToken(token: string): void;
  registerWebhook(hook: Webhook): void;
}

/**
 * Starts an in-memory Jira server with issues, comments, links and transitions. It is Jira Cloud
 * with REST v3, or Data Center with REST v2. Emulates permissions, paging, times in JQL, errors and
 * known deviations from the documentation. Tests can add faults. Tests also check every route of
 * Cloud against the published API description.
 * @throws {Error} if the seed is inconsistent or the port is in use
 */
export async function startJiraEmulator(options: JiraEmulatorOptions): Promise<JiraEmulator> {
  const { deployment = 'cloud', contextPath = '', ambiguousTime = 'later' } = options;
  const { storedText = (text: unknown) => text } = options;
  const store = new Store(
    options.seed,
    { deployment, contextPath, ambiguousTime, storedText },
    options.clock ?? (() => new Date()),
  );
  let siteUrl = '';
  const view = (): View => ({
    store,
    api: `${siteUrl}/rest/api/${store.isCloud ? '3' : '2'}`,
    timeZone: 'Etc/UTC',
  });
  const webhooks = new Webhooks(view);
  const changes = new IssueChanges(store, (event) => webhooks.emit(event));
  const host: EmulatedHost<JiraFaultAction> = {
    name: 'Jira',
    now: store.now,
    answer: (incoming) => dispatch({ store, changes, webhooks }, incoming),
    faultBody: (status) => ({
      errorMessages: [status >= 500 ? 'Internal server error' : 'Fault set in the emulator'],
      errors: {},
    }),
    ownFaults: ownFaults(store),
    snapshot: () => [...store.issues.values()].map((issue) => snapshot(store, issue)),
  };
  const served = await serveEmulator(host, options);
  siteUrl = `${served.url}${contextPath}`;
  return {
    ...served,
    siteUrl,
    deliveries: webhooks.deliveries,
    ...editing(store, changes),
    registerWebhook: (hook) => void webhooks.register(hook),
  };
}

/** Returns functions that edit data without a token. */
function editing(store: Store, changes: IssueChanges) {
  const project = (key: string) => {
    const found = store.project(key);
    if (found === undefined) throw new Error(`The Jira emulator has no project ${key}.`);
    return found;
  };
  const shown = (issue: Issue) => snapshot(store, issue);
  return {
    issues: (key: string) =>
      [...store.issues.values()].filter((issue) => issue.project === project(key)).map(shown),
    issue: (idOrKey: string) => shown(store.requireIssue(idOrKey)),
    createIssue: (key: string, seed: JiraSeedIssue) => {
      const issue = store.addIssue(project(key), seed);
      changes.created(issue, issue.reporter);
      return shown(issue);
    },
    editAs: (user: string, idOrKey: string, { assignee, ...rest }: PersonEdit) => {
      const issue = store.requireIssue(idOrKey);
      const edit: IssueEdit = {
        ...rest,
        ...(assignee === undefined ? {} : { assignee: assignee === null ? null : store.user(assignee) }),
      };
      changes.edit(issue, store.user(user), edit);
      return shown(issue);
    },
    transitionAs: (user: string, idOrKey: string, name: string, resolution?: string) => {
      const issue = store.requireIssue(idOrKey);
      const transition = issue.project.transitions.find((one) => one.name === name);
      if (transition === undefined) throw new Error(`There is no transition ${name}.`);
      changes.transition(issue, store.user(user), transition, resolution ?? null);
      return shown(issue);
    },
    linkAs: (user: string, type: string, source: string, target: string) => {
      const found = store.linkTypes.find(({ name }) => name === type);
      if (found === undefined) throw new Error(`There is no link type ${type}.`);
      changes.link(found, store.requireIssue(source), store.requireIssue(target), store.user(user));
    },
    commentAs: (user: string, idOrKey: string, body: unknown) =>
      changes.comment(store.requireIssue(idOrKey), store.user(user), body).id,
    deleteIssue: (idOrKey: string) => {
      const issue = store.requireIssue(idOrKey);
      changes.delete(issue, issue.reporter);
    },
    moveIssue: (idOrKey: string, key: string) => {
      const issue = store.requireIssue(idOrKey);
      store.move(issue, project(key));
      return shown(issue);
    },
    renameProject: (key: string, to: string) => {
      const found = project(key);
      found.formerKeys.push(found.key);
      found.key = to;
    },
    deleteProject: (key: string) => {
      const found = project(key);
      for (const issue of [...store.issues.values()])
        if (issue.project === found) store.issues.delete(issue.id);
      store.projects.splice(store.projects.indexOf(found), 1);
    },
    setArchived: (key: string, archived: boolean) => {
      project(key).archived = archived;
    },
    deny: (user: string, key: string, permissions: readonly Permission[]) => {
      project(key).denied.set(user, new Set(permissions));
    },
    setTimeZone: (user: string, timeZone: string) => {
      store.user(user).timeZone = timeZone;
    },
    setToken: ({ token, user }: JiraSeedToken) => {
      store.tokens.set(token, store.user(user).name);
    },
    revokeToken: (token: string) => {
      store.tokens.delete(token);
    },
  };
}

function snapshot(store: Store, issue: Issue): JiraIssueSnapshot {
  return {
    id: issue.id,
    key: issueKey(issue),
    summary: issue.summary,
    description: issue.description,
    type: issue.type.name,
    status: issue.status.name,
    category: issue.status.category,
    resolution: issue.resolution?.name ?? null,
    labels: [...issue.labels],
    assignee: issue.assignee?.name ?? null,
    properties: Object.fromEntries(issue.properties),
    comments: issue.comments.map(({ id, author, body, properties }) => {
      return { id, user: author.name, body, properties: Object.fromEntries(properties) };
    }),
    links: store.linksOf(issue).map(({ type, source, target }) => {
      return source === issue ? `${type.outward} ${issueKey(target)}` : `${type.inward} ${issueKey(source)}`;
    }),
  };
}
