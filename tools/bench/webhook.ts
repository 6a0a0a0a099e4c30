import { setTimeout as pause } from 'node:timers/promises';
import { tokenPair } from '@winnow/contract/account';
import { issueDetail } from '@winnow/contract/issue-detail';
import { tracker, trackerWebhook } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { type LiveListener, listenLive } from '../../packages/server/src/testing/live-listener.ts';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { whenCompared } from '../browser/account.ts';
import { registerAndSignIn } from '../product/api.ts';
import { manyIssues } from './memory.ts';
import type { Emit } from './run.ts';

const ISSUES = Number(process.env.BENCH_WEBHOOK_ISSUES ?? 10_000);
const EDITS = Number(process.env.BENCH_WEBHOOK_EDITS ?? 200);
const EDIT_INTERVAL_MS = 1_000;
/** Minimum time in milliseconds that a real tracker takes to return an issue. */
const TRACKER_DELAY_MS = 100;
const TOKEN = 'ghp_webhook_bench';

/**
 * Measures the time from a change in the tracker until a listening client has fetched the new text.
 */
export async function run(emit: Emit): Promise<void> {
  const issues = (await manyIssues())?.slice(0, ISSUES);
  if (!issues) {
    process.stderr.write('webhook: skipped, the reports are not in ../shared/data/gitbugs.\n');
    return;
  }
  const emulator = await startGitHubEmulator({
    enterprise: true,
    seed: {
      users: [{ login: 'keeper' }],
      orgs: [{ login: 'many', members: ['keeper'] }],
      repos: [{ owner: 'many', name: 'issues', private: true, issues }],
      tokens: [{ token: TOKEN, login: 'keeper', scopes: ['repo', 'read:org'], repos: 'all' }],
    },
  });
  const server = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  try {
    const api = await registerAndSignIn(server.url, 'bench');
    const scope = [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'many' }];
    const body = { name: 'Many', type: 'github', url: emulator.url, api_key: TOKEN, scope_rules: scope };
    const { id } = await api.send('POST', '/trackers', body, tracker);
    await whenCompared({ api }, { timeoutMs: 900_000, everyMs: 500 });
    await makeHook(emulator.apiUrl, await api.get(`/trackers/${id}/webhook`, trackerWebhook));
    await emulator.deliveries.settled();
    emulator.faults.add({
      match: { path: '/issues/\\d+$' },
      action: { kind: 'delay', delayMs: TRACKER_DELAY_MS },
    });
    // The previous token may have expired while the issues were loaded.
    const { access_token } = await api.send(
      'POST',
      '/auth/refresh',
      { refresh_token: api.refreshToken },
      tokenPair,
    );
    const listener = await listenLive(server.url, access_token);
    const read = titleReader(server.url, access_token);
    const times: number[] = [];
    for (let edit = 0; edit < EDITS; edit += 1) {
      const number = 1 + ((edit * 7919) % ISSUES);
      const title = `Edited for the ${edit + 1}. time of the benchmark`;
      const seen = listener.events.length;
      const startedAt = performance.now();
      emulator.editAs('keeper', 'many', 'issues', number, { title });
      await waitUntilShown(listener, seen, async () => (await read(`many/issues#${number}`)) === title);
      times.push(performance.now() - startedAt);
      await pause(EDIT_INTERVAL_MS);
    }
    await listener.close();
    times.sort((left, right) => left - right);
    const detail = {
      issues: ISSUES,
      edits: EDITS,
      tracker_ms: TRACKER_DELAY_MS,
      max: Math.round(times.at(-1) ?? 0),
    };
    for (const part of [0.5, 0.95]) {
      const value = Math.round(times[Math.floor(times.length * part)] ?? 0);
      emit({ name: `change in the tracker to client, p${part * 100}`, value, unit: 'ms', detail });
    }
  } finally {
    await server.remove();
    await emulator.close();
  }
}

/** Creates the webhook like an administrator would. */
async function makeHook(apiUrl: string, { url, secret }: { url: string; secret: string }): Promise<void> {
  const events = ['issues', 'issue_comment', 'pull_request', 'push'];
  const answer = await fetch(`${apiUrl}/repos/many/issues/hooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({
      name: 'web',
      events,
      active: true,
      config: { url, secret, content_type: 'json' },
    }),
  });
  if (answer.status !== 201) throw new Error(`Creating the webhook returned ${answer.status}.`);
}

function titleReader(url: string, token: string): (key: string) => Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  return async (key) => {
    const answer = await fetch(`${url}/api/v1/issues/${encodeURIComponent(key)}`, { headers });
    return issueDetail.parse(await answer.json()).title;
  };
}

/**
 * After each event about changed issues, checks whether the new text has arrived. The console does
 * the same.
 */
async function waitUntilShown(
  listener: LiveListener,
  seen: number,
  isShown: () => Promise<boolean>,
): Promise<void> {
  for (let next = seen; ; ) {
    const event = await listener.heard(
      (heard) => heard.type === 'issues_changed' && listener.events.indexOf(heard) >= next,
    );
    if (await isShown()) return;
    next = listener.events.indexOf(event) + 1;
  }
}
