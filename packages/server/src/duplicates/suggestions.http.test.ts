import { randomUUID } from 'node:crypto';
import { suggestion } from '@winnow/contract/suggestion';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { issueIds, whenCompared } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const ISSUES = [
  {
    title: 'Export loses the time zone',
    body: '### What happens\nThe export of a shared calendar loses its time zone.\n\n### Version\n4.2.0, Windows 11',
  },
  {
    title: 'Export loses its time zone',
    body: '### Describe the bug\nThe export of a shared calendar loses its time zone. It is right in the preview.\n\n### Environment\n4.2.1, Ubuntu 24.04',
  },
];

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let ids: string[];

beforeAll(async () => {
  winnow = await startWinnow();
  ({ github, caller } = await newBacklog(winnow, ISSUES));
  await whenCompared(caller);
  ids = await issueIds(caller, ISSUES.length);
});
afterAll(async () => {
  await winnow.close();
  await github.close();
});

const named = (first: number, second: number, resolution: string) => ({
  issue1_id: ids[first],
  issue2_id: ids[second],
  resolution,
});
const ask = (body: unknown) => caller.send('POST', '/ai-suggestion', body, suggestion);

test('merging returns the built-in analyst’s text with the content of both issues and a source per line', async () => {
  const given = await ask(named(1, 2, 'merged'));
  expect(given).toMatchObject({
    merged_title: 'Export loses the time zone',
    merged_description: `${ISSUES[0]?.body.split('\n\n')[0]}\n\nIt is right in the preview.\n\n### Version\n4.2.0, Windows 11\n\n4.2.1, Ubuntu 24.04`,
    deconflicted_title1: null,
    deconflicted_description2: null,
    ai_model_id: null,
    ai_model_name: BUILT_IN_ANALYST,
  });
  expect(given.merged_sources).toHaveLength(given.merged_description?.split('\n').length ?? 0);
  expect(new Set(given.merged_sources)).toEqual(new Set(['both', 'issue1', 'issue2', 'new']));
});

test('merging in the other direction keeps the text of the other issue', async () => {
  const given = await ask(named(2, 1, 'merged'));
  expect(given.merged_description).toContain(ISSUES[1]?.body.split('\n\n')[0]);
});

test('deconflicting returns titles that state how the texts differ, and a link to the other issue', async () => {
  const given = await ask(named(1, 2, 'deconflicted'));
  expect(given).toMatchObject({
    merged_title: null,
    merged_sources: [],
    deconflicted_title1: 'Export loses the time zone (Windows 11, 4.2.0)',
    deconflicted_title2: 'Export loses its time zone (Ubuntu 24.04, 4.2.1)',
  });
  expect(given.deconflicted_description1).toContain('Not the same as acme/app#2');
  expect(given.deconflicted_description2?.startsWith(ISSUES[1]?.body ?? '')).toBe(true);
});

describe('is refused', () => {
  test('for an unknown issue and for one of another account, with the same error', async () => {
    const stranger = await winnow.newCaller();
    const missing = { ...named(1, 1, 'merged'), issue2_id: randomUUID() };
    expect(await stranger.fail('POST', '/ai-suggestion', 404, named(1, 2, 'merged'))).toEqual(
      await caller.fail('POST', '/ai-suggestion', 404, missing),
    );
  });

  test.each([
    ['one issue twice', () => named(1, 1, 'merged')],
    ['another resolution', () => named(1, 2, 'closed')],
  ])('for %s', async (_what, body) => {
    await caller.fail('POST', '/ai-suggestion', 422, body());
  });
});
