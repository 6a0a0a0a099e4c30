import { MAX_VERDICTS } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { newBacklog } from '../testing/backlog.ts';
import { eventually } from '../testing/eventually.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';

/**
 * Twelve issues with this text form more than fifty pairs. The first of them blocks five other
 * issues.
 */
const SAME = { title: 'The export stops after the second page', body: 'It stops, and the log says nothing.' };
const WAITING = ['Kettle', 'Lamp', 'Door', 'Chair', 'Table'].map((thing) => ({
  title: `${thing} is broken`,
  body: `The ${thing.toLowerCase()} cannot be used.\n\nBlocked by #1`,
}));

let winnow: RunningWinnow;
let github: GitHubEmulator;
let agent: Agent;

beforeAll(async () => {
  winnow = await startWinnow();
  const backlog = await newBacklog(winnow, [...Array(12).fill(SAME), ...WAITING]);
  github = backlog.github;
  agent = await connectAgent(winnow.origin, (await newKey(backlog.caller)).key);
});
afterAll(async () => {
  await agent.close();
  await winnow.close();
  await github.close();
});

test('dependencies of a project are returned once each over all pages', async () => {
  const project = 'acme/app';
  await eventually(
    async () => (await agent.use('detect_dependencies', { project })).total === WAITING.length,
  );
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await agent.use('detect_dependencies', { project, limit: 2, cursor });
    expect([page.dependencies.length <= 2, page.total]).toEqual([true, WAITING.length]);
    seen.push(...page.dependencies.map(({ blocked }) => blocked.key));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(WAITING.length);
  expect(seen).toHaveLength(WAITING.length);
});

test('the duplicates resource states how many pairs it omits', async () => {
  const [project] = (await agent.use('list_projects', {})).projects;
  const read = async () => {
    const { contents } = z
      .object({ contents: z.array(z.object({ text: z.string() })) })
      .parse(await agent.readResource(`winnow://project/${project?.id}/duplicates`));
    return z
      .object({ total: z.int(), pairs: z.array(z.unknown()), notice: z.string().optional() })
      .parse(JSON.parse(contents[0]?.text ?? ''));
  };
  await eventually(async () => (await read()).total >= 66);
  const { total, pairs, notice } = await read();
  expect(pairs).toHaveLength(50);
  expect(notice).toBe(`${total - 50} more pairs are not shown. find_similar finds those of an issue.`);
});

test('find_similar returns up to the verdict limit', async () => {
  const find = { issue: 'acme/app#1', limit: MAX_VERDICTS, fields: [] };
  const { results } = await agent.use('find_similar', find);
  expect(results.filter(({ similarity }) => similarity === 1)).toHaveLength(11);
  const more = { ...find, limit: MAX_VERDICTS + 1 };
  expect(await agent.failing('find_similar', more)).toContain('100');
});

test('steps of changes in lists have truncated texts', async () => {
  const comment = 'long '.repeat(5_000);
  await agent.use('comment_on_issue', { issue: 'acme/app#1', comment });
  const { changes } = await agent.use('list_changes', { with_steps: true });
  const text = JSON.stringify(changes);
  expect(text).toContain('more characters)');
  expect(text.length).toBeLessThan(3_000);
});
