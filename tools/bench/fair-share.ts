import { pairList } from '@winnow/contract/duplicate';
import { issueMap } from '@winnow/contract/search';
import { tracker } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { type Api, eventually, registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';
import { emitTimes } from './shared/times.ts';

const ISSUES = Number(process.env.BENCH_FAIR_ISSUES ?? 1_500);
/** Number of concurrent heavy calls that the first account makes. */
const CONCURRENT_CALLS = 16;
const REQUESTS = 60;
/** Number of values in the request body, just below the maximum. */
const BODY_VALUES = 11_000;
const SCANNED = 100;
const TOKEN = 'ghp_fair_bench';

/**
 * Measures the latency of one account's list while another account makes sixteen of its heaviest
 * calls concurrently.
 */
export async function run(emit: Emit): Promise<void> {
  const github = await startGitHubEmulator({
    enterprise: true,
    seed: {
      users: [{ login: 'keeper' }],
      orgs: [{ login: 'many', members: ['keeper'] }],
      repos: [{ owner: 'many', name: 'issues', private: true, issues: manyIssues() }],
      tokens: [{ token: TOKEN, login: 'keeper', scopes: ['repo', 'read:org'], repos: 'all' }],
    },
  });
  const server = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  try {
    const busy = await registerAndSignIn(server.url, 'busy');
    await connect(busy, github.url);
    const other = await registerAndSignIn(server.url, 'other');
    await connect(other, null);
    const ids = (await mapOf(busy)).slice(0, SCANNED);
    for (let looks = 0; looks < REQUESTS; looks += 1) await measureResponse(other);
    const call = (method: string, path: string, body?: object) =>
      callAndDiscard(server.url, busy, method, path, body);
    const heavy: Record<string, () => Promise<number>> = {
      nothing: async () => 0,
      'dependency scans with refresh': () =>
        call('POST', '/issue-dependencies/detect', { issue_ids: ids, refresh: true }),
      maps: () => call('GET', '/embeddings?include=vectors'),
      'exports of changes': () => call('GET', '/changes/export?format=csv'),
      'exports of the account': () => call('GET', '/auth/account/export'),
      'bodies with many values': () =>
        call('POST', '/issue-dependencies/detect', {
          issue_ids: Array.from({ length: BODY_VALUES }, () => 1),
        }),
    };
    for (const [name, one] of Object.entries(heavy)) await measure(emit, other, name, one);
  } finally {
    await server.remove();
    await github.close();
  }
}

async function measure(emit: Emit, other: Api, name: string, one: () => Promise<number>): Promise<void> {
  let isOver = false;
  const statuses: Record<number, number> = {};
  const callers = Array.from({ length: name === 'nothing' ? 0 : CONCURRENT_CALLS }, async () => {
    while (!isOver) {
      const status = await one();
      statuses[status] = (statuses[status] ?? 0) + 1;
      // Waits as `Retry-After` requires, but for a shorter time.
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  const times: number[] = [];
  for (let looks = 0; looks < REQUESTS; looks += 1) times.push(await measureResponse(other));
  isOver = true;
  await Promise.all(callers);
  emitTimes(emit, `list of one account beside ${name} of another`, times, { issues: ISSUES, statuses });
}

async function measureResponse(api: Api): Promise<number> {
  const at = performance.now();
  await api.get('/issue-duplicates?limit=20', pairList);
  return performance.now() - at;
}

/** Makes a call and discards the response body. Returns the status. */
async function callAndDiscard(
  url: string,
  api: Api,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${api.accessToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

function manyIssues() {
  const words = ['login', 'export', 'search', 'sync', 'map', 'label', 'email', 'upload', 'cache', 'theme'];
  const word = (index: number) => words[index % words.length];
  return Array.from({ length: ISSUES }, (_, index) => ({
    title: `The ${word(index)} of the ${word(index * 7 + 3)} fails after step ${index}`,
    body: `When the ${word(index * 3)} is opened, number ${index} fails. It depends on #${1 + (index % 40)}.`,
    created_at: new Date(Date.UTC(2024, 4, 1, 12, index)).toISOString(),
  }));
}

/**
 * Connects the emulated tracker and waits until it is synced. If `url` is null, connects the sample
 * backlog.
 */
async function connect(api: Api, url: string | null): Promise<void> {
  const scope = [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'many' }];
  const body =
    url === null
      ? { name: 'Sample', type: 'sample' }
      : { name: 'Many', type: 'github', url, api_key: TOKEN, scope_rules: scope };
  const { id } = await api.send('POST', '/trackers', body, tracker);
  await eventually(
    async () => {
      const { sync } = await api.get(`/trackers/${id}`, tracker);
      return sync.state === 'idle' && sync.last_finished_at !== null ? true : null;
    },
    { timeoutMs: 120_000 },
  );
}

/** Returns the ids of the issues on the map. Waits until the map contains all issues. */
async function mapOf(api: Api): Promise<string[]> {
  return eventually(
    async () => {
      const { data, missing } = await api
        .get('/embeddings', issueMap)
        .catch(() => ({ data: [], missing: 1 }));
      return missing === 0 && data.length >= ISSUES ? data.map(({ issue_id: id }) => id) : null;
    },
    { timeoutMs: 240_000, everyMs: 1_000 },
  );
}
