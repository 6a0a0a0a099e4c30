import { pairList } from '@winnow/contract/duplicate';
import { projectList, similarIssues } from '@winnow/contract/issue';
import { tracker } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { z } from 'zod';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { whenCompared } from '../browser/account.ts';
import { type HadoopSeed, hadoopSeed } from '../data/hadoop-seed.ts';
import { type Api, eventually, registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';

const SYNC_TIMEOUT_MS = 600_000;
const RECALL_DEPTHS = [1, 5, 10, 20] as const;

/**
 * Measures the main task from the user's point of view.
 * Connects an emulated GitHub tracker with Hadoop's reports to an empty installation over the API.
 * Emits the time until pairs are listed, the time until the analysis is complete, and how many true
 * duplicates are found.
 */
export async function run(emit: Emit): Promise<void> {
  const hadoop = await hadoopSeed();
  if (!hadoop) {
    process.stderr.write('hadoop: skipped, the labelled reports are not in ../shared/data/gitbugs.\n');
    return;
  }
  const emulator = await startGitHubEmulator({ seed: hadoop.seed });
  const server = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  try {
    const api = await registerAndSignIn(server.url, 'bench');
    const addedAt = performance.now();
    const secondsSinceAdded = () => (performance.now() - addedAt) / 1000;
    await api.send('POST', '/trackers', trackerOf(hadoop, emulator.url), tracker);
    await eventually(
      async () => ((await api.get('/issue-duplicates?limit=1&status=all', pairList)).total > 0 ? true : null),
      { timeoutMs: SYNC_TIMEOUT_MS },
    );
    emit({ name: 'first pairs listed', value: round(secondsSinceAdded()), unit: 's' });
    await eventually(() => synced(api), { timeoutMs: SYNC_TIMEOUT_MS });
    emit({ name: 'all issues synced', value: round(secondsSinceAdded()), unit: 's' });
    const count = hadoop.seed.repos[0]?.issues.length ?? 0;
    await whenCompared({ api }, { timeoutMs: SYNC_TIMEOUT_MS });
    emit({
      name: 'all pairs stored',
      value: round(secondsSinceAdded()),
      unit: 's',
      detail: { issues: count },
    });
    await emitRecall(api, hadoop, emit);
    const resident = await server.residentBytes();
    if (resident !== null)
      emit({ name: 'resident memory', value: Math.round(resident / 2 ** 20), unit: 'MiB' });
  } finally {
    await server.remove();
    await emulator.close();
  }
}

function trackerOf(hadoop: HadoopSeed, url: string) {
  return {
    name: 'Hadoop',
    type: 'github',
    url,
    api_key: hadoop.token,
    scope_rules: [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: hadoop.owner }],
  };
}

async function synced(api: Api): Promise<true | null> {
  const [only] = await api.get('/trackers', z.array(tracker));
  if (only?.sync.state === 'failed') throw new Error(only.sync.last_error ?? 'The sync failed.');
  return only?.sync.state === 'idle' && only.sync.last_finished_at !== null ? true : null;
}

/**
 * Emits recall@k and the mean reciprocal rank.
 * Tests each issue whose duplicate cluster contains an earlier issue. The candidates are all
 * earlier issues. Among candidates with equal scores, the duplicate counts as the last, as in the
 * protocol of the data set's benchmark.
 */
async function emitRecall(api: Api, hadoop: HadoopSeed, emit: Emit): Promise<void> {
  const [project] = await api.get('/projects', projectList);
  const key = (number: number) => `${project?.identifier}#${number}`;
  const ranks: number[] = [];
  for (const cluster of hadoop.clusters) {
    const members = [...cluster].sort((one, other) => one - other);
    for (const query of members.slice(1)) {
      const truths = new Set(members.filter((member) => member < query).map(key));
      ranks.push(await rankOf(api, key(query), truths));
    }
  }
  const share = (cut: number) => ranks.filter((rank) => rank <= cut).length / ranks.length;
  for (const cut of RECALL_DEPTHS) {
    emit({ name: `recall@${cut}`, value: round(share(cut)), unit: '', detail: { queries: ranks.length } });
  }
  const reciprocal = ranks.reduce((sum, rank) => sum + (Number.isFinite(rank) ? 1 / rank : 0), 0);
  emit({ name: 'mean reciprocal rank', value: round(reciprocal / ranks.length), unit: '' });
}

const created = z.object({ created_at: z.string() });

async function rankOf(api: Api, query: string, truths: ReadonlySet<string>): Promise<number> {
  const path = `/issues/${encodeURIComponent(query)}`;
  const { created_at } = await api.get(path, created);
  const search = new URLSearchParams({ created_before: created_at, limit: '100' });
  const { results } = await api.get(`${path}/similar?${search}`, similarIssues);
  const hit = results.find(({ issue }) => truths.has(issue.key));
  if (!hit) return Number.POSITIVE_INFINITY;
  return (
    results.filter(({ issue, similarity }) => similarity >= hit.similarity && !truths.has(issue.key)).length +
    1
  );
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
