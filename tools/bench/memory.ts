import { issuesCount } from '@winnow/contract/issue';
import { tracker } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { loadHadoop } from '../data/hadoop.ts';
import { eventually, registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';

const ISSUES = 10_000;
const TOKEN = 'ghp_memory_bench';
const MIB = 2 ** 20;
/** Time in milliseconds after which the server unloads an unused embedding model. */
const SETTLED_AFTER_MS = 15_000;

/**
 * Measures the resident memory of the server after ten thousand issues were synced, embedded and
 * compared.
 */
export async function run(emit: Emit): Promise<void> {
  const issues = await manyIssues();
  if (!issues) {
    process.stderr.write('memory: skipped, the reports are not in ../shared/data/gitbugs.\n');
    return;
  }
  const emulator = await startGitHubEmulator({
    rateLimit: 1_000_000,
    seed: {
      users: [{ login: 'keeper' }],
      orgs: [{ login: 'many', members: ['keeper'] }],
      repos: [{ owner: 'many', name: 'issues', issues }],
      tokens: [{ token: TOKEN, login: 'keeper', scopes: ['repo', 'read:org'], repos: 'all' }],
    },
  });
  const server = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  try {
    const idle = await server.residentBytes();
    if (idle === null) {
      process.stderr.write('memory: skipped, this system does not report a process’s resident memory.\n');
      return;
    }
    const api = await registerAndSignIn(server.url, 'bench');
    const scope = [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'many' }];
    const body = { name: 'Many', type: 'github', url: emulator.url, api_key: TOKEN, scope_rules: scope };
    await api.send('POST', '/trackers', body, tracker);
    let peak = 0;
    await eventually(
      async () => {
        peak = Math.max(peak, (await server.residentBytes()) ?? 0);
        const { total_processed } = await api.get('/issues-count', issuesCount);
        return total_processed === ISSUES ? true : null;
      },
      { timeoutMs: 900_000, everyMs: 500 },
    );
    await new Promise((resolve) => setTimeout(resolve, SETTLED_AFTER_MS));
    const loaded = (await server.residentBytes()) ?? 0;
    const detail = { issues: ISSUES, idle_mib: Math.round(idle / MIB), peak_mib: Math.round(peak / MIB) };
    emit({ name: 'resident memory after loading', value: Math.round(loaded / MIB), unit: 'MiB', detail });
  } finally {
    await server.remove();
    await emulator.close();
  }
}

/**
 * Creates distinct issues from real texts. Each issue has the title of one report and the
 * description of another.
 */
export async function manyIssues(): Promise<GitHubSeedIssue[] | null> {
  const data = await loadHadoop();
  if (!data) return null;
  const { reports } = data;
  return Array.from({ length: ISSUES }, (_, index) => {
    const round = Math.floor(index / reports.length);
    const titled = reports[index % reports.length];
    const described = reports[(index * (2 * round + 1) + round * 97) % reports.length];
    return { title: titled?.title ?? '', body: described?.body ?? '', user: 'keeper' };
  });
}
