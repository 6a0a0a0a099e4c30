import { change, changePreview, resolutionResult } from '@winnow/contract/change';
import { issueDetail } from '@winnow/contract/issue-detail';
import { suggestion } from '@winnow/contract/suggestion';
import { tracker } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { whenCompared } from '../browser/account.ts';
import { registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';

const PAIRS = 20;
/** Minimum response time of a real tracker, in milliseconds. */
const TRACKER_DELAY_MS = 100;
const TOKEN = 'ghp_decide_bench';
/** Number of lines in a long report of about 30 kB. No line occurs twice. */
const REPORT_LINES = 400;

/**
 * Measures the steps of a decision about a pair of long issues: suggest the merged text, preview
 * it, write it, and undo it.
 */
export async function run(emit: Emit): Promise<void> {
  const issues = Array.from({ length: 2 * PAIRS }, (_, index) => ({
    title: `Report ${index}`,
    body: bodyOf(index),
  }));
  const emulator = await startGitHubEmulator({
    seed: {
      users: [{ login: 'keeper' }],
      orgs: [{ login: 'many', members: ['keeper'] }],
      repos: [{ owner: 'many', name: 'issues', issues }],
      tokens: [{ token: TOKEN, login: 'keeper', scopes: ['repo', 'read:org'], repos: 'all' }],
    },
  });
  const server = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  try {
    const api = await registerAndSignIn(server.url, 'bench');
    const scope = [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'many' }];
    const body = { name: 'Many', type: 'github', url: emulator.url, api_key: TOKEN, scope_rules: scope };
    await api.send('POST', '/trackers', body, tracker);
    await whenCompared({ api }, { timeoutMs: 120_000, everyMs: 200 });
    emulator.faults.add({ match: {}, action: { kind: 'delay', delayMs: TRACKER_DELAY_MS } });
    const times: Record<string, number[]> = { suggest: [], preview: [], merge: [], undo: [] };
    const timed = async <T>(what: string, work: Promise<T>): Promise<T> => {
      const startedAt = performance.now();
      const answer = await work;
      times[what]?.push(performance.now() - startedAt);
      return answer;
    };
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const [one, other] = await Promise.all(
        [2 * pair + 1, 2 * pair + 2].map((number) =>
          api.get(`/issues/many%2Fissues%23${number}`, issueDetail),
        ),
      );
      const ids = { issue1_id: one?.id, issue2_id: other?.id };
      const asked = { ...ids, resolution: 'merged' };
      const suggested = await timed('suggest', api.send('POST', '/ai-suggestion', asked, suggestion));
      const payload = {
        ...ids,
        resolution: 'merge_b_to_a',
        resulting_issue_1_title: suggested.merged_title,
        resulting_issue_1_description: suggested.merged_description,
      };
      const previewing = { kind: 'resolution', payload };
      await timed('preview', api.send('POST', '/changes/preview', previewing, changePreview));
      const path = '/issue-duplicates/execute-resolution';
      const { change_id } = await timed('merge', api.send('PATCH', path, payload, resolutionResult));
      const undone = await timed('undo', api.send('POST', `/changes/${change_id}/undo`, undefined, change));
      if (undone.status !== 'applied') throw new Error(`The undo ended as ${undone.status}.`);
    }
    for (const [name, taken] of Object.entries(times)) {
      taken.sort((left, right) => left - right);
      const at = (part: number) => Math.round(taken[Math.floor(taken.length * part)] ?? 0);
      const detail = {
        pairs: PAIRS,
        body_kb: Math.round(bodyOf(1).length / 1000),
        tracker_ms: TRACKER_DELAY_MS,
        p50: at(0.5),
      };
      emit({ name: `${name}, p95`, value: at(0.95), unit: 'ms', detail });
    }
  } finally {
    await server.remove();
    await emulator.close();
  }
}

/** Returns the description of an issue. The two issues of a pair share every second line. */
function bodyOf(index: number): string {
  return Array.from({ length: REPORT_LINES }, (_, line) => {
    const seed = line % 2 === 0 ? Math.floor(index / 2) * REPORT_LINES : index * REPORT_LINES + 7;
    return `- step ${seed + line}: the queue of node ${(seed * 31 + line * 17) % 997} holds ${line} jobs and stops`;
  }).join('\n');
}
