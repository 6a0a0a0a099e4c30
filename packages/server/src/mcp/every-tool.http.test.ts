import { AGENT_TOOLS } from '@winnow/contract/mcp';
import { TRACKER_TYPES, tracker } from '@winnow/contract/tracker';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { TEST_TRACKERS, type TestTracker } from '@winnow/emulators/testing/test-trackers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { whenSynced } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, CLIENTS, connectAgent, newKey } from './testing/agent.ts';

/**
 * Maximum size of the `tools/list` response in bytes. An agent reads all of it before its first
 * call.
 */
const MAX_TOOL_LIST_BYTES = 28_000;
const TITLES = [
  'The export stops after the second page',
  'The export stops after the second page',
  'Export hangs at page two',
  ...['Kettle', 'Lamp', 'Door'].map((thing) => `${thing} is broken`),
];

let winnow: RunningWinnow;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());

describe.each(Object.entries(TEST_TRACKERS))('%s', (trackerName, open) => {
  let testTracker: TestTracker;
  let caller: Caller;
  let key: string;

  beforeAll(async () => {
    testTracker = await open(TITLES);
    caller = await winnow.newCaller();
    const { id } = await caller.send(
      'POST',
      '/trackers',
      { name: trackerName, ...testTracker.connection },
      tracker,
    );
    await whenSynced(caller, id);
    ({ key } = await newKey(caller));
    const agent = await connectAgent(winnow.origin, key);
    await eventually(async () => {
      const { results } = await agent.use('find_similar', { issue: testTracker.keyOf(1) });
      return results.length > 0;
    });
    await agent.close();
  });
  afterAll(() => testTracker.close());

  describe.each(Object.keys(CLIENTS))('by %s', (client) => {
    let agent: Agent;
    const issue = (number: number) => testTracker.keyOf(number);

    beforeAll(async () => {
      agent = await connectAgent(winnow.origin, key, client);
    });
    afterAll(() => agent.close());

    test('lists all tools within the size limit', async () => {
      const list = await agent.tools();
      expect(list.tools.map(({ name }) => name)).toEqual(AGENT_TOOLS);
      expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(MAX_TOOL_LIST_BYTES);
    });

    test('list_projects, search_issues and get_issue return projects and issues', async () => {
      const { projects, total } = await agent.use('list_projects', {});
      expect(projects).toEqual([expect.objectContaining({ identifier: testTracker.project })]);
      expect(total).toBe(1);
      const { results } = await agent.use('search_issues', {
        query: 'export',
        projects: [testTracker.project],
      });
      expect(results.map((result) => result.issue.key)).toEqual(expect.arrayContaining([issue(1), issue(3)]));
      const found = await agent.use('get_issue', { issue: issue(1) });
      expect(found).toMatchObject({ key: issue(1), title: TITLES[0], state: 'opened', comments: [] });
      expect(found.description).toContain('TimeoutError');
      const by = (name: string) => agent.use('get_issue', { issue: name, fields: ['title'] });
      const ofTracker = `${trackerName} (${TRACKER_TYPES[testTracker.connection.type].label})`;
      const bare = { id: found.id, key: issue(1), tracker: ofTracker, title: TITLES[0] };
      expect([await by(found.id), await by(issue(1))]).toEqual([bare, bare]);
      expect(
        await agent.use('get_issue', {
          issue: issue(1),
          fields: ['similar', 'scores', 'dependencies', 'changes'],
        }),
      ).toMatchObject({
        similar: expect.arrayContaining([expect.objectContaining({ key: issue(2) })]),
        dependencies: [],
      });
    });

    test('list_clusters and get_cluster return a cluster with its canonical issue', async () => {
      const cluster = await eventually(
        async () => (await agent.use('list_clusters', { min_probability: 0 })).clusters[0] ?? null,
        { timeoutMs: 30_000, what: 'a cluster' },
      );
      const { canonical, members } = await agent.use('get_cluster', { cluster_id: cluster.cluster_id });
      const keys = members.map((member) => member.key);
      expect(keys).toEqual(expect.arrayContaining([issue(1), issue(2)]));
      // All issues were created in the same second, so any of them may be canonical.
      expect(keys).toContain(canonical?.key);
    });

    test('propose_cluster_resolution proposes to close a cluster, and decide_change rejects it', async () => {
      const proposer = await connectAgent(
        winnow.origin,
        (await newKey(caller, ['read', 'propose'])).key,
        client,
      );
      const { clusters } = await proposer.use('list_clusters', { min_probability: 0 });
      const [{ cluster_id = '', revision = 0 } = {}] = clusters;
      const proposal = await proposer.use('propose_cluster_resolution', { cluster_id, revision });
      await proposer.close();
      expect(proposal.status).toBe('proposed');
      const actions = proposal.steps?.map(({ action }) => action);
      expect(actions?.slice(0, 2)).toEqual(['comment', 'close_as_duplicate']);
      const { change_id = '' } = proposal;
      expect(await agent.use('decide_change', { change_id, decision: 'reject' })).toMatchObject({
        status: 'rejected',
      });
    });

    test('lists return each item once over all pages, with the requested fields', async () => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await agent.use('search_issues', { limit: 2, fields: ['state'], cursor });
        expect(page.results.length).toBeLessThanOrEqual(2);
        for (const { issue: found } of page.results) {
          expect(Object.keys(found).toSorted()).toEqual(['id', 'key', 'state', 'tracker']);
          seen.push(found.key);
        }
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      expect(seen.length).toBe(testTracker.count());
      expect(new Set(seen).size).toBe(seen.length);
    });

    test('find_similar, check_compliance, suggest_improvement and detect_dependencies return results', async () => {
      const { results } = await agent.use('find_similar', { issue: issue(1), fields: ['title'] });
      expect(results[0]).toMatchObject({
        issue: { key: issue(2), title: TITLES[1] },
        verdict: 'duplicate',
        reason: expect.any(String),
        judged_by: 'Built-in analyst',
      });
      const checked = await agent.use('check_compliance', { issues: [issue(1), issue(4)], prompt: 'DoR' });
      expect(checked.results.map((result) => result.issue.key)).toEqual([issue(1), issue(4)]);
      expect(checked.results[0]).toMatchObject({
        score: expect.any(Number),
        scored_by: 'Built-in analyst',
        criteria: expect.any(Array),
      });
      const better = await agent.use('suggest_improvement', { issue: issue(4) });
      expect(better.score.after).toBeGreaterThanOrEqual(better.score.before);
      expect(await agent.use('detect_dependencies', { issues: [issue(1), issue(2)] })).toMatchObject({
        dependencies: [],
      });
      expect(await agent.use('detect_dependencies', { project: testTracker.project })).toMatchObject({
        dependencies: [],
      });
    });

    test('create_issue returns the likely original with evidence and creates nothing', async () => {
      const count = testTracker.count();
      const { description = '' } = await agent.use('get_issue', { issue: issue(1) });
      const answer = await agent.use('create_issue', {
        project: testTracker.project,
        title: TITLES[0] ?? '',
        description,
      });
      expect(answer).toMatchObject({ status: 'duplicate_found', issue_key: expect.any(String) });
      expect(answer.likely_originals?.[0]).toMatchObject({
        issue: { title: expect.stringContaining('xport') },
        verdict: 'duplicate',
        judged_by: BUILT_IN_ANALYST,
        shared: expect.arrayContaining([expect.any(String)]),
      });
      expect(testTracker.count()).toBe(count);
    });

    test('writing tools change the tracker, list_changes lists the changes, and decide_change undoes one', async () => {
      const number = testTracker.count() + 1;
      const made = await agent.use('create_issue', {
        project: testTracker.project,
        title: `Made by ${client}`,
        allow_duplicate: true,
      });
      expect(made).toMatchObject({ status: 'applied', issue_key: issue(number) });
      const written = [
        await agent.use('update_issue', { issue: issue(number), title: `Renamed by ${client}` }),
        await agent.use('assign_issue', { issue: issue(number), assignees: ['me'] }),
        await agent.use('comment_on_issue', { issue: issue(number), comment: 'Noted.' }),
      ];
      expect(written.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
      const open = testTracker.inspect(number);
      expect(open).toMatchObject({ title: `Renamed by ${client}`, assignees: ['ada'] });
      expect(open.comments).toHaveLength(1);
      const closed = await agent.use('close_as_duplicate', {
        issue: issue(number),
        original: issue(1),
        reason: 'Both say so.',
      });
      expect(closed).toMatchObject({ status: 'applied', issue_key: issue(number) });
      expect(testTracker.inspect(number).state).not.toBe(open.state);
      const { changes } = await agent.use('list_changes', { issue: issue(number), with_steps: true });
      expect(changes.map(({ kind }) => kind)).toEqual(['resolution', 'mcp', 'mcp', 'mcp', 'mcp']);
      expect(changes[0]).toMatchObject({ change_id: closed.change_id, status: 'applied' });
      expect(changes[0]?.reason).toContain('Both say so.');
      expect(changes[0]?.steps?.length).toBeGreaterThan(0);
      const undone = await agent.use('decide_change', {
        change_id: closed.change_id ?? '',
        decision: 'undo',
      });
      expect(undone).toMatchObject({ status: 'applied' });
      expect(testTracker.inspect(number)).toEqual(open);
    });

    test('resources return the duplicates of each project, and any issue', async () => {
      const { resources } = z
        .object({ resources: z.array(z.object({ uri: z.string() })) })
        .parse(await agent.resources());
      expect(resources).toHaveLength(1);
      const duplicates = await readJson(agent, resources[0]?.uri ?? '');
      expect(duplicates).toMatchObject({ total: expect.any(Number) });
      expect(JSON.stringify(duplicates)).toContain(issue(2));
      const { resourceTemplates } = z
        .object({ resourceTemplates: z.array(z.object({ uriTemplate: z.string() })) })
        .parse(await agent.resourceTemplates());
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'winnow://issue/{key}',
        'winnow://project/{id}/duplicates',
      ]);
      const found = await readJson(agent, `winnow://issue/${encodeURIComponent(issue(1))}`);
      expect(found).toMatchObject({ key: issue(1), title: TITLES[0], comments: [] });
    });

    test('prompts to triage and to refine an issue contain its text between fences', async () => {
      const { prompts } = z
        .object({ prompts: z.array(z.object({ name: z.string() })) })
        .parse(await agent.prompts());
      expect(prompts.map(({ name }) => name)).toEqual(['triage_issue', 'refine_issue']);
      for (const [name, more] of [
        ['triage_issue', {}],
        ['refine_issue', { prompt: 'INVEST' }],
      ] as const) {
        const { messages } = promptResult.parse(await agent.prompt(name, { issue: issue(1), ...more }));
        expect(messages).toHaveLength(1);
        expect(messages[0]?.content.text).toMatch(
          new RegExp(`${issue(1)}[^]*<<(DATA-\\w+)\\n${TITLES[0]}\\n\\1>>[^]*TimeoutError`),
        );
      }
    });
  });
});

const promptResult = z.object({
  messages: z.array(
    z.object({ role: z.literal('user'), content: z.object({ type: z.literal('text'), text: z.string() }) }),
  ),
});
const readResult = z.object({
  contents: z.tuple([z.object({ mimeType: z.literal('application/json'), text: z.string() })]),
});

async function readJson(agent: Agent, uri: string): Promise<unknown> {
  const { contents } = readResult.parse(await agent.readResource(uri));
  return JSON.parse(contents[0].text);
}
