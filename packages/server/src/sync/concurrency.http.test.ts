import { pairList } from '@winnow/contract/duplicate';
import { tracker } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { connect, include, minutesAfterStart, startGitHub, whenCompared } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const ISSUES = 150;
const ROUNDS = 8;
let winnow: RunningWinnow;
let github: GitHubEmulator;

beforeAll(async () => {
  winnow = await startWinnow();
  const issues = Array.from({ length: ISSUES }, (_, index) => ({
    title: `Upload ${index % 30} fails`,
    body: `The upload of file ${index % 10} stops at ${index % 7} percent.`,
    created_at: minutesAfterStart(index),
  }));
  github = await startGitHub(issues, { seed: { repos: [{ owner: 'acme', name: 'web', issues }] } });
});
afterAll(async () => {
  await winnow.close();
  await github.close();
});

test('concurrent syncs, analyses, scope changes and deletions in one account do not block each other', async () => {
  const caller = await winnow.newCaller();
  const all = [include('ORGANIZATION', 'acme')];
  const kept = await connect(caller, github, { scope_rules: all });
  for (let round = 0; round < ROUNDS; round += 1) {
    const other = await connect(caller, github, { scope_rules: all });
    const edits = Array.from({ length: 25 }, (_, index) => 1 + ((round * 31 + index * 7) % ISSUES));
    for (const number of edits) {
      github.editAs('ada', 'acme', 'app', number, { title: `Upload ${number} fails in round ${round}` });
    }
    const scope = round % 2 === 0 ? [...all, include('PROJECT', 'acme/app')] : all;
    const [answers] = await Promise.all([
      caller.call('PUT', `/trackers/${kept.id}`, { name: kept.name, scope_rules: scope }),
      eventually(async () => (await caller.get('/issue-duplicates?limit=1', pairList)).total > 0),
    ]);
    expect(answers.status).toBe(200);
    const deleted = await caller.call('DELETE', `/trackers/${other.id}`);
    expect(deleted.status).toBe(204);
  }
  await caller.send('PUT', `/trackers/${kept.id}`, { name: kept.name, scope_rules: all }, tracker);
  await whenCompared(caller, 2 * ISSUES);
  const troubled = winnow.logLines.filter(({ level }) => level === 'warn' || level === 'error');
  expect(troubled).toEqual([]);
}, 120_000);
