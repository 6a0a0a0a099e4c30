import { startGitHubEmulator } from './emulator.ts';
import type { GitHubSeedIssue } from './seed.ts';

/**
 * Measures how long a page of 100 issues takes out of a repository of 10 000, as a client on the same machine sees it
 * (request sent to last byte read, not parsed), with an edit before every page so that the order must be mended. Prints
 * one line of JSON, times in milliseconds; `cpu_ms` is the processor time per page of server and client together, which
 * says more than the others on a busy machine.
 */
const size = 10_000;
const text = 'The job fails with a timeout when the node is under load. '.repeat(17);
const issues: GitHubSeedIssue[] = Array.from({ length: size }, (_, index) => ({
  title: `Report ${index}`,
  body: text,
  labels: ['bug', 'reported'],
  state: index % 3 === 0 ? 'closed' : 'open',
  created_at: new Date(Date.UTC(2020, 0, 1) + index * 3_600_000).toISOString(),
}));
const startedMs = performance.now();
const emulator = await startGitHubEmulator({
  seed: {
    repos: [{ owner: 'speed', name: 'trial', issues }],
    tokens: [{ token: 'ghp_speed', login: 'speed' }],
  },
});
const seedMs = performance.now() - startedMs;
const headers = { authorization: 'Bearer ghp_speed', 'user-agent': 'page-speed' };
const query = 'state=all&per_page=100&sort=updated&direction=asc&since=2020-01-01T00:00:00Z';

async function timePages(edit: boolean): Promise<number[]> {
  const times: number[] = [];
  for (let page = 1; page <= size / 100; page += 1) {
    if (edit) emulator.commentAs('somebody', 'speed', 'trial', page * 50, 'Seen here too.');
    const beganMs = performance.now();
    const response = await fetch(`${emulator.url}/repos/speed/trial/issues?${query}&page=${page}`, {
      headers,
    });
    await response.arrayBuffer();
    times.push(performance.now() - beganMs);
  }
  return times.sort((a, b) => a - b);
}

function quantile(sorted: number[], part: number): number {
  return Number((sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(2));
}

await timePages(false);
const cpuBefore = process.cpuUsage();
const still = await timePages(false);
const cpu = process.cpuUsage(cpuBefore);
const edited = await timePages(true);
await emulator.close();
process.stdout.write(
  `${JSON.stringify({
    name: 'github_emulator_page_of_100_at_10000',
    seed_ms: Math.round(seedMs),
    p50_ms: quantile(still, 0.5),
    p95_ms: quantile(still, 0.95),
    cpu_ms: Number(((cpu.user + cpu.system) / 1000 / (size / 100)).toFixed(2)),
    p50_edited_ms: quantile(edited, 0.5),
    p95_edited_ms: quantile(edited, 0.95),
  })}\n`,
);
