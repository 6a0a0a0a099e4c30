import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Dependency, type DependencyGraph, dependencyGraph } from '@winnow/contract/dependency';
import { issue, projectList } from '@winnow/contract/issue';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeed, GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readDependencies } from '../issues/engine/dependencies.ts';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { differentIssues, syncAgain } from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const RECEIPTS: GitHubSeedIssue[] = [
  { title: 'Store receipts on the server', body: 'The till keeps them for a day only.' },
  { title: 'Search in old receipts', body: 'Blocked by #1. Customers ask for receipts of last year.' },
  { title: 'Export receipts for the accountant', body: 'Depends on #2.' },
  { title: 'Dark theme', body: 'Labels cannot be read at night.' },
];

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let trackerId: string;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());
afterEach(() => github.close());

async function begin(issues: GitHubSeedIssue[], seed: Partial<GitHubSeed> = {}): Promise<void> {
  ({ github, caller, trackerId } = await newBacklog(winnow, issues, { seed }));
}

async function graphOf(name = 'app'): Promise<DependencyGraph> {
  const project = (await caller.get('/projects', projectList)).find((one) => one.name === name);
  return caller.get(`/issue-dependencies?project_id=${project?.id}`, dependencyGraph);
}

/** Waits until all texts were read and the known dependencies equal `expected`. */
async function known(expected: readonly string[], name = 'app'): Promise<DependencyGraph> {
  let last: DependencyGraph | null = null;
  const isKnown = async () => {
    last = await graphOf(name);
    const isRead = last.scan.total > 0 && last.scan.read === last.scan.total;
    return isRead && short(last.dependencies).join() === expected.join() && last;
  };
  return eventually(isKnown).catch((error: unknown) => {
    const found = last && short(last.dependencies).join();
    throw new Error(`Expected ${expected.join()}, found ${found}.`, { cause: error });
  });
}

/** Formats each dependency as `1>2`: the first issue number blocks the second. */
function short(dependencies: readonly Dependency[]): string[] {
  return dependencies
    .map(({ issue_key, dependency_key }) => `${issue_key.split('#')[1]}>${dependency_key.split('#')[1]}`)
    .sort();
}

function named({ source_issue_id, dependent_issue_id }: Dependency) {
  return { source_issue_id, dependent_issue_id };
}

test('all dependencies in the texts of a project are known after a sync, without a scan', async () => {
  await begin([...RECEIPTS, ...differentIssues(120)]);
  const { scan, dependencies } = await known(['1>2', '2>3']);
  expect(scan).toEqual({ read: 124, total: 124 });
  const first = dependencies.find(({ issue_key }) => issue_key.endsWith('#1'));
  expect(first?.reason).toContain('Blocked by');
  const detail = await caller.get(`/issues/${first?.dependent_issue_id}`, issueDetail);
  expect(short(detail.dependencies)).toEqual(['1>2', '2>3']);
});

test('dependencies are inferred from texts that do not name each other, and removed when a text changes', async () => {
  await begin([
    ...differentIssues(30),
    {
      title: 'Add a retry queue for outgoing mail',
      body: 'Messages that bounce are tried again.',
    },
    {
      title: 'Send the digest at night',
      body: 'Once the retry queue exists, the digest can drop its own timer.',
    },
    { title: 'Weekly letter', body: 'Written with a pen.' },
  ]);
  const { dependencies } = await known(['31>32']);
  expect(dependencies[0]?.reason).toContain('retry queue');
  expect(dependencies[0]?.confidence_score).toBeLessThan(0.7);

  github.editAs('ada', 'acme', 'app', 33, {
    body: 'Written with a pen today. It cannot leave our house by itself without the retry queue.',
  });
  await syncAgain(caller, trackerId);
  await known(['31>32', '31>33']);
  github.editAs('ada', 'acme', 'app', 31, { title: 'Say why a letter bounced' });
  await syncAgain(caller, trackerId);
  await known([]);
});

test('an edit removes only dependencies from its own text, and keeps user decisions', async () => {
  await begin([...RECEIPTS, { title: 'Delete old receipts', body: 'Blocked by #1, and by #4.' }]);
  const { dependencies } = await known(['1>2', '1>5', '2>3', '4>5']);
  const dismissed = dependencies.find(({ issue_key }) => issue_key.endsWith('#4'));
  if (!dismissed) throw new Error('It was not found.');
  await caller.do('POST', '/issue-dependencies/dismiss', named(dismissed));
  await known(['1>2', '1>5', '2>3']);
  github.editAs('ada', 'acme', 'app', 2, { body: 'Customers ask for receipts of last year.' });
  github.editAs('ada', 'acme', 'app', 5, { body: 'Waits for #4. Some say for #1.' });
  await syncAgain(caller, trackerId);
  await known(['2>3']);
  await caller.do('POST', '/issue-dependencies/restore', named(dismissed));
  await known(['2>3', '4>5']);
});

test('a dependency stated by two texts remains while one of them states it', async () => {
  await begin([
    { title: 'Store receipts', body: 'Blocks #2.' },
    { title: 'Search receipts', body: 'Blocked by #1.' },
  ]);
  await known(['1>2']);
  github.editAs('ada', 'acme', 'app', 2, { body: 'Nothing.' });
  await syncAgain(caller, trackerId);
  const { dependencies } = await known(['1>2']);
  expect(dependencies[0]?.reason).toContain('Blocks');
});

test('a new issue is connected to earlier mentions of it, and a deleted one loses its dependencies', async () => {
  await begin([{ title: 'Search in old receipts', body: 'Blocked by #2.' }]);
  expect((await known([])).scan).toEqual({ read: 1, total: 1 });
  github.createIssue('acme', 'app', { title: 'Store receipts on the server', body: null });
  await syncAgain(caller, trackerId);
  await known(['2>1']);
  github.deleteIssue('acme', 'app', 2);
  github.createIssue('acme', 'app', { title: 'Dark theme', body: 'Depends on #1 🧾' });
  await syncAgain(caller, trackerId);
  await eventually(async () =>
    (await graphOf()).dependencies.some(({ issue_key }) => issue_key.endsWith('#1')),
  );
});

test('comments are read too, across the projects of a tracker', async () => {
  await begin([...RECEIPTS.slice(0, 1), { title: 'Charts of the year', body: 'For the owner.' }], {
    repos: [
      { owner: 'acme', name: 'till', issues: [{ title: 'Print receipts', body: 'Blocks acme/app#1.' }] },
    ],
  });
  await known(['1>1']);
  await known(['1>1'], 'till');
  github.commentAs('ada', 'acme', 'app', 2, 'This has to wait for #1.');
  await syncAgain(caller, trackerId);
  await known(['1>1', '1>2']);
});

test('a live event reports new dependencies', async () => {
  await begin(RECEIPTS);
  await known(['1>2', '2>3']);
  const listener = await listenLive(winnow.origin, caller.tokens.access_token);
  github.editAs('ada', 'acme', 'app', 4, { body: 'Depends on #1.' });
  await syncAgain(caller, trackerId);
  await listener.heard(({ type }) => type === 'dependencies_changed');
  await known(['1>2', '1>4', '2>3']);
  await listener.close();
});

test('reading yields to other work between two issues', async () => {
  await begin(differentIssues(30));
  let turns = 0;
  // Counts turns of the event loop since the last query: at that point, all data has been loaded.
  const db = winnow.database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      turns = 0;
      return result;
    },
  });
  const issues = await db
    .selectFrom('issue')
    .select(['id', 'account_id'])
    .where('tracker_id', '=', trackerId)
    .execute();
  const stop = new AbortController();
  const others = (async () => {
    for (; !stop.signal.aborted; turns += 1) await nextTurn();
  })();
  const ids = issues.map(({ id }) => id);
  expect(await readDependencies(db, issues[0]?.account_id ?? '', ids)).toHaveLength(30);
  expect(turns).toBeGreaterThanOrEqual(25);
  stop.abort();
  await others;
});

test('text cut within a character is stored, and nothing remains of a tracker deleted meanwhile', async () => {
  const long = `Cannot be done without ${'🧾'.repeat(700)} and the receipts service of everybody`;
  await begin([{ title: 'Receipts', body: long }, ...differentIssues(60)]);
  await known([]);
  const { id } = await caller.get(`/issues/${encodeURIComponent('acme/app#1')}`, issue);
  const { rows } = await winnow.database.pool.query(
    'select texts from dependency_reading where issue_id = $1',
    [id],
  );
  expect(rows).toHaveLength(1);
  await winnow.database.pool.query('update issue set title = title || $2 where tracker_id = $1', [
    trackerId,
    '!',
  ]);
  await caller.do('DELETE', `/trackers/${trackerId}`);
  await eventually(async () => {
    const left = await winnow.database.pool.query(
      `select from dependency_stale where issue_id not in (select id from issue)`,
    );
    return left.rowCount === 0;
  });
});
