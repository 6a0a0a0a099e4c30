import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { issuesCount } from '@winnow/contract/issue';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { z } from 'zod';
import { type ServerProcess, startServer } from '../../packages/server/src/testing/server-process.ts';
import { type Api, eventually, PASSWORD, registerAndSignIn } from '../product/api.ts';
import { manyIssues } from './memory.ts';
import type { Emit } from './run.ts';
import { hundredths, percentiles } from './shared/times.ts';

const ISSUES = 3_000;
const ROUNDS = 300;
const WARM_UP_ROUNDS = 60;
/**
 * Number of sign-ins. It is lower than other counts, because each sign-in hashes a password and is
 * much slower.
 */
const SIGN_INS = 150;
const TOKEN = 'ghp_versions_bench';
const USER = 'bench';
/**
 * Accepts any response, because another version of Winnow may not match the contract of this one.
 */
const ANY_RESPONSE = z.unknown();

/**
 * Compares the latency of this checkout with that of another checkout in one run. `--with DIR`
 * names the other checkout, whose dependencies must be installed.
 * Both servers sync the same issues from one emulated GitHub. They receive the same requests
 * alternately.
 * Emits the ratio of the medians. A ratio above 1 means that this checkout is slower.
 */
export async function run(emit: Emit, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { with: { type: 'string' } }, strict: false });
  const issues = (await manyIssues())?.slice(0, ISSUES);
  if (typeof values.with !== 'string' || !issues) {
    process.stderr.write(
      'versions: skipped, it needs --with DIR and the reports in ../shared/data/gitbugs.\n',
    );
    return;
  }
  const main = resolve(values.with, 'packages/server/src/main.ts');
  if (!existsSync(main)) throw new Error(`${values.with} is not a checkout: it has no ${main}.`);
  const emulator = await startGitHubEmulator({
    enterprise: true,
    rateLimit: 1_000_000,
    seed: {
      users: [{ login: 'keeper' }],
      orgs: [{ login: 'many', members: ['keeper'] }],
      repos: [{ owner: 'many', name: 'issues', private: true, issues }],
      tokens: [{ token: TOKEN, login: 'keeper', scopes: ['repo', 'read:org'], repos: 'all' }],
    },
  });
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1', TRUST_PROXY: '1' };
  const servers: ServerProcess[] = [];
  try {
    const sides: Side[] = [];
    for (const program of [{}, { main }]) {
      const server = await startServer({ ...program, env, timeoutMs: 120_000 });
      servers.push(server);
      sides.push(await openSide(server, emulator.url));
    }
    const [own, other] = sides;
    if (!own || !other) return;
    const read = (api: Api, path: string) => api.get(path, ANY_RESPONSE);
    await compare(emit, 'sign-in', SIGN_INS, [own, other], ({ url }, round) => signIn(url, round));
    await compare(emit, 'list of projects', ROUNDS, [own, other], ({ api }) => read(api, '/projects'));
    await compare(emit, 'list of pairs', ROUNDS, [own, other], ({ api }, round) =>
      read(api, `/issue-duplicates?similarity_threshold=0.5&limit=20&skip=${(round % 10) * 20}`),
    );
    await compare(emit, 'search', ROUNDS, [own, other], ({ api }, round) => {
      const title = issues[(round * 17) % issues.length]?.title ?? '';
      return read(api, `/search?query=${encodeURIComponent(title)}&limit=20`);
    });
  } finally {
    for (const server of servers) await server.remove();
    await emulator.close();
  }
}

interface Side {
  url: string;
  api: Api;
}
type Request = (side: Side, round: number) => Promise<unknown>;

/** Connects the emulated GitHub, and waits until every issue has been compared. */
async function openSide({ url }: ServerProcess, trackerUrl: string): Promise<Side> {
  const api = await registerAndSignIn(url, USER);
  const scope_rules = [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'many' }];
  const body = { name: 'Many', type: 'github', url: trackerUrl, api_key: TOKEN, scope_rules };
  await api.send('POST', '/trackers', body, ANY_RESPONSE);
  const isCompared = async () => {
    const { total_issues, total_processed } = await api.get('/issues-count', issuesCount);
    return total_issues === ISSUES && total_processed === ISSUES ? true : null;
  };
  await eventually(isCompared, { timeoutMs: 600_000, everyMs: 500 });
  return { url, api };
}

/**
 * Sends the same requests to both servers in alternating order. Emits the medians and their ratio.
 */
async function compare(
  emit: Emit,
  name: string,
  rounds: number,
  sides: readonly [Side, Side],
  request: Request,
): Promise<void> {
  const times: [number[], number[]] = [[], []];
  const warmUp = Math.min(WARM_UP_ROUNDS, rounds / 2);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const startedAt = performance.now();
      await request(sides[index], round);
      if (round >= warmUp) times[index].push(performance.now() - startedAt);
    }
  }
  const [own, other] = [percentiles(times[0]), percentiles(times[1])];
  const detail = { rounds, issues: ISSUES, this_ms: own, other_ms: other };
  emit({ name: `${name}, ratio of medians`, value: hundredths(own.p50 / other.p50), unit: 'ratio', detail });
}

/**
 * Signs in from a different IP address in each round, so that the rate limit of an address does not
 * apply.
 */
async function signIn(url: string, round: number): Promise<void> {
  const response = await fetch(`${url}/api/v1/auth/token/json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${round}` },
    body: JSON.stringify({ username: USER, password: PASSWORD }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Signing in returned ${response.status}: ${text}`);
}
