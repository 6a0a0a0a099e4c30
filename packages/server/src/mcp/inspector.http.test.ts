import { AGENT_TOOLS, type AgentToolName, MCP_SCHEMAS } from '@winnow/contract/mcp';
import { tracker } from '@winnow/contract/tracker';
import { TEST_TRACKERS } from '@winnow/emulators/testing/test-trackers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../testing/eventually.ts';
import { whenSynced } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { newKey } from './testing/agent.ts';
import { inspect, toolCall } from './testing/inspector.ts';

const answered = z.object({ isError: z.literal(true).optional(), structuredContent: z.unknown() });
const listed = z.object({ tools: z.array(z.object({ name: z.string() })) });

let winnow: RunningWinnow;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());

test.each(Object.entries(TEST_TRACKERS))(
  'the Inspector CLI calls every tool on %s',
  async (name, open) => {
    const testTracker = await open([
      'The export stops after the second page',
      'Kettle is broken',
      'The export stops after the second page',
    ]);
    try {
      const caller = await winnow.newCaller();
      const { id } = await caller.send('POST', '/trackers', { name, ...testTracker.connection }, tracker);
      await whenSynced(caller, id);
      const { key } = await newKey(caller);
      const called = new Set<string>();
      const use = async <T extends AgentToolName>(
        tool: T,
        input: z.input<(typeof MCP_SCHEMAS)[T]['input']>,
      ): Promise<z.output<(typeof MCP_SCHEMAS)[T]['output']>> => {
        called.add(tool);
        const answer = answered.parse(await inspect(winnow.origin, key, toolCall(tool, input)));
        expect(answer).not.toHaveProperty('isError');
        return MCP_SCHEMAS[tool].output.strict().parse(answer.structuredContent) as never;
      };
      const issue = testTracker.keyOf(1);

      const { tools } = listed.parse(await inspect(winnow.origin, key, ['--method', 'tools/list']));
      expect(tools.map((tool) => tool.name)).toEqual(AGENT_TOOLS);
      const [projects, found, read, similar, scored, better, dependencies] = await Promise.all([
        use('list_projects', {}),
        use('search_issues', { query: 'export', limit: 5 }),
        use('get_issue', { issue, fields: ['title', 'comments'] }),
        use('find_similar', { issue }),
        use('check_compliance', { issues: [issue] }),
        use('suggest_improvement', { issue }),
        use('detect_dependencies', { issues: [issue, testTracker.keyOf(2)] }),
      ]);
      expect(projects.projects).toMatchObject([{ identifier: testTracker.project }]);
      // Two issues have this title, so either issue may come first.
      expect(found.results.map((result) => result.issue.key)).toContain(issue);
      expect(read).toMatchObject({ key: issue, title: 'The export stops after the second page' });
      expect(similar.results.map((result) => result.issue.key)).not.toContain(issue);
      expect(scored.results).toMatchObject([{ issue: { key: issue } }]);
      expect(better.title).not.toBe('');
      expect(dependencies.dependencies).toEqual([]);
      const cluster = await eventually(
        async () => (await use('list_clusters', { min_probability: 0 })).clusters[0] ?? null,
        { timeoutMs: 30_000, what: 'a cluster' },
      );
      const { members } = await use('get_cluster', { cluster_id: cluster.cluster_id });
      expect(new Set(members.map((member) => member.key))).toEqual(new Set([issue, testTracker.keyOf(3)]));

      const { cluster_id, revision } = cluster;
      const resolved = await use('propose_cluster_resolution', { cluster_id, revision, canonical: issue });
      expect(resolved).toMatchObject({ status: 'applied', issue_key: issue });

      const made = await use('create_issue', {
        project: testTracker.project,
        title: 'Made manually',
        allow_duplicate: true,
      });
      expect(made).toMatchObject({ status: 'applied', issue_key: testTracker.keyOf(4) });
      const added = testTracker.keyOf(4);
      expect(await use('update_issue', { issue: added, title: 'Renamed' })).toMatchObject({
        status: 'applied',
      });
      expect(await use('assign_issue', { issue: added, assignees: ['me'] })).toMatchObject({
        status: 'applied',
      });
      expect(await use('comment_on_issue', { issue: added, comment: 'x=1' })).toMatchObject({
        status: 'applied',
      });
      const closed = await use('close_as_duplicate', { issue: added, original: issue });
      expect(closed).toMatchObject({ status: 'applied' });
      const { changes } = await use('list_changes', { issue: added });
      expect(changes[0]?.change_id).toBe(closed.change_id);
      const undone = await use('decide_change', { change_id: closed.change_id ?? '', decision: 'undo' });
      expect(undone).toMatchObject({ status: 'applied' });
      expect([...called].toSorted()).toEqual(AGENT_TOOLS.toSorted());
    } finally {
      await testTracker.close();
    }
  },
  120_000,
);
