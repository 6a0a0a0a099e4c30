import type { TrackerCreate } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { startGitLabEmulator } from '@winnow/emulators/gitlab/emulator';
import type { ServedEmulator } from '@winnow/emulators/http/start';
import { startJiraEmulator } from '@winnow/emulators/jira/emulator';
import { startSyncProcess } from '../product/sync-process.ts';
import type { Emit } from './run.ts';

const ISSUES = 10_000;
const LARGE_BACKLOG_ISSUES = 5 * ISSUES;
const ROUNDS = 3;
const PROJECTS = 30;
const TOKEN = 'ghp_sync_bench';
const MIB = 2 ** 20;
const BODY =
  'The job fails with a timeout when the node is under load, and the log says nothing of it. '.repeat(11);
const COMMENT = 'I see the same since the last update, on three of our machines. '.repeat(4);

/**
 * Response times of tracker pages in milliseconds. 0 is an emulator without delay, 100 is the
 * minimum of a real tracker.
 */
const DELAYS_MS = [0, 100];
/** Pattern of the request paths that are delayed. */
const PAGES = '(issues|comments|merge_requests|notes|search/jql)\\?';

type Served = Pick<ServedEmulator<{ kind: string }>, 'url' | 'requests' | 'faults' | 'close'>;

/**
 * An emulated tracker to sync. Each project has the given number of issues, and every second issue
 * has a comment.
 */
interface Bench {
  type: 'github' | 'gitlab' | 'jira';
  /**
   * Number of issues that are synced from delayed pages. The number is lower for trackers that need
   * one request per issue to read comments.
   */
  delayedIssues: number;
  start: (projects: readonly number[]) => Promise<Served>;
  organization: (url: string) => string;
  username?: string;
  headers: Record<string, string>;
}

const BENCHES: readonly Bench[] = [
  {
    type: 'github',
    delayedIssues: ISSUES,
    organization: () => 'many',
    headers: { authorization: `Bearer ${TOKEN}` },
    start: (projects) =>
      startGitHubEmulator({
        enterprise: true,
        seed: {
          users: [{ login: 'keeper' }],
          orgs: [{ login: 'many', members: ['keeper'] }],
          repos: projects.map((count, place) => ({
            owner: 'many',
            name: `p${place}`,
            private: true,
            issues: issuesOf(count).map(({ title, at, comments }) => ({
              title,
              body: BODY,
              labels: ['bug', 'reported'],
              created_at: at,
              comments: comments.map((body) => ({ user: 'keeper', body, created_at: at })),
            })),
          })),
          tokens: [{ token: TOKEN, login: 'keeper' }],
        },
      }),
  },
  {
    type: 'gitlab',
    delayedIssues: ISSUES / 5,
    organization: () => 'many',
    headers: { 'private-token': TOKEN },
    start: (projects) =>
      startGitLabEmulator({
        seed: {
          users: [{ username: 'keeper' }],
          groups: [{ full_path: 'many', members: { keeper: 'maintainer' } }],
          projects: projects.map((count, place) => ({
            path_with_namespace: `many/p${place}`,
            issues: issuesOf(count).map(({ title, at, comments }) => ({
              title,
              description: BODY,
              created_at: at,
              notes: comments.map((body) => ({ body, created_at: at })),
            })),
          })),
          tokens: [{ token: TOKEN, username: 'keeper' }],
        },
      }),
  },
  {
    type: 'jira',
    delayedIssues: ISSUES,
    organization: (url) => new URL(url).host,
    username: 'keeper@example.com',
    headers: { authorization: `Basic ${Buffer.from(`keeper@example.com:${TOKEN}`).toString('base64')}` },
    start: (projects) =>
      startJiraEmulator({
        seed: {
          users: [{ name: 'keeper', email: 'keeper@example.com' }],
          tokens: [{ token: TOKEN, user: 'keeper' }],
          projects: projects.map((count, place) => ({
            key: `P${place}`,
            issues: issuesOf(count).map(({ title, at, comments }) => ({
              summary: title,
              description: BODY,
              created: at,
              comments: comments.map((body) => ({ body, created: at })),
            })),
          })),
        },
      }),
  },
];

/**
 * Measures the sync of a large backlog without analysis.
 * Compares the speed with a client that fetches the same pages and discards them. With instant
 * pages, the sync and the emulator compete for the processor. A second comparison delays the pages
 * as a real tracker would.
 * Also counts the requests of a sync without changes, and measures memory.
 */
export async function run(emit: Emit): Promise<void> {
  for (const bench of BENCHES) {
    for (const delayMs of DELAYS_MS) await compareSpeed(bench, delayMs, emit);
    await countRequests(bench, emit);
  }
  for (const bench of BENCHES) await measureMemory(bench, emit);
}

async function compareSpeed(bench: Bench, delayMs: number, emit: Emit): Promise<void> {
  const issues = delayMs === 0 ? ISSUES : bench.delayedIssues;
  const emulator = await bench.start([issues]);
  const process = await startSyncProcess();
  try {
    await process.sync(trackerOf(bench, emulator.url));
    const batches = batchesOf(emulator);
    if (delayMs > 0) emulator.faults.add({ match: { path: PAGES }, action: { kind: 'delay', delayMs } });
    const ratios: number[] = [];
    const speeds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const bare = await process.bare(bench.headers, batches);
      const product = await process.sync(trackerOf(bench, emulator.url));
      if (product.state !== 'done') throw new Error(`The sync of ${bench.type} ended as ${product.state}.`);
      ratios.push(bare.tookMs / product.tookMs);
      speeds.push(issues / (product.tookMs / 1000));
    }
    const name = `${bench.type}: first sync, a page ${delayMs === 0 ? 'at once' : `after ${delayMs} ms`}`;
    const detail = {
      issues,
      requests: batches.flat().length,
      ratios: ratios.map(round2),
      issues_per_s: Math.round(median(speeds)),
    };
    emit({ name, value: median(ratios), unit: 'of the speed of discarding pages', detail });
  } finally {
    await process.stop();
    await emulator.close();
  }
}

/**
 * Returns the requested addresses in order. Requests for notes of several issues are grouped into
 * batches, as in the product.
 */
function batchesOf(emulator: Served): string[][] {
  const batches: string[][] = [];
  let together: string[] = [];
  for (const { method, url } of emulator.requests.all()) {
    if (method !== 'GET') continue;
    const address = `${emulator.url}${url}`;
    if (!/\/notes\?/.test(url)) {
      if (together.length > 0) batches.push(together);
      together = [];
      batches.push([address]);
    } else if (together.push(address) === 4) {
      batches.push(together);
      together = [];
    }
  }
  if (together.length > 0) batches.push(together);
  return batches;
}

async function countRequests(bench: Bench, emit: Emit): Promise<void> {
  const emulator = await bench.start(Array.from({ length: PROJECTS }, () => 3));
  const process = await startSyncProcess();
  try {
    await process.sync(trackerOf(bench, emulator.url));
    await process.sync(null);
    emulator.requests.clear();
    await process.sync(null);
    const all = emulator.requests.all();
    emit({
      name: `${bench.type}: requests of a project without changes`,
      value: round2(all.length / PROJECTS),
      unit: 'requests',
      detail: {
        projects: PROJECTS,
        all: all.length,
        unchanged: all.filter(({ status }) => status === 304).length,
      },
    });
  } finally {
    await process.stop();
    await emulator.close();
  }
}

async function measureMemory(bench: Bench, emit: Emit): Promise<void> {
  const peaks: number[] = [];
  for (const count of [ISSUES, LARGE_BACKLOG_ISSUES]) {
    const emulator = await bench.start([count]);
    const process = await startSyncProcess();
    try {
      const { peakBytes } = await process.sync(trackerOf(bench, emulator.url));
      peaks.push(Math.round(peakBytes / MIB));
    } finally {
      await process.stop();
      await emulator.close();
    }
  }
  const [few = 0, many = 0] = peaks;
  emit({
    name: `${bench.type}: peak memory of a first sync`,
    value: many,
    unit: 'MiB',
    detail: { issues: LARGE_BACKLOG_ISSUES, beside: few, beside_issues: ISSUES },
  });
}

function trackerOf({ type, organization, username }: Bench, url: string): TrackerCreate {
  return {
    name: 'Bench',
    type,
    url,
    api_key: TOKEN,
    scope_rules: [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: organization(url) }],
    config: username === undefined ? {} : { username },
  };
}

function issuesOf(count: number): { title: string; at: string; comments: string[] }[] {
  return Array.from({ length: count }, (_, index) => ({
    title: `Report ${index} of the benchmark`,
    at: new Date(Date.UTC(2020, 0, 1) + index * 60_000).toISOString(),
    comments: index % 2 === 0 ? [COMMENT] : [],
  }));
}

function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return round2(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN);
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
