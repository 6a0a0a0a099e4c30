import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { flow } from '@winnow/contract/flow';
import { tracker, trackerWebhook } from '@winnow/contract/tracker';
import { type GitHubEmulator, startGitHubEmulator } from '@winnow/emulators/github/emulator';
import type { Db } from '../../packages/server/src/schema/tables.ts';
import { openDatabaseOf } from '../../packages/server/src/testing/database-of.ts';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { type Api, eventually, registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';

const FLOWS = 100;
/** Number of flows whose filters match the events. */
const STARTED_FLOWS = 10;
const ISSUES = 50;
const EDITS = Number(process.env.BENCH_FLOW_EDITS ?? 60);
const EDIT_INTERVAL_MS = 1_000;
/** Minimum time in milliseconds that a real tracker takes to return an issue. */
const TRACKER_DELAY_MS = 100;
const BURST_EVENTS = 500;
const CONCURRENT_DELIVERIES = 20;
const TOKEN = 'ghp_flow_bench';

/**
 * Measures the time from a change in the tracker until the flows that it starts are running. Also
 * measures the time to process a burst of events.
 */
export async function run(emit: Emit): Promise<void> {
  const emulator = await startGitHubEmulator({
    enterprise: true,
    seed: {
      users: [{ login: 'keeper' }],
      orgs: [{ login: 'many', members: ['keeper'] }],
      repos: [{ owner: 'many', name: 'issues', private: true, issues: manyIssues() }],
      tokens: [{ token: TOKEN, login: 'keeper', scopes: ['repo', 'read:org'], repos: 'all' }],
    },
  });
  const server = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  const database = await openDatabaseOf(server.dataDir);
  try {
    const api = await registerAndSignIn(server.url, 'bench');
    const hook = await connect(api, emulator);
    await makeFlows(api);
    emulator.faults.add({
      match: { path: '/issues/\\d+$' },
      action: { kind: 'delay', delayMs: TRACKER_DELAY_MS },
    });
    emitTimes(await measureEdits(emulator, database.db), emit);
    const { external_id: id } = await database.db
      .selectFrom('project')
      .select('external_id')
      .executeTakeFirstOrThrow();
    const repository = { id: Number(id), full_name: 'many/issues', default_branch: 'main' };
    emit({
      name: 'burst of pushes until the last execution started',
      value: await measureBurst(hook, repository, database.db),
      unit: 'ms',
      detail: { events: BURST_EVENTS, flows: FLOWS + 1, started_by_each: 1 },
    });
  } finally {
    await database.close();
    await server.remove();
    await emulator.close();
  }
}

/**
 * Creates issues that have an assignee. A flow that suggests assignees then has nothing to suggest,
 * so its execution ends quickly.
 */
function manyIssues() {
  return Array.from({ length: ISSUES }, (_, index) => ({
    title: `Report ${index + 1}`,
    body: `The text of report ${index + 1}.`,
    assignees: ['keeper'],
    created_at: new Date(Date.UTC(2024, 4, 1, 12, index)).toISOString(),
  }));
}

/** Connects the tracker. Creates the webhook that an administrator would create. */
async function connect(api: Api, emulator: GitHubEmulator): Promise<{ url: string; secret: string }> {
  const scope = [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'many' }];
  const body = { name: 'Many', type: 'github', url: emulator.url, api_key: TOKEN, scope_rules: scope };
  const { id } = await api.send('POST', '/trackers', body, tracker);
  await eventually(
    async () => {
      const { sync } = await api.get(`/trackers/${id}`, tracker);
      return sync.state === 'idle' && sync.last_finished_at !== null ? true : null;
    },
    { timeoutMs: 60_000 },
  );
  const { url, secret } = await api.get(`/trackers/${id}/webhook`, trackerWebhook);
  const hook = {
    name: 'web',
    events: ['issues'],
    active: true,
    config: { url, secret, content_type: 'json' },
  };
  const answer = await fetch(`${emulator.apiUrl}/repos/many/issues/hooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify(hook),
  });
  if (answer.status !== 201) throw new Error(`Creating the webhook returned ${answer.status}.`);
  await emulator.deliveries.settled();
  return { url, secret };
}

async function makeFlows(api: Api): Promise<void> {
  for (let number = 0; number < FLOWS; number += 1) {
    const never = [
      { field: 'title', op: 'matches', value: `^(never|ever) ${number}( again)*$` },
      { field: 'description', op: 'contains', value: `nothing ${number}` },
    ];
    const filters = number < STARTED_FLOWS ? [] : never.reverse();
    await makeFlow(api, { trigger_event_type: 'issue_updated', trigger_filters: filters });
  }
  await makeFlow(api, { trigger_event_type: 'push' });
}

async function makeFlow(api: Api, changes: object): Promise<void> {
  await api.send(
    'POST',
    '/flows',
    { name: 'Bench', builtin_actions: ['suggest_assignee'], ...changes },
    flow,
  );
}

/**
 * Edits issues, and returns the times in milliseconds until each flow started by an edit was
 * running.
 */
async function measureEdits(emulator: GitHubEmulator, db: Db): Promise<number[]> {
  const times: number[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    const number = 1 + (edit % ISSUES);
    const before = await executions(db);
    const editedAt = Date.now();
    emulator.editAs('keeper', 'many', 'issues', number, { title: `Edited for the ${edit + 1}. time` });
    const all = await eventually(
      async () => {
        const now = await executions(db);
        const begun = now.slice(before.length).filter(({ start_time: start }) => start !== null);
        return begun.length === STARTED_FLOWS ? begun : null;
      },
      { timeoutMs: 60_000, everyMs: 20 },
    );
    times.push(...all.map(({ start_time: start }) => (start?.getTime() ?? 0) - editedAt));
    await pause(EDIT_INTERVAL_MS);
  }
  return times;
}

function executions(db: Db) {
  return db
    .selectFrom('flow_execution')
    .select(['created_at', 'start_time'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Delivers many push events concurrently. Returns the time until the last execution was stored. */
async function measureBurst(
  { url, secret }: { url: string; secret: string },
  repository: object,
  db: Db,
): Promise<number> {
  const before = (await executions(db)).length;
  const began = Date.now();
  const numbers = Array.from({ length: BURST_EVENTS }, (_, index) => index);
  const deliver = async () => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
      const after = String(number).padStart(40, 'a');
      const commits = [{ id: after, message: 'Bench' }];
      const sender = { login: 'keeper', id: 1 };
      const body = JSON.stringify({ ref: 'refs/heads/topic', after, commits, repository, sender });
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${signature}`,
      };
      const answer = await fetch(url, { method: 'POST', headers, body });
      if (answer.status !== 202) throw new Error(`A delivery returned ${answer.status}.`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_DELIVERIES }, deliver));
  const all = await eventually(
    async () => {
      const now = await executions(db);
      return now.length === before + BURST_EVENTS ? now : null;
    },
    { timeoutMs: 120_000 },
  );
  return Math.max(...all.map(({ created_at: at }) => at.getTime())) - began;
}

function emitTimes(times: number[], emit: Emit): void {
  times.sort((one, other) => one - other);
  const detail = {
    flows: FLOWS + 1,
    started_by_each: STARTED_FLOWS,
    edits: EDITS,
    tracker_ms: TRACKER_DELAY_MS,
    max: times.at(-1) ?? 0,
  };
  for (const part of [0.5, 0.95]) {
    const value = times[Math.floor(times.length * part)] ?? 0;
    emit({ name: `change in the tracker to running flow, p${part * 100}`, value, unit: 'ms', detail });
  }
}
