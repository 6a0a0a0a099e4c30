import { AI_PROVIDERS, type AiModel, type AiProvider } from '@winnow/contract/ai-model';
import { change, changeList, resolutionResult } from '@winnow/contract/change';
import { type FlowExecution, flowExecution, flowExecutionList, pastEvents } from '@winnow/contract/flow';
import { issueDetail } from '@winnow/contract/issue-detail';
import { tracker } from '@winnow/contract/tracker';
import { apiUsage } from '@winnow/contract/usage';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { ModelReply, ModelsEmulator } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { INJECTIONS } from '../../ai/testing/injections.ts';
import { closeAll, startBacklog } from '../../testing/backlog.ts';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { differentIssues, syncAgain } from '../../testing/github.ts';
import type { RunningWinnow } from '../../testing/running-winnow.ts';
import { logsOf, newFlow, newModel, runFlow, runToEnd, whenExecution } from '../testing/flow-setup.ts';

const ISSUE = 'acme/app#1';
const MILLION = 1_000_000;
const USUAL = differentIssues(4);
type Tokens = { input: number; output: number };

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let caller: Caller;
let trackerId: string;
let model: AiModel;
let asked: number;

beforeAll(async () => {
  const issues = [...USUAL, ...INJECTIONS.map(({ what, text }) => ({ title: what, body: text(ISSUE) }))];
  const seed = { repos: [{ owner: 'acme', name: 'other', private: true, issues: differentIssues(1) }] };
  ({ winnow, models, github, caller, trackerId } = await startBacklog({ issues, seed }));
  model = await newModel(caller, models);
});
afterAll(() => closeAll(winnow, models, github));
beforeEach(() => {
  asked = models.requests.length;
  models.answerAll(() => ({ text: 'Done.' }));
});

const questions = () => models.requests.slice(asked);
const call = (
  tool: string,
  given: object | string,
  more: { text?: string; tokens?: Tokens } = {},
): ModelReply => ({
  calls: [{ name: `winnow__${tool}`, arguments: given }],
  ...more,
});
const comment = (issue: string, text: string) => call('comment_on_issue', { issue, comment: text });
const commentsOn = (number: number) => github.issue('acme', 'app', number).comments;

/**
 * Runs a flow with a model that gives these responses one after another. Returns the finished
 * execution.
 */
async function execute(
  replies: ModelReply[],
  changes: Record<string, unknown> = {},
  on?: Record<string, unknown>,
): Promise<FlowExecution> {
  models.next(...replies);
  const flow = await newFlow(caller, model.id, changes);
  return runToEnd(caller, flow.id, on);
}

describe.each(Object.keys(AI_PROVIDERS) as AiProvider[])('a model of the provider %s', (provider) => {
  test('reads, proposes, and reports its actions', async () => {
    const own = await newModel(caller, models, provider);
    const tokens = { input: 1_000, output: 100 };
    models.next(
      call('get_issue', { issue: ISSUE }, { text: 'I look first.', tokens }),
      call('update_issue', { issue: ISSUE, add_labels: [provider] }, { tokens }),
      { text: `I labeled it ${provider}.`, tokens },
    );
    const { id, name } = await newFlow(caller, own.id);
    const execution = await runToEnd(caller, id);
    expect(execution).toMatchObject({
      status: 'SUCCEEDED',
      flow_name: name,
      ai_model_name: own.name,
      result: `I labeled it ${provider}.`,
      error_message: null,
      tool_calls_count: 2,
      iterations: 3,
      tokens: { input: 3_000, output: 300 },
      actions_taken_summary: [{ action: 'winnow/update_issue', target_key: ISSUE }],
    });
    expect(execution.budget_used > 0).toBe(provider !== 'custom');
    const [changeId = ''] = execution.change_ids;
    expect(await caller.get(`/changes/${changeId}`, change)).toMatchObject({
      kind: 'flow',
      status: 'proposed',
      actor: { type: 'flow', id, name },
      issue_keys: [ISSUE],
    });
    expect(github.issue('acme', 'app', 1).labels).toEqual([]);
    const [, second, third] = questions();
    expect(second?.tools).toContain('winnow__update_issue');
    expect(second?.tools).not.toContain('winnow__decide_change');
    expect(second?.turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(second?.turns[2]?.text).toContain('Report 1 about');
    expect(third?.turns[4]?.text).toMatch(/status\W+proposed/);
    const logs = await logsOf(caller, execution.id);
    expect(logs.map(({ type }) => type)).toEqual([
      'event',
      'prompt',
      ...(provider === 'custom' ? ['status'] : []),
      'model_call',
      'message',
      'tool_call',
      'tool_result',
      'model_call',
      'tool_call',
      'tool_result',
      'change',
      'model_call',
      'message',
      'status',
    ]);
    expect(logs.map(({ seq }) => seq)).toEqual(logs.map((_, index) => index + 1));
    await caller.do('DELETE', `/flows/${id}`);
  });

  test('that refuses the key ends the execution with the reason', async () => {
    const own = await newModel(caller, models, provider);
    models.next({ fails: 401, says: 'Wrong key.' });
    const { id } = await newFlow(caller, own.id);
    const execution = await runToEnd(caller, id);
    expect(execution).toMatchObject({ status: 'FAILED', iterations: 0 });
    expect(execution.error_message).toMatch(/^Model \d+ refuses the API key/);
  });

  test('that refused the key a moment ago is called again when a user runs or retries a flow', async () => {
    const own = await newModel(caller, models, provider);
    const { id } = await newFlow(caller, own.id);
    models.next({ fails: 401, says: 'Wrong key.' }, { text: 'Done.' }, { fails: 401, says: 'Wrong key.' });
    const outcomes: string[] = [];
    for (let runs = 0; runs < 3; runs += 1) {
      outcomes.push((await runToEnd(caller, id)).status);
    }
    expect(outcomes).toEqual(['FAILED', 'SUCCEEDED', 'FAILED']);
    const [last] = await caller.get(`/flows/executions?flow_id=${id}`, flowExecutionList);
    const again = await caller.send('POST', `/flows/executions/${last?.id}/retry`, undefined, flowExecution);
    expect(await whenExecution(caller, again.id)).toMatchObject({ status: 'SUCCEEDED', result: 'Done.' });
  });

  test('that sends invalid arguments gets an error and can correct them', async () => {
    const own = await newModel(caller, models, provider);
    // Only OpenAI's protocol sends arguments as a string, so only there can the arguments be
    // invalid JSON.
    const broken = provider === 'openai' || provider === 'custom' ? '{"issue": ' : '[]';
    models.next(call('get_issue', broken), call('get_issue', { issue: 12 }), { text: 'I give up.' });
    const { id } = await newFlow(caller, own.id);
    const execution = await runToEnd(caller, id);
    expect(execution).toMatchObject({ status: 'SUCCEEDED', tool_calls_count: 2 });
    const results = (await logsOf(caller, execution.id)).filter(({ type }) => type === 'tool_result');
    expect(results.map(({ payload }) => payload.failed)).toEqual([true, true]);
    expect(JSON.stringify(questions()[2]?.turns.at(-1))).toContain('call again');
  });
});

test('counts the cost of flows as a separate feature of the account’s model usage', async () => {
  await execute([{ text: 'Nothing to do.' }]);
  const usage = await caller.get('/auth/api-usage', apiUsage);
  expect(usage.ai.by_feature.find(({ feature }) => feature === 'flow')?.calls).toBeGreaterThan(0);
});

describe('a write of an agent', () => {
  test('applies immediately in the project of a flow that may apply', async () => {
    const execution = await execute([comment('acme/app#2', 'Seen.'), { text: 'Said so.' }], {
      write_mode: 'apply',
    });
    expect(execution.status).toBe('SUCCEEDED');
    const { change_id: changeId } = execution.actions_taken_summary[0] ?? {};
    expect(await caller.get(`/changes/${changeId}`, change)).toMatchObject({ status: 'applied' });
    expect(commentsOn(2)).toEqual([expect.objectContaining({ body: expect.stringContaining('Seen.') })]);
  });

  test.each([
    ['another project', 'acme/other#1', { issue_key: ISSUE }],
    ['any project, if the flow is run without a subject', ISSUE, {}],
  ])('in %s is still a proposal', async (_where, issue, on) => {
    const execution = await execute(
      [comment(issue, 'Elsewhere.'), { text: '.' }],
      { write_mode: 'apply' },
      on,
    );
    const { change_id: changeId } = execution.actions_taken_summary[0] ?? {};
    expect(await caller.get(`/changes/${changeId}`, change)).toMatchObject({ status: 'proposed' });
  });

  test.each([
    ['read', call('get_issue', { issue: 'acme/other#1' })],
    ['named with spaces around', call('suggest_improvement', { issue: ' acme/other#1 ' })],
    [
      'received an error that quotes',
      call('update_issue', { issue: 'acme/other#1', title: 'New', base_hash: '0'.repeat(64) }),
    ],
  ])(
    'is a proposal in every project after the agent has %s an issue of another project',
    async (_how, told) => {
      const before = commentsOn(4).length;
      const execution = await execute(
        [comment('acme/app#4', 'Before.'), told, comment('acme/app#4', 'What stands there.'), { text: '.' }],
        { write_mode: 'apply' },
      );
      const changes = await Promise.all(
        execution.change_ids.map(async (id) => (await caller.get(`/changes/${id}`, change)).status),
      );
      expect(changes).toEqual(['applied', 'proposed']);
      expect(commentsOn(4)).toHaveLength(before + 1);
      const notices = (await logsOf(caller, execution.id)).map(({ payload }) => payload.notice);
      expect(notices).toContain(
        'The run has read issues of other projects. All further writes are proposed, even in the project of the event.',
      );
    },
  );

  test('that reaches another project through a duplicate is a proposal', async () => {
    const idOf = async (key: string) =>
      (await caller.get(`/issues/${encodeURIComponent(key)}`, issueDetail)).id;
    const resolution = {
      issue1_id: await idOf('acme/other#1'),
      issue2_id: await idOf('acme/app#2'),
      resolution: 'close_b',
    };
    await caller.send('PATCH', '/issue-duplicates/execute-resolution', resolution, resolutionResult);
    const before = github.issue('acme', 'other', 1).comments.length;
    const execution = await execute(
      [call('close_as_duplicate', { issue: 'acme/app#3', original: 'acme/app#2' }), { text: '.' }],
      { write_mode: 'apply' },
    );
    const [changeId] = execution.change_ids;
    expect(await caller.get(`/changes/${changeId}`, change)).toMatchObject({ status: 'proposed' });
    expect(github.issue('acme', 'other', 1).comments).toHaveLength(before);
  });

  test('with a tool that requires approval is a proposal', async () => {
    const execution = await execute([comment('acme/app#3', 'May I?'), { text: '.' }], {
      write_mode: 'apply',
      tool_policies: { 'winnow/comment_on_issue': 'ask' },
    });
    const { change_id: changeId } = execution.actions_taken_summary[0] ?? {};
    expect(await caller.get(`/changes/${changeId}`, change)).toMatchObject({ status: 'proposed' });
    expect(commentsOn(3)).toEqual([]);
  });

  test('with a denied tool is refused, and the tool is not offered', async () => {
    const execution = await execute([comment('acme/app#3', 'Mine!'), { text: 'I may not.' }], {
      write_mode: 'apply',
      tool_policies: { 'winnow/comment_on_issue': 'deny' },
    });
    expect(questions()[0]?.tools).not.toContain('winnow__comment_on_issue');
    expect(execution).toMatchObject({ status: 'SUCCEEDED', actions_taken_summary: [], change_ids: [] });
    expect(questions()[1]?.turns.at(-1)?.text).toContain('Tool winnow__comment_on_issue not found');
    expect(commentsOn(3)).toEqual([]);
  });

  test('is only recorded in a dry run', async () => {
    const before = (await caller.get('/changes?limit=1', changeList)).total;
    const execution = await execute(
      [comment('acme/app#3', 'Would I?'), { text: 'I would.' }],
      { write_mode: 'apply' },
      { issue_key: ISSUE, dry_run: true },
    );
    expect(execution).toMatchObject({
      status: 'SUCCEEDED',
      dry_run: true,
      change_ids: [],
      actions_taken_summary: [
        { action: 'winnow/comment_on_issue', target_key: 'acme/app#3', change_id: null },
      ],
    });
    expect((await caller.get('/changes?limit=1', changeList)).total).toBe(before);
    expect(commentsOn(3)).toEqual([]);
  });

  test.each(['winnow__decide_change', 'winnow__erase_everything', 'rm'])(
    'is refused with the unknown tool %s',
    async (name) => {
      const execution = await execute([{ calls: [{ name, arguments: {} }] }, { text: '.' }]);
      expect(execution).toMatchObject({ status: 'SUCCEEDED', actions_taken_summary: [] });
      expect(questions()[1]?.turns.at(-1)?.text).toContain(`Tool ${name} not found`);
    },
  );
});

test('a write refused by the tracker is a failed call for the model, in the log and in the list of actions', async () => {
  github.faults.add({
    match: { method: 'POST', path: '/issues/4/comments$' },
    action: { kind: 'status', status: 403 },
  });
  const execution = await execute([comment('acme/app#4', 'Seen.'), { text: 'It was refused.' }], {
    write_mode: 'apply',
  });
  github.faults.clear();
  const [result] = (await logsOf(caller, execution.id)).filter(({ type }) => type === 'tool_result');
  expect(result?.payload).toMatchObject({ tool: 'winnow/comment_on_issue', failed: true });
  expect(questions()[1]?.turns.at(-1)?.text).toContain('Not written');
  expect(execution.actions_taken_summary).toEqual([
    expect.objectContaining({ summary: expect.stringMatching(/^Not written/) }),
  ]);
});

test('the list of actions shows the current state of each change', async () => {
  const execution = await execute([comment('acme/app#4', 'May I?'), { text: 'Asked.' }]);
  expect(execution.actions_taken_summary[0]?.summary).toMatch(/^Proposed/);
  await caller.call('POST', `/changes/${execution.change_ids[0]}/reject`);
  const later = await whenExecution(caller, execution.id);
  expect(later.actions_taken_summary).toEqual([
    expect.objectContaining({ summary: expect.stringMatching(/^Rejected/) }),
  ]);
});

test('makes at most twenty calls per turn, and informs the model', async () => {
  const asked = Array.from({ length: 25 }, (_, index) => ({
    name: 'winnow__comment_on_issue',
    arguments: { issue: ISSUE, comment: `Number ${index}.` },
  }));
  const execution = await execute([{ calls: asked }, { text: 'Enough.' }]);
  expect(execution).toMatchObject({ status: 'SUCCEEDED', tool_calls_count: 20 });
  expect(execution.change_ids).toHaveLength(20);
  const told = questions()[1]
    ?.turns.map(({ text }) => text)
    .join();
  expect(told?.split('This call was skipped: at most 20 calls are made per turn.')).toHaveLength(6);
  const notices = (await logsOf(caller, execution.id)).filter(({ type }) => type === 'status');
  expect(notices[0]?.payload).toEqual({
    notice: '5 calls were skipped: at most 20 calls are made per turn.',
  });
});

describe('an execution ends', () => {
  test.each(['', ' \n', '\u200b'])('as failed if the model says nothing: %j', async (text) => {
    const execution = await execute([comment(ISSUE, 'Looked at.'), { text }]);
    expect(execution).toMatchObject({
      status: 'FAILED',
      result: null,
      iterations: 2,
      error_message: expect.stringMatching(/^The model gave an empty answer/),
    });
  });

  test('at the limit of tool calls', async () => {
    let made = 0;
    models.answerAll(() => ({
      calls: Array.from({ length: 20 }, () => {
        made += 1;
        return { name: 'winnow__get_issue', arguments: { issue: made } };
      }),
    }));
    const execution = await execute([], { max_iterations: 50 });
    expect(execution).toMatchObject({
      status: 'FAILED',
      tool_calls_count: 300,
      error_message: 'The run stopped at its limit of 300 tool calls.',
    });
  });

  test('when the same call is made four times, with arguments in any order', async () => {
    const [one, other] = [
      { issue: ISSUE, limit: 3 },
      { limit: 3, issue: ISSUE },
    ];
    const replies = [one, other, one, other].map((given) => call('find_similar', given));
    const execution = await execute(replies, { max_iterations: 50 });
    expect(execution).toMatchObject({
      status: 'FAILED',
      error_message:
        'The run repeated itself: winnow/find_similar was called 4 times with the same arguments.',
    });
    expect(questions()).toHaveLength(4);
  });

  test('at the limit of iterations', async () => {
    let turn = 0;
    models.answerAll(() => {
      turn += 1;
      return call('search_issues', { query: `number ${turn}` });
    });
    const execution = await execute([], { max_iterations: 3 });
    expect(execution).toMatchObject({
      status: 'FAILED',
      iterations: 3,
      error_message: 'The run stopped at its limit of 3 iterations.',
    });
  });

  test('when one call exceeds its budget, with the amount', async () => {
    // The list price is $2.50 per million input tokens and $10 per million output tokens.
    const tokens = { input: MILLION, output: 0 };
    const execution = await execute([{ text: 'A long text.', tokens }], { max_budget: 1 });
    expect(execution).toMatchObject({
      status: 'FAILED',
      budget_used: 2.5,
      error_message: 'The run cost $2.50, which is $1.50 more than its budget of $1.00.',
    });
  });

  test('before a call if no budget is left', async () => {
    const tokens = { input: 400_000, output: 0 };
    const execution = await execute([call('get_issue', { issue: ISSUE }, { tokens })], { max_budget: 1 });
    expect(execution).toMatchObject({
      status: 'FAILED',
      error_message: 'The run has used up its budget of $1.00.',
    });
    expect(questions()).toHaveLength(1);
  });

  test('before a call whose input alone costs more than the remaining budget', async () => {
    const prompt_template = 'word '.repeat(3_900);
    const execution = await execute([], { prompt_template, max_budget: 0.01 });
    expect(execution).toMatchObject({
      status: 'FAILED',
      budget_used: 0,
      error_message: 'The rest of the run’s budget of $0.0100 is not enough to call the model.',
    });
    expect(questions()).toEqual([]);
  });

  test('within its budget, because the remaining budget limits the output', async () => {
    await execute([{ text: '.' }], { max_budget: 0.03 });
    const [question] = questions();
    expect(question?.maxTokens).toBeGreaterThan(256);
    expect(question?.maxTokens).toBeLessThan(3_000);
  });

  test('when a user stops it while the model is responding', async () => {
    models.next('hangs');
    const { id } = await newFlow(caller, model.id);
    const { id: executionId } = await runFlow(caller, id);
    await eventually(() => questions().length > 0);
    await caller.call('POST', `/flows/executions/${executionId}/stop`);
    const execution = await whenExecution(caller, executionId);
    expect(execution).toMatchObject({ status: 'STOPPED', error_message: null, iterations: 0 });
    await caller.fail('POST', `/flows/executions/${executionId}/stop`, 409);
  });

  test('when its model was removed', async () => {
    const gone = await newModel(caller, models);
    const { id } = await newFlow(caller, gone.id);
    await caller.do('DELETE', `/ai-models/${gone.id}`);
    const execution = await runToEnd(caller, id);
    expect(execution.status).toBe('FAILED');
    expect(execution.error_message).toMatch(/model/);
  });
});

test.each(INJECTIONS.map(({ what }, index) => [what, USUAL.length + index + 1] as const))(
  '%s in the text of an issue stays data, in the task and in tool results',
  async (_what, number) => {
    const issue = `acme/app#${number}`;
    const execution = await execute(
      [call('get_issue', { issue }), { text: 'Read.' }],
      { prompt_template: 'Read {{issue.description}}' },
      { issue_key: issue },
    );
    expect(execution).toMatchObject({ status: 'SUCCEEDED', actions_taken_summary: [] });
    const [first, second] = questions();
    const boundary = /<<(DATA-[0-9a-f]{24})/.exec(first?.system ?? '')?.[1] ?? 'none';
    const [opening, closing] = [`<<${boundary}\n`, `\n${boundary}>>`];
    for (const text of [first?.turns[0]?.text, second?.turns.at(-1)?.text]) {
      expect(text?.split(opening)).toHaveLength(2);
      expect(text?.split(closing)).toHaveLength(2);
    }
    expect(second?.turns.at(-1)?.text).toMatch(new RegExp(`^Result of winnow__get_issue.*:\\n${opening}`));
    expect(second?.system).toBe(first?.system);
  },
);

test('an execution can be retried, and lists filter by flow and status', async () => {
  const { id } = await newFlow(caller, model.id, { write_mode: 'apply' });
  models.next({ fails: 400, says: 'No.' }, { fails: 400, says: 'No.' });
  const first = await runToEnd(caller, id);
  expect(first.status).toBe('FAILED');
  const answer = await caller.call('POST', `/flows/executions/${first.id}/retry`);
  expect(answer.status).toBe(202);
  const second = await whenExecution(caller, (answer.body as FlowExecution).id);
  expect(second).toMatchObject({ status: 'SUCCEEDED', retry_of: first.id, flow_id: id });
  const listed = async (query: string) => {
    const list = await caller.call('GET', `/flows/executions?flow_id=${id}${query}`);
    const ids = (list.body as FlowExecution[]).map((one) => one.id);
    return [list.headers.get('x-total-count'), ids];
  };
  expect(await listed('')).toEqual(['2', [second.id, first.id]]);
  expect(await listed('&status=FAILED')).toEqual(['1', [first.id]]);
  expect(await listed('&limit=1&skip=1')).toEqual(['2', [first.id]]);
});

test('a flow can be run on a past event with its details', async () => {
  const { number, title } = github.createIssue('acme', 'app', { title: 'The door squeaks', body: 'Often.' });
  await syncAgain(caller, trackerId);
  const events = await caller.get('/flows/events?trigger_event_type=issue_opened', pastEvents);
  const key = `acme/app#${number}`;
  const opened = events.find(({ issue_key }) => issue_key === key);
  const execution = await execute(
    [{ text: 'Seen.' }],
    { prompt_template: '{{event.type}}: {{issue.title}}' },
    { event: opened?.event },
  );
  expect(execution).toMatchObject({
    status: 'SUCCEEDED',
    trigger_event: { type: 'issue_opened', issue_key: key, issue_title: title, project: 'acme/app' },
  });
  expect(questions()[0]?.turns[0]?.text).toMatch(/^issue_opened: [\s\S]*The door squeaks/);
});

test('the prompt names the area of the flow if the event has no project', async () => {
  await execute([{ text: 'Nothing.' }], { trigger_event_source: trackerId, prompt_template: 'Report.' }, {});
  const { name } = await caller.get(`/trackers/${trackerId}`, tracker);
  expect(questions()[0]?.turns[0]?.text).toBe(`Report.\n\nEvent: started manually, tracker ${name}.`);
});

test('refuses log numbers out of range', async () => {
  const { id } = await execute([{ text: '.' }]);
  await caller.fail('GET', `/flows/executions/${id}/logs?after=2147483648`, 422);
  const { body } = await caller.call('GET', `/flows/executions/${id}/logs?after=2147483647`);
  expect(body).toMatchObject({ logs: [] });
});

test('other accounts cannot see, stop, retry or run flows and executions', async () => {
  const { id } = await newFlow(caller, model.id);
  const { id: executionId } = await runFlow(caller, id);
  await whenExecution(caller, executionId);
  const stranger = await winnow.newCaller();
  await stranger.fail('GET', `/flows/executions/${executionId}`, 404);
  await stranger.fail('GET', `/flows/executions/${executionId}/logs`, 404);
  await stranger.fail('POST', `/flows/executions/${executionId}/stop`, 404);
  await stranger.fail('POST', `/flows/executions/${executionId}/retry`, 404);
  await stranger.fail('POST', `/flows/${id}/run`, 404, {});
  expect((await stranger.call('GET', '/flows/executions')).body).toEqual([]);
});

test.each([
  [{ issue_key: 'acme/app#999' }, 'issue_key'],
  [{ event: 999_999 }, 'event'],
  [{ issue_key: ISSUE, event: 1 }, 'issue_key'],
])('running on %j is refused at its field', async (on, path) => {
  const { id } = await newFlow(caller, model.id);
  const { fields } = await caller.fail('POST', `/flows/${id}/run`, 422, on);
  expect(fields?.map((field) => field.path)).toEqual([path]);
});
