import type { ConnectableTrackerType, TrackerCreate } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { startGitLabEmulator } from '@winnow/emulators/gitlab/emulator';
import type { Exchange } from '@winnow/emulators/http/host';
import type { ServedEmulator } from '@winnow/emulators/http/start';
import { startJiraEmulator } from '@winnow/emulators/jira/emulator';

const TOKEN = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * An emulated tracker of any type, with actions of its users. Projects are identified by index,
 * issues by number.
 */
export interface EmulatedTracker {
  type: ConnectableTrackerType;
  emulator: Pick<ServedEmulator<{ kind: string }>, 'url' | 'faults' | 'requests' | 'close'>;
  /** Request body that connects this tracker, with all its projects in scope. */
  connection: Extract<TrackerCreate, { type: ConnectableTrackerType }>;
  /** Returns the current identifier of the project. */
  project(place: number): string;
  /** Returns the key of an issue of the project. */
  key(place: number, number: number): string;
  add(place: number, title: string): void;
  edit(place: number, number: number, title: string): void;
  comment(place: number, number: number, body: string): void;
  remove(place: number, number: number): void;
  /** Moves an issue to another project, where it gets the next free number. */
  move(place: number, number: number, target: number): void;
  rename(place: number, name: string): void;
  setArchived(place: number, archived: boolean): void;
  deleteProject(place: number): void;
  /** Revokes the token. All later requests get 401. */
  revoke(): void;
}

export interface EmulatedTrackerOptions {
  /** Number of issues for each project. Every third issue has a comment. */
  issues: readonly number[];
  /** Clock of the tracker. Default: the system clock. */
  clock?: () => Date;
  /** Called with each request and its response. */
  onExchange?: (exchange: Exchange) => void;
}

const LONG_AGO_MS = Date.parse('2024-03-01T12:00:00Z');

interface SeedIssue {
  title: string;
  text: string;
  at: string;
  comments: string[];
}

/** Returns `count` issues, created one minute apart, each with a unique text. */
function backlog(place: number, count: number): SeedIssue[] {
  return Array.from({ length: count }, (_, index) => ({
    title: `Report ${place}-${index + 1} about case${place * 10_000 + index}`,
    text: `What happens in case${place * 10_000 + index}, and what was expected of it${index}.`,
    at: new Date(LONG_AGO_MS + index * 60_000).toISOString(),
    comments: index % 3 === 0 ? [`Comment on ${place}-${index + 1}`] : [],
  }));
}

/** Starts a tracker. Each entry of `issues` is the number of issues of one project. */
export function startEmulatedTracker(
  type: ConnectableTrackerType,
  options: EmulatedTrackerOptions,
): Promise<EmulatedTracker> {
  return STARTERS[type](options);
}

const STARTERS = { github: startGitHub, gitlab: startGitLab, jira: startJira } as const;

function serving({ clock, onExchange }: EmulatedTrackerOptions) {
  return { ...(clock === undefined ? {} : { clock }), ...(onExchange === undefined ? {} : { onExchange }) };
}

function connectionTo(type: ConnectableTrackerType, url: string, organization: string, username?: string) {
  return {
    name: `A ${type}`,
    type,
    url,
    api_key: TOKEN,
    scope_rules: [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: organization } as const],
    config: username === undefined ? {} : { username },
  };
}

async function startGitHub(options: EmulatedTrackerOptions): Promise<EmulatedTracker> {
  const names = options.issues.map((_, place) => `p${place}`);
  const emulator = await startGitHubEmulator({
    ...serving(options),
    enterprise: true,
    rateLimit: 1_000_000,
    seed: {
      users: [{ login: 'ada' }],
      orgs: [{ login: 'acme', members: ['ada'] }],
      repos: options.issues.map((count, place) => ({
        owner: 'acme',
        name: `p${place}`,
        private: true,
        issues: backlog(place, count).map(({ title, text, at, comments }) => ({
          title,
          body: text,
          created_at: at,
          comments: comments.map((body) => ({ user: 'ada', body })),
        })),
      })),
      tokens: [{ token: TOKEN, login: 'ada' }],
    },
  });
  const name = (place: number) => names[place] ?? '';
  return {
    type: 'github',
    emulator,
    connection: connectionTo('github', emulator.url, 'acme'),
    project: (place) => `acme/${name(place)}`,
    key: (place, number) => `acme/${name(place)}#${number}`,
    add: (place, title) => emulator.createIssue('acme', name(place), { title, body: null }),
    edit: (place, number, title) => emulator.editAs('ada', 'acme', name(place), number, { title }),
    comment: (place, number, body) => emulator.commentAs('ada', 'acme', name(place), number, body),
    remove: (place, number) => emulator.deleteIssue('acme', name(place), number),
    move: (place, number, target) => emulator.transferIssue('acme', name(place), number, name(target)),
    rename: (place, to) => {
      emulator.renameRepo('acme', name(place), to);
      names[place] = to;
    },
    setArchived: (place, archived) => emulator.setArchived('acme', name(place), archived),
    deleteProject: (place) => emulator.deleteRepo('acme', name(place)),
    revoke: () => emulator.revokeToken(TOKEN),
  };
}

async function startGitLab(options: EmulatedTrackerOptions): Promise<EmulatedTracker> {
  const paths = options.issues.map((_, place) => `acme/p${place}`);
  const emulator = await startGitLabEmulator({
    ...serving(options),
    seed: {
      users: [{ username: 'ada' }],
      groups: [{ full_path: 'acme', members: { ada: 'maintainer' } }],
      projects: options.issues.map((count, place) => ({
        path_with_namespace: `acme/p${place}`,
        issues: backlog(place, count).map(({ title, text, at, comments }) => ({
          title,
          description: text,
          created_at: at,
          notes: comments.map((body) => ({ body, created_at: at })),
        })),
      })),
      tokens: [{ token: TOKEN, username: 'ada' }],
    },
  });
  const path = (place: number) => paths[place] ?? '';
  return {
    type: 'gitlab',
    emulator,
    connection: connectionTo('gitlab', emulator.url, 'acme'),
    project: path,
    key: (place, number) => `${path(place)}#${number}`,
    add: (place, title) => emulator.createIssue(path(place), { title }),
    edit: (place, number, title) => emulator.editAs('ada', path(place), number, { title }),
    comment: (place, number, body) => emulator.commentAs('ada', path(place), number, body),
    remove: (place, number) => emulator.deleteItem(path(place), number),
    move: (place, number, target) => emulator.moveIssueAs('ada', path(place), number, path(target)),
    rename: (place, to) => {
      emulator.renameProject(path(place), to);
      paths[place] = `acme/${to}`;
    },
    setArchived: (place, archived) => emulator.setProject(path(place), { archived }),
    deleteProject: (place) => emulator.deleteProject(path(place)),
    revoke: () => emulator.revokeToken(TOKEN),
  };
}

async function startJira(options: EmulatedTrackerOptions): Promise<EmulatedTracker> {
  const keys = options.issues.map((_, place) => `P${place}`);
  const emulator = await startJiraEmulator({
    ...serving(options),
    seed: {
      users: [{ name: 'ada', email: 'ada@example.com' }],
      tokens: [{ token: TOKEN, user: 'ada' }],
      projects: options.issues.map((count, place) => ({
        key: `P${place}`,
        issues: backlog(place, count).map(({ title, text, at, comments }) => ({
          summary: title,
          description: text,
          created: at,
          comments: comments.map((body) => ({ body, created: at })),
        })),
      })),
    },
  });
  const key = (place: number) => keys[place] ?? '';
  const named = (place: number, number: number) => `${key(place)}-${number}`;
  return {
    type: 'jira',
    emulator,
    connection: connectionTo('jira', emulator.url, new URL(emulator.url).host, 'ada@example.com'),
    project: key,
    key: named,
    add: (place, title) => emulator.createIssue(key(place), { summary: title }),
    edit: (place, number, title) => emulator.editAs('ada', named(place, number), { summary: title }),
    comment: (place, number, body) => emulator.commentAs('ada', named(place, number), body),
    remove: (place, number) => emulator.deleteIssue(named(place, number)),
    move: (place, number, target) => emulator.moveIssue(named(place, number), key(target)),
    rename: (place, to) => {
      emulator.renameProject(key(place), to.toUpperCase());
      keys[place] = to.toUpperCase();
    },
    setArchived: (place, archived) => emulator.setArchived(key(place), archived),
    deleteProject: (place) => emulator.deleteProject(key(place)),
    revoke: () => emulator.revokeToken(TOKEN),
  };
}
