import type { TrackerCreate } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '../github/emulator.ts';
import { startGitLabEmulator } from '../gitlab/emulator.ts';
import type { Faults } from '../http/faults.ts';
import type { RequestLog } from '../http/request-log.ts';
import { startJiraEmulator } from '../jira/emulator.ts';
import { savedText } from '../jira/saved-text.ts';

/** Fields of an issue in the tracker that a decision can change. */
export interface IssueState {
  title: string;
  text: unknown;
  state: string;
  /** Reason for closing the issue. Null if the tracker stores none. */
  reason: string | null;
  labels: string[];
  assignees: string[];
  duplicateOf: string | null;
  comments: unknown[];
  links: string[];
}

type Person = 'ada' | 'bob';
const NAMES: Record<Person, string> = { ada: 'Ada Lovelace', bob: 'Bob Kahn' };

/**
 * An emulated tracker with one issue per entry of `titles`, numbered from 1. Tests read and change
 * it without Winnow. Its token belongs to Ada. Issues can be assigned to Ada and Bob.
 */
export interface TestTracker {
  /** Name of the tracker's only project. */
  project: string;
  keyOf(number: number): string;
  inspect(number: number): IssueState;
  /** Returns the number of issues in the tracker. */
  count(): number;
  /** Changes the title of an issue in the tracker, in the name of Bob. */
  renameIssue(number: number, title: string): void;
  /**
   * Returns the name that Winnow has for a user. It is the login, or the full name if the tracker
   * returns no login.
   */
  loginOf(person: Person): string;
  faults: Pick<Faults, 'add' | 'clear'>;
  requests: RequestLog;
  close(): Promise<void>;
  /** Host and port of the emulator. Winnow must be allowed to call it. */
  host: string;
  /** Settings of the connection, without the field that names the tracker. */
  connection: Omit<Extract<TrackerCreate, { api_key: string }>, 'name'>;
}

const TEXT =
  'It stops.\n\n1. Start it\n2. Wait\n\n```\nTimeoutError: 30 s\n```\n\nSee **the log** and `main.c`.';
const TOKEN = 'a-token-of-forty-characters-0123456789ab';

/** The same text in both formats of Jira: a document for Cloud, and wiki markup for Data Center. */
const DOCUMENT = {
  type: 'doc',
  version: 1,
  content: [
    { type: 'paragraph', content: [{ type: 'text', text: 'It stops.' }] },
    {
      type: 'orderedList',
      attrs: { order: 1 },
      content: ['Start it', 'Wait'].map((text) => ({
        type: 'listItem',
        content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
      })),
    },
    { type: 'codeBlock', content: [{ type: 'text', text: 'TimeoutError: 30 s' }] },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'See ' },
        { type: 'text', text: 'the log', marks: [{ type: 'strong' }] },
        { type: 'text', text: '.' },
      ],
    },
  ],
};
const MARKUP =
  'It stops.\n\n# Start it\n# Wait\n\n{noformat}\nTimeoutError: 30 s\n{noformat}\n\nSee *the log* and {{main.c}}.';

function include(identifier: string) {
  return { rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier } as const;
}

async function openGitHub(titles: readonly string[]): Promise<TestTracker> {
  const emulator = await startGitHubEmulator({
    seed: {
      users: [{ login: 'ada' }, { login: 'bob' }],
      orgs: [{ login: 'acme', members: ['ada', 'bob'] }],
      repos: [{ owner: 'acme', name: 'app', issues: titles.map((title) => ({ title, body: TEXT })) }],
      tokens: [{ token: TOKEN, login: 'ada', scopes: ['repo', 'read:org'], repos: 'all' }],
    },
  });
  return {
    project: 'acme/app',
    keyOf: (number) => `acme/app#${number}`,
    inspect: (number) => {
      const issue = emulator.issue('acme', 'app', number);
      const { title, body, state, labels, assignees, duplicate_of } = issue;
      return {
        title,
        text: body,
        state,
        reason: state === 'closed' ? issue.state_reason : null,
        labels,
        assignees,
        duplicateOf: duplicate_of,
        comments: issue.comments.map((comment) => comment.body),
        links: issue.blocked_by.map((key) => `is blocked by ${key}`),
      };
    },
    count: () => emulator.state().repos[0]?.issues.length ?? 0,
    renameIssue: (number, title) => void emulator.editAs('bob', 'acme', 'app', number, { title }),
    loginOf: (person) => person,
    faults: emulator.faults,
    requests: emulator.requests,
    close: () => emulator.close(),
    host: new URL(emulator.url).host,
    connection: {
      type: 'github',
      url: emulator.url,
      api_key: TOKEN,
      config: {},
      scope_rules: [include('acme')],
    },
  };
}

async function openGitLab(titles: readonly string[]): Promise<TestTracker> {
  const emulator = await startGitLabEmulator({
    seed: {
      users: [{ username: 'ada' }, { username: 'bob' }],
      groups: [{ full_path: 'acme', name: 'Acme', members: { ada: 'maintainer', bob: 'developer' } }],
      projects: [
        {
          path_with_namespace: 'acme/app',
          issues: titles.map((title) => ({ title, description: TEXT })),
        },
      ],
      tokens: [{ token: TOKEN, username: 'ada' }],
    },
  });
  const items = () => emulator.state().projects[0]?.items ?? [];
  return {
    project: 'acme/app',
    keyOf: (number) => `acme/app#${number}`,
    inspect: (number) => {
      const item = items().find(({ iid }) => iid === number);
      if (!item) throw new Error(`Issue ${number} not found.`);
      const { title, description, state, labels, assignees, duplicate_of, comments, links } = item;
      return {
        title,
        text: description,
        state,
        reason: null,
        labels,
        assignees,
        duplicateOf: duplicate_of,
        comments: comments.map(({ body }) => body),
        links,
      };
    },
    count: () => items().length,
    renameIssue: (number, title) => void emulator.editAs('bob', 'acme/app', number, { title }),
    loginOf: (person) => person,
    faults: emulator.faults,
    requests: emulator.requests,
    close: () => emulator.close(),
    host: new URL(emulator.url).host,
    connection: {
      type: 'gitlab',
      url: emulator.url,
      api_key: TOKEN,
      config: {},
      scope_rules: [include('acme')],
    },
  };
}

async function openJira(
  titles: readonly string[],
  deployment: 'cloud' | 'data_center',
): Promise<TestTracker> {
  const isCloud = deployment === 'cloud';
  const emulator = await startJiraEmulator({
    deployment,
    storedText: savedText,
    seed: {
      users: [
        { name: 'ada', email: 'ada@example.com', displayName: NAMES.ada },
        { name: 'bob', displayName: NAMES.bob },
      ],
      tokens: [{ token: TOKEN, user: 'ada' }],
      projects: [
        {
          key: 'WIN',
          name: 'Winnow',
          issues: titles.map((title) => ({
            summary: title,
            description: savedText(isCloud ? DOCUMENT : MARKUP),
          })),
        },
      ],
    },
  });
  return {
    project: 'WIN',
    keyOf: (number) => `WIN-${number}`,
    inspect: (number) => {
      const issue = emulator.issue(`WIN-${number}`);
      return {
        title: issue.summary,
        text: issue.description,
        state: issue.category,
        reason: issue.resolution,
        labels: issue.labels,
        assignees: issue.assignee === null ? [] : [issue.assignee],
        duplicateOf: issue.resolution,
        comments: issue.comments.map(({ body }) => body),
        links: issue.links,
      };
    },
    count: () => emulator.issues('WIN').length,
    renameIssue: (number, title) => void emulator.editAs('bob', `WIN-${number}`, { summary: title }),
    loginOf: (person) => (isCloud ? NAMES[person] : person),
    faults: emulator.faults,
    requests: emulator.requests,
    close: () => emulator.close(),
    host: new URL(emulator.url).host,
    connection: {
      type: 'jira',
      url: emulator.siteUrl,
      api_key: TOKEN,
      config: isCloud ? { username: 'ada@example.com' } : {},
      scope_rules: [include(new URL(emulator.siteUrl).host)],
    },
  };
}

/** Functions that start an emulated tracker. All issues of a tracker have the same description. */
export const TEST_TRACKERS: Record<string, (titles: readonly string[]) => Promise<TestTracker>> = {
  GitHub: openGitHub,
  GitLab: openGitLab,
  'Jira Cloud': (titles) => openJira(titles, 'cloud'),
  'Jira Data Center': (titles) => openJira(titles, 'data_center'),
};
