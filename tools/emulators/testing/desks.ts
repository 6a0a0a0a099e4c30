import type { TrackerCreate } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '../github/emulator.ts';
import { startGitLabEmulator } from '../gitlab/emulator.ts';
import { startJiraEmulator } from '../jira/emulator.ts';

/** What a tracker itself has of an issue, as far as a decision may touch it. */
export interface Look {
  title: string;
  text: unknown;
  state: string;
  duplicateOf: string | null;
  comments: unknown[];
  links: string[];
}

/** A tracker with the issues of `titles`, numbered from 1, and a way to look at them that the product has no part in. */
export interface Desk {
  keyOf(number: number): string;
  look(number: number): Look;
  close(): Promise<void>;
  /** Host and port, as the product must be allowed to call it. */
  host: string;
  /** What connects it, but for a name. */
  connection: Omit<Extract<TrackerCreate, { api_key: string }>, 'name'>;
}

const TEXT =
  'It stops.\n\n1. Start it\n2. Wait\n\n```\nTimeoutError: 30 s\n```\n\nSee **the log** and `main.c`.';
const TOKEN = 'a-token-of-forty-characters-0123456789ab';

/** The same in Jira's own forms: a document for Cloud, markup for Data Center. */
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

async function openGitHub(titles: readonly string[]): Promise<Desk> {
  const emulator = await startGitHubEmulator({
    seed: {
      users: [{ login: 'ada' }],
      orgs: [{ login: 'acme', members: ['ada'] }],
      repos: [{ owner: 'acme', name: 'app', issues: titles.map((title) => ({ title, body: TEXT })) }],
      tokens: [{ token: TOKEN, login: 'ada', scopes: ['repo', 'read:org'], repos: 'all' }],
    },
  });
  return {
    keyOf: (number) => `acme/app#${number}`,
    look: (number) => {
      const { title, body, state, duplicate_of, comments, blocked_by } = emulator.issue(
        'acme',
        'app',
        number,
      );
      const bodies = comments.map((comment) => comment.body);
      const links = blocked_by.map((key) => `is blocked by ${key}`);
      return { title, text: body, state, duplicateOf: duplicate_of, comments: bodies, links };
    },
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

async function openGitLab(titles: readonly string[]): Promise<Desk> {
  const emulator = await startGitLabEmulator({
    seed: {
      users: [{ username: 'ada' }],
      groups: [{ full_path: 'acme', name: 'Acme', members: { ada: 'maintainer' } }],
      projects: [
        {
          path_with_namespace: 'acme/app',
          issues: titles.map((title) => ({ title, description: TEXT })),
        },
      ],
      tokens: [{ token: TOKEN, username: 'ada' }],
    },
  });
  return {
    keyOf: (number) => `acme/app#${number}`,
    look: (number) => {
      const item = emulator.state().projects[0]?.items.find(({ iid }) => iid === number);
      if (!item) throw new Error(`There is no ${number}.`);
      const { title, description, state, duplicate_of, comments, links } = item;
      const bodies = comments.map(({ body }) => body);
      return { title, text: description, state, duplicateOf: duplicate_of, comments: bodies, links };
    },
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

async function openJira(titles: readonly string[], deployment: 'cloud' | 'data_center'): Promise<Desk> {
  const isCloud = deployment === 'cloud';
  const emulator = await startJiraEmulator({
    deployment,
    seed: {
      users: [{ name: 'ada', email: 'ada@example.com' }],
      tokens: [{ token: TOKEN, user: 'ada' }],
      projects: [
        {
          key: 'WIN',
          name: 'Winnow',
          issues: titles.map((title) => ({ summary: title, description: isCloud ? DOCUMENT : MARKUP })),
        },
      ],
    },
  });
  return {
    keyOf: (number) => `WIN-${number}`,
    look: (number) => {
      const { summary, description, category, resolution, comments, links } = emulator.issue(`WIN-${number}`);
      const bodies = comments.map(({ body }) => body);
      return {
        title: summary,
        text: description,
        state: category,
        duplicateOf: resolution,
        comments: bodies,
        links,
      };
    },
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

/** Starts a tracker of a kind; all its issues have the same text. */
export const DESKS: Record<string, (titles: readonly string[]) => Promise<Desk>> = {
  GitHub: openGitHub,
  GitLab: openGitLab,
  'Jira Cloud': (titles) => openJira(titles, 'cloud'),
  'Jira Data Center': (titles) => openJira(titles, 'data_center'),
};
