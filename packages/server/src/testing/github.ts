import { issuesCount } from '@winnow/contract/issue';
import { issueDetail } from '@winnow/contract/issue-detail';
import { type Tracker, tracker } from '@winnow/contract/tracker';
import {
  type GitHubEmulator,
  type GitHubEmulatorOptions,
  startGitHubEmulator,
} from '@winnow/emulators/github/emulator';
import type { GitHubSeed, GitHubSeedIssue } from '@winnow/emulators/github/seed';
import type { Caller } from './caller.ts';
import { eventually } from './eventually.ts';

export const TOKEN = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
const LONG_AGO_MS = Date.parse('2024-05-01T12:00:00Z');

export type GitHubOptions = Omit<GitHubEmulatorOptions, 'seed'> & { seed?: Partial<GitHubSeed> };

/**
 * Starts a GitHub emulator with the repository `acme/app` and the user `ada`, who has the token
 * {@link TOKEN}. The repository contains `issues`; `seed` adds more data.
 */
export function startGitHub(
  issues: GitHubSeedIssue[],
  { seed, ...options }: GitHubOptions = {},
): Promise<GitHubEmulator> {
  return startGitHubEmulator({
    enterprise: true,
    ...options,
    seed: {
      users: [{ login: 'ada' }, ...(seed?.users ?? [])],
      orgs: [{ login: 'acme', members: ['ada'] }, ...(seed?.orgs ?? [])],
      repos: [{ owner: 'acme', name: 'app', private: true, issues }, ...(seed?.repos ?? [])],
      tokens: [{ token: TOKEN, login: 'ada' }, ...(seed?.tokens ?? [])],
    },
  });
}

/** Returns `count` old issues with unique texts, created one minute apart. */
export function differentIssues(count: number): GitHubSeedIssue[] {
  return Array.from({ length: count }, (_, index) => ({
    title: `Report ${index + 1} about ${words(index)}`,
    body: `What happens: ${words(index * 7 + 3)} and then ${words(index * 13 + 5)}.`,
    created_at: minutesAfterStart(index),
  }));
}

/** Returns the time that is this number of minutes after a fixed time in the past. */
export function minutesAfterStart(minutes: number): string {
  return new Date(LONG_AGO_MS + minutes * 60_000).toISOString();
}

const NOUNS = [
  'invoice',
  'printer',
  'calendar',
  'password',
  'export',
  'upload',
  'banner',
  'filter',
  'cursor',
  'report',
];
const VERBS = ['vanishes', 'freezes', 'doubles', 'blinks', 'crashes', 'shrinks', 'repeats'];

function words(seed: number): string {
  const noun = NOUNS[seed % NOUNS.length];
  const verb = VERBS[Math.floor(seed / NOUNS.length) % VERBS.length];
  return `the ${noun} ${verb} case${seed}`;
}

let trackers = 0;

/**
 * Returns the request body that connects the emulator, with the whole organization `acme` in scope.
 */
export function trackerOf(github: Pick<GitHubEmulator, 'url'>, changes: Record<string, unknown> = {}) {
  trackers += 1;
  return {
    name: `GitHub ${trackers}`,
    type: 'github',
    url: github.url,
    api_key: TOKEN,
    scope_rules: [include('ORGANIZATION', 'acme')],
    ...changes,
  };
}

export function include(scope_type: 'ORGANIZATION' | 'PROJECT', identifier: string) {
  return { rule_type: 'INCLUDE', scope_type, identifier } as const;
}

/** Connects the emulator as a tracker, which starts the first sync. */
export function connect(
  caller: Caller,
  github: Pick<GitHubEmulator, 'url'>,
  changes: Record<string, unknown> = {},
): Promise<Tracker> {
  return caller.send('POST', '/trackers', trackerOf(github, changes), tracker);
}

/**
 * Waits until a sync has ended and returns the tracker. With `after`, the sync must have ended
 * after that time.
 * @throws if the sync failed
 */
export function whenSynced(caller: Caller, trackerId: string, after: string | null = null): Promise<Tracker> {
  return whenTracker(caller, trackerId, ({ sync }) => {
    const { last_finished_at: finished } = sync;
    return sync.state === 'idle' && finished !== null && (after === null || finished > after);
  });
}

/** Waits until `fits` is true for the tracker. Returns the tracker. */
export function whenTracker(
  caller: Caller,
  trackerId: string,
  fits: (tracker: Tracker) => boolean,
): Promise<Tracker> {
  let last: Tracker | null = null;
  return eventually(
    async () => {
      last = await caller.get(`/trackers/${trackerId}`, tracker);
      return fits(last) ? last : null;
    },
    { what: 'the tracker' },
  ).catch((error: unknown) => {
    throw new Error(`The state of the tracker is ${JSON.stringify(last)}`, { cause: error });
  });
}

/**
 * Waits until all issues of the account are analyzed. With `count`, also waits until the account
 * has this number of issues.
 */
export async function whenCompared(caller: Caller, count?: number): Promise<void> {
  await eventually(
    async () => {
      const { total_issues, total_processed } = await caller.get('/issues-count', issuesCount);
      return total_issues > 0 && total_issues === (count ?? total_issues) && total_processed === total_issues;
    },
    { timeoutMs: 60_000, what: 'all issues to be compared' },
  );
}

/**
 * Returns the ids of the issues of `acme/app`, indexed by issue number. Index 0 contains an empty
 * string.
 */
export async function issueIds(caller: Caller, count: number): Promise<string[]> {
  const found = Array.from({ length: count }, (_, index) =>
    caller.get(`/issues/acme%2Fapp%23${index + 1}`, issueDetail),
  );
  return ['', ...(await Promise.all(found)).map(({ id }) => id)];
}

/** Starts another sync and waits until it has ended. Returns the tracker. */
export async function syncAgain(caller: Caller, trackerId: string): Promise<Tracker> {
  const before = await caller.get(`/trackers/${trackerId}`, tracker);
  await caller.send('POST', `/trackers/${trackerId}/sync`, undefined, tracker);
  return whenSynced(caller, trackerId, before.sync.last_finished_at);
}
