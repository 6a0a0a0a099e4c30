import { change, changeList } from '@winnow/contract/change';
import { complianceStats } from '@winnow/contract/compliance';
import { commitResult, dependencyList } from '@winnow/contract/dependency';
import { duplicateStats, pairList } from '@winnow/contract/duplicate';
import { type FlowExecution, flow, flowPreset, flowPreview } from '@winnow/contract/flow';
import { projectList, similarIssues } from '@winnow/contract/issue';
import { type IssueDetail, issueDetail } from '@winnow/contract/issue-detail';
import { issueMap, searchResults } from '@winnow/contract/search';
import { type Tracker, tracker } from '@winnow/contract/tracker';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { TEST_TRACKERS, type TestTracker } from '@winnow/emulators/testing/test-trackers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newFlow, newModel, runToEnd } from './flows/testing/flow-setup.ts';
import { type Agent, connectAgent, newKey } from './mcp/testing/agent.ts';
import { closeAll } from './testing/backlog.ts';
import type { Caller } from './testing/caller.ts';
import { eventually } from './testing/eventually.ts';
import { whenSynced } from './testing/github.ts';
import { type RunningWinnow, startWinnow } from './testing/running-winnow.ts';

const TITLES = ['The export stops after the second page', 'Export hangs at page two', 'A lamp is broken'];

const PAIRS_OF_TRACKERS = [
  ['GitHub', 'GitLab'],
  ['Jira Cloud', 'Jira Data Center'],
] as const;

/**
 * An unknown cluster. It suffices, because issue keys are resolved before the cluster is looked up.
 */
const NO_CLUSTER = { cluster_id: '00000000-0000-4000-8000-000000000000', revision: 1 };

let winnow: RunningWinnow;
let models: ModelsEmulator;

beforeAll(async () => {
  [winnow, models] = await Promise.all([startWinnow(), startModels()]);
});
afterAll(() => closeAll(winnow, models));

describe.each(PAIRS_OF_TRACKERS)('%s and %s with equal keys', (...kinds) => {
  let caller: Caller;
  let agent: Agent;
  let testTrackers: [TestTracker, TestTracker];
  let trackers: [Tracker, Tracker];
  /** The first issue of each of the two trackers. */
  let firsts: [IssueDetail, IssueDetail];
  let labels: [string, string];
  let key: string;

  beforeAll(async () => {
    caller = await winnow.newCaller();
    testTrackers = await both((side) => newTestTracker(kinds[side]));
    // Connects the trackers one after another. Their order must not affect the results.
    const connected: Tracker[] = [];
    for (const [side, { connection }] of testTrackers.entries()) {
      const name = `${side === 0 ? 'Main' : 'Mirror'} tracker`;
      connected.push(await caller.send('POST', '/trackers', { name, ...connection }, tracker));
    }
    const [main, mirror] = connected;
    if (main === undefined || mirror === undefined) throw new Error('A tracker is missing.');
    trackers = [main, mirror];
    for (const { id } of trackers) await whenSynced(caller, id);
    key = testTrackers[0].keyOf(1);
    firsts = await both((side) => ofTracker(side, 1));
    labels = await both(async (side) => {
      const { issue } = await search(side);
      return `${issue.tracker.name} (${kinds[side].split(' ', 1)[0]})`;
    });
    agent = await connectAgent(winnow.origin, (await newKey(caller)).key);
    await eventually(async () => {
      const found = await both((side) => agent.use('find_similar', { issue: firsts[side].id }));
      return found.every(({ results }) => results.length > 2);
    });
  }, 180_000);
  afterAll(() => closeAll(agent, ...testTrackers));

  const ofTracker = (side: 0 | 1, number: number) =>
    caller.get(
      `/issues/${encodeURIComponent(testTrackers[side].keyOf(number))}?tracker_id=${trackers[side].id}`,
      issueDetail,
    );
  const search = async (side: 0 | 1) => {
    const query = new URLSearchParams({ query: 'export', project_id: firsts[side].project_id });
    const { results } = await caller.get(`/search?${query}`, searchResults);
    const issues = results.flatMap((one) => (one.item_type === 'comment' ? [] : [one.item]));
    const [issue] = issues;
    if (issue === undefined) throw new Error('Nothing was found.');
    expect(issues.map(({ tracker_id: id }) => id)).toEqual(issues.map(() => trackers[side].id));
    return { issue };
  };
  const commentsOn = (side: 0 | 1, number = 1) =>
    testTrackers[side].inspect(number).comments.map((one) => commentText(one));

  test('the keys are equal, and every list of issues and projects names the tracker of each entry', async () => {
    expect(testTrackers[1].keyOf(1)).toBe(key);
    expect(firsts[0].id).not.toBe(firsts[1].id);
    expect(firsts.map((one) => one.tracker.name)).toEqual(['Main tracker', 'Mirror tracker']);
    const projects = await caller.get('/projects', projectList);
    expect(projects.map((one) => [one.tracker_name, one.has_namesake]).sort()).toEqual([
      ['Main tracker', true],
      ['Mirror tracker', true],
    ]);
    const found = await caller.get('/search?query=export', searchResults);
    const trackersFound = found.results.map((one) =>
      one.item_type === 'comment' ? one.item.issue.tracker.name : one.item.tracker.name,
    );
    expect(new Set(trackersFound)).toEqual(new Set(['Main tracker', 'Mirror tracker']));
    const points = await caller.get('/embeddings', issueMap);
    expect(new Set(points.data.map((one) => one.project_id)).size).toBe(2);
  });

  test('every route that takes an issue key refuses an ambiguous one and names both candidates', async () => {
    for (const path of ['', '/similar']) {
      const refused = await caller.fail('GET', `/issues/${encodeURIComponent(key)}${path}`, 422);
      expect(refused.code).toBe('ambiguous_key');
      expect(refused.fields?.map(({ path: id }) => id).sort()).toEqual(firsts.map(({ id }) => id).sort());
      expect(JSON.stringify(refused.fields)).toContain('Mirror tracker');
    }
  });

  test('lists, charts and similar issues can be limited to one of the two projects', async () => {
    const pairs = await caller.get('/issue-duplicates/?scope=account&similarity_threshold=0.5', pairList);
    const across = pairs.duplicates.filter((one) => one.issue1.tracker_id !== one.issue2.tracker_id);
    expect(across.length).toBeGreaterThan(0);
    for (const { issue1, issue2 } of across) expect(issue1.tracker.name).not.toBe(issue2.tracker.name);
    for (const side of [0, 1] as const) {
      const { project_id: projectId, id } = firsts[side];
      const own = await caller.get(
        `/issue-duplicates/?similarity_threshold=0.5&project_ids=${projectId}`,
        pairList,
      );
      expect(own.duplicates.length).toBeGreaterThan(0);
      for (const { issue1, issue2 } of own.duplicates) {
        expect([issue1.tracker_id, issue2.tracker_id]).toEqual([trackers[side].id, trackers[side].id]);
      }
      const { results } = await caller.get(`/issues/${id}/similar?project_ids=${projectId}`, similarIssues);
      expect(results.length).toBeGreaterThan(0);
      for (const { issue } of results) expect(issue.project_id).toBe(projectId);
    }
    const stats = await caller.get('/project-duplicate-stats?similarity_threshold=0.5', duplicateStats);
    const ids = firsts.map((one) => one.project_id).sort();
    expect(stats.projects.map((one) => one.project_id).sort()).toEqual(ids);
    const scores = await caller.get('/issue_compliance_stats', complianceStats);
    expect(scores.projects.map((one) => one.project_id).sort()).toEqual(ids);
  });

  test('every tool that takes an issue key refuses an ambiguous one, and accepts it with the tracker or as an id', async () => {
    const refused = await Promise.all([
      agent.failing('get_issue', { issue: key }),
      agent.failing('find_similar', { issue: key }),
      agent.failing('check_compliance', { issues: [key] }),
      agent.failing('suggest_improvement', { issue: key }),
      agent.failing('detect_dependencies', { issues: [key] }),
      agent.failing('list_changes', { issue: key }),
      agent.failing('update_issue', { issue: key, title: 'Another' }),
      agent.failing('assign_issue', { issue: key, assignees: ['me'] }),
      agent.failing('comment_on_issue', { issue: key, comment: 'Noted.' }),
      agent.failing('close_as_duplicate', { issue: key, original: firsts[0].id }),
      agent.failing('close_as_duplicate', { issue: firsts[0].id, original: key }),
      agent.failing('propose_cluster_resolution', { ...NO_CLUSTER, canonical: key }),
      agent.failing('propose_cluster_resolution', { ...NO_CLUSTER, issues: [key] }),
    ]);
    for (const sentence of refused) {
      for (const part of [...labels, firsts[0].id, firsts[1].id, firsts[0].title]) {
        expect(sentence).toContain(part);
      }
    }
    const projects = await Promise.all([
      agent.failing('search_issues', { projects: [testTrackers[0].project] }),
      agent.failing('find_similar', { issue: firsts[0].id, projects: [testTrackers[0].project] }),
      agent.failing('detect_dependencies', { project: testTrackers[0].project }),
      agent.failing('create_issue', { project: testTrackers[0].project, title: 'Another' }),
    ]);
    for (const sentence of projects) for (const label of labels) expect(sentence).toContain(label);

    for (const side of [0, 1] as const) {
      for (const name of [labels[side], trackers[side].name, trackers[side].id]) {
        const { id } = await agent.use('get_issue', { issue: key, tracker: name });
        expect(id).toBe(firsts[side].id);
      }
      const named = { issue: key, tracker: labels[side] };
      const project = testTrackers[side].project;
      const similar = await agent.use('find_similar', { ...named, projects: [project] });
      expect(similar.results.map((one) => one.issue.tracker)).toEqual(
        similar.results.map(() => labels[side]),
      );
      const listed = await agent.use('search_issues', { projects: [project], tracker: labels[side] });
      expect(new Set(listed.results.map((one) => one.issue.tracker))).toEqual(new Set([labels[side]]));
      const scored = await agent.use('check_compliance', { issues: [key], tracker: labels[side] });
      expect(scored.results[0]?.issue).toMatchObject({ id: firsts[side].id, tracker: labels[side] });
      await agent.use('detect_dependencies', { project, tracker: labels[side] });
      await agent.use('suggest_improvement', named);
      const note = `Noted in ${labels[side]}`;
      const commented = await agent.use('comment_on_issue', { ...named, comment: note });
      expect(commented).toMatchObject({
        status: 'applied',
        issue_id: firsts[side].id,
        tracker: labels[side],
      });
      expect(commentsOn(side).join()).toContain(note);
      expect(commentsOn(side === 0 ? 1 : 0).join()).not.toContain(note);
      const { changes } = await agent.use('list_changes', named);
      expect(changes.map(({ issues }) => issues.map(({ id }) => id))).toEqual([[firsts[side].id]]);
      const labeled = await agent.use('update_issue', { ...named, add_labels: [`of-${side}`] });
      expect(labeled).toMatchObject({ status: 'applied' });
      const assigned = await agent.use('assign_issue', { ...named, assignees: ['me'] });
      expect(assigned).toMatchObject({ status: 'applied' });
      expect(testTrackers[side].inspect(1)).toMatchObject({ labels: [`of-${side}`], assignees: ['ada'] });
      const made = await agent.use('create_issue', {
        project,
        tracker: labels[side],
        title: `A door made in ${side}`,
        allow_duplicate: true,
      });
      expect(made).toMatchObject({ status: 'applied', tracker: labels[side] });
      expect(testTrackers[side].inspect(testTrackers[side].count()).title).toBe(`A door made in ${side}`);
    }
  });

  test('a pair across both trackers is closed in the chosen tracker, and each write names its tracker', async () => {
    const [main, mirror] = await both((side) => ofTracker(side, 3));
    const closed = await agent.use('close_as_duplicate', { issue: mirror.id, original: main.id });
    expect(closed).toMatchObject({ status: 'applied', issue_id: mirror.id, tracker: labels[1] });
    expect(closed.summary).toContain(labels[1]);
    expect(testTrackers[0].inspect(3).state).toBe(testTrackers[0].inspect(2).state);
    expect(testTrackers[1].inspect(3).state).not.toBe(testTrackers[1].inspect(2).state);
    const saved = await caller.get(`/changes/${closed.change_id}`, change);
    expect(saved.issues.map((one) => one.tracker?.name).sort()).toEqual(['Main tracker', 'Mirror tracker']);
    for (const step of saved.steps) {
      expect(step.target_tracker?.name).toBe(
        step.target_project_id === main.project_id ? 'Main tracker' : 'Mirror tracker',
      );
    }
    const closing = saved.steps.find(({ action }) => action === 'close_as_duplicate');
    expect(closing?.other_project_id).toBe(main.project_id);
    const undone = await agent.use('decide_change', { change_id: saved.id, decision: 'undo' });
    expect(undone.status).toBe('applied');
    expect(testTrackers[1].inspect(3).state).toBe(testTrackers[1].inspect(2).state);
    const list = await caller.get(`/changes?issue_id=${main.id}`, changeList);
    expect(list.changes.map(({ id }) => id)).toContain(saved.id);
  });

  test('a cluster across both trackers is closed by ids, and each step names its tracker', async () => {
    const cluster = await eventually(
      async () => {
        const { clusters } = await agent.use('list_clusters', { min_probability: 0 });
        const details = clusters.map((one) => agent.use('get_cluster', { cluster_id: one.cluster_id }));
        const ids = firsts.map(({ id }) => id);
        return (
          (await Promise.all(details)).find(({ members }) =>
            ids.every((id) => members.some((member) => member.id === id)),
          ) ?? null
        );
      },
      { timeoutMs: 60_000, what: 'a cluster across the two' },
    );
    const { cluster_id, revision } = cluster;
    const closed = await agent.use('propose_cluster_resolution', {
      ...{ cluster_id, revision },
      canonical: firsts[0].id,
      issues: [firsts[1].id],
    });
    expect(closed).toMatchObject({ status: 'applied', issue_id: firsts[0].id, tracker: labels[0] });
    expect(closed.steps?.map((step) => [step.action, step.target, step.tracker])).toEqual([
      ['comment', key, labels[1]],
      ['close_as_duplicate', key, labels[1]],
      ['comment', key, labels[0]],
    ]);
    expect(testTrackers[0].inspect(1).state).toBe(testTrackers[0].inspect(2).state);
    expect(testTrackers[1].inspect(1).state).not.toBe(testTrackers[1].inspect(2).state);
    const undone = await agent.use('decide_change', { change_id: closed.change_id ?? '', decision: 'undo' });
    expect(undone.status).toBe('applied');
    expect(testTrackers[1].inspect(1).state).toBe(testTrackers[1].inspect(2).state);
  });

  test('a key in a text refers to an issue of the same tracker, and a URL of the mirror refers to no issue there', async () => {
    const mirror = await ofTracker(1, 2);
    const { id: own } = await ofTracker(1, 3);
    const { url } = await ofTracker(0, 1);
    await agent.use('update_issue', {
      issue: mirror.id,
      description: `Blocked by ${url}\n\nBlocked by ${testTrackers[1].keyOf(3)}`,
      base_hash: mirror.content_hash,
    });
    const numbers = [1, 2, 3];
    const issues = await both((side) => Promise.all(numbers.map((number) => ofTracker(side, number))));
    const body = { issue_ids: issues.flat().map(({ id }) => id) };
    const { dependencies } = await caller.send('POST', '/issue-dependencies/detect', body, dependencyList);
    expect(dependencies.map(({ source, dependent }) => ({ source, dependent }))).toEqual([
      {
        source: expect.objectContaining({ id: own, tracker: mirror.tracker }),
        dependent: expect.objectContaining({ id: mirror.id, tracker: mirror.tracker }),
      },
    ]);
    const { source_issue_id, dependent_issue_id } = dependencies[0] ?? {};
    const committed = await caller.send(
      'POST',
      '/issue-dependencies/commit',
      { dependencies: [{ source_issue_id, dependent_issue_id }] },
      commitResult,
    );
    expect(committed).toMatchObject({ failed: [] });
  });

  describe.each([0, 1] as const)('a flow of tracker %i', (side) => {
    const other = side === 0 ? 1 : 0;
    const listening = () => ({
      trigger_event_source: trackers[side].id,
      trigger_project_id: firsts[side].project_id,
      write_mode: 'apply',
    });

    test('looks up a key in its own tracker, and reads the mirror only if it names the mirror', async () => {
      const preview = await caller.send(
        'POST',
        '/flows/preview',
        { ...listening(), write_mode: undefined, prompt_template: '{{issue.url}}', issue_key: key },
        flowPreview,
      );
      expect(preview.prompt).toContain(firsts[side].url);
      expect(preview.prompt).not.toContain(firsts[other].url);
      const model = await newModel(caller, models);
      const use = (name: string, input: object) => ({
        calls: [{ name: `winnow__${name}`, arguments: input }],
      });
      const project = testTrackers[side].project;
      const text = `Read by the flow of ${side}`;
      models.next(
        use('get_issue', { issue: key }),
        use('list_projects', {}),
        use('search_issues', { query: 'export' }),
        use('find_similar', { issue: key, projects: [project] }),
        use('check_compliance', { issues: [key] }),
        use('detect_dependencies', { project }),
        use('suggest_improvement', { issue: key }),
        use('comment_on_issue', { issue: key, comment: text }),
        use('update_issue', { issue: key, add_labels: ['by-flow'] }),
        use('create_issue', { project, title: `Made by the flow of ${side}`, allow_duplicate: true }),
        { text: 'Done.' },
      );
      const { id } = await newFlow(caller, model.id, { ...listening(), max_iterations: 20 });
      const execution = await runToEnd(caller, id, { issue_key: key });
      expect(execution).toMatchObject({ status: 'SUCCEEDED', error_message: null, tool_calls_count: 10 });
      expect(await statusesOf(execution)).toEqual(['applied', 'applied', 'applied']);
      expect(commentsOn(side).join()).toContain(text);
      expect(commentsOn(other).join()).not.toContain(text);
      expect(testTrackers[side].inspect(testTrackers[side].count()).title).toBe(
        `Made by the flow of ${side}`,
      );

      models.next(
        use('get_issue', { issue: firsts[other].id }),
        use('comment_on_issue', { issue: key, comment: 'After the mirror was read' }),
        { text: 'Done.' },
      );
      const careful = await runToEnd(caller, id, { issue_key: key });
      expect(await statusesOf(careful)).toEqual(['proposed']);
    });

    test('refuses an issue of the other tracker, and names both trackers', async () => {
      const { id } = await newFlow(caller, null, { ...listening(), builtin_actions: ['check_readiness'] });
      const refused = await caller.fail('POST', `/flows/${id}/run`, 422, { issue_key: firsts[other].id });
      expect(refused.fields?.[0]?.message).toContain(labels[other]);
      expect(refused.fields?.[0]?.message).toContain(labels[side]);
    });

    test.each(['triage-new-issues', 'flag-duplicates', 'readiness-gate', 'dependency-watch'])(
      'the preset %s writes in its own tracker',
      async (preset) => {
        const presets = await caller.get('/flows/presets', z.array(flowPreset));
        const { id: presetId = '' } = presets.find((one) => one.id.endsWith(preset)) ?? {};
        const cloned = await caller.send('POST', `/flows/presets/${presetId}/clone`, {}, flow);
        const changes = { ...listening(), name: `${preset} ${side}` };
        await caller.send('PUT', `/flows/${cloned.id}`, changes, flow);
        const before = commentsOn(other, 2);
        const execution = await runToEnd(caller, cloned.id, { issue_key: testTrackers[side].keyOf(2) });
        expect(execution.status).toBe('SUCCEEDED');
        expect(commentsOn(other, 2)).toEqual(before);
      },
    );
  });

  async function statusesOf(execution: FlowExecution): Promise<string[]> {
    const changes = await Promise.all(
      execution.change_ids.map((changeId) => caller.get(`/changes/${changeId}`, change)),
    );
    return changes.map(({ status }) => status);
  }
});

async function both<T>(make: (side: 0 | 1) => Promise<T>): Promise<[T, T]> {
  return [await make(0), await make(1)];
}

function newTestTracker(kind: string): Promise<TestTracker> {
  const open = TEST_TRACKERS[kind];
  if (open === undefined) throw new Error(`There is no testTracker ${kind}.`);
  return open(TITLES);
}

function commentText(comment: unknown): string {
  return typeof comment === 'string' ? comment : JSON.stringify(comment);
}
