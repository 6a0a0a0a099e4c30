import { randomUUID } from 'node:crypto';
import {
  FLOW_LIMITS,
  type Flow,
  flow,
  flowExecution,
  flowList,
  flowPresetList,
  MAX_ICON_BYTES,
} from '@winnow/contract/flow';
import { organizationList, projectList } from '@winnow/contract/issue';
import { mcpServer } from '@winnow/contract/mcp-server';
import { tracker } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenSynced } from '../testing/github.ts';
import { addModel } from '../testing/models.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { runToEnd } from './testing/flow-setup.ts';

vi.setConfig({ testTimeout: 60_000 });
/** Address at which no model responds. */
const UNREACHABLE = { urlOf: () => 'http://127.0.0.1:9/v1' };
let winnow: RunningWinnow;
let github: GitHubEmulator;
let mine: Account;
let theirs: Account;

/** An account with two trackers, a model, and an MCP server. */
interface Account {
  caller: Caller;
  one: Place;
  other: Place;
  modelId: string;
  issueId: string;
}

interface Place {
  trackerId: string;
  organizationId: string;
  projectId: string;
}

beforeAll(async () => {
  winnow = await startWinnow();
  github = await startGitHub(differentIssues(3));
  [mine, theirs] = await Promise.all([makeAccount(), makeAccount()]);
});
afterAll(async () => {
  await winnow.close();
  await github.close();
});

async function makeAccount(): Promise<Account> {
  const caller = await winnow.newCaller();
  const [one, other] = [await makePlace(caller), await makePlace(caller)];
  const { id: modelId } = await addModel(caller, UNREACHABLE);
  const { id: issueId } = await winnow.database.db
    .selectFrom('issue')
    .select('id')
    .where('project_id', '=', one.projectId)
    .limit(1)
    .executeTakeFirstOrThrow();
  return { caller, one, other, modelId, issueId };
}

async function makePlace(caller: Caller): Promise<Place> {
  const { id: trackerId } = await connect(caller, github);
  await whenSynced(caller, trackerId);
  const { items } = await caller.get(`/organizations?tracker_id=${trackerId}`, organizationList);
  const [project] = await caller.get(`/projects?tracker_id=${trackerId}`, projectList);
  if (!items[0] || !project) throw new Error('Nothing is connected.');
  return { trackerId, organizationId: items[0].id, projectId: project.id };
}

const placeOf = ({ trackerId, organizationId, projectId }: Place) => ({
  trigger_event_source: trackerId,
  trigger_organization_id: organizationId,
  trigger_project_id: projectId,
});
const FLAG = { name: 'Flag', builtin_actions: ['flag_duplicates'] };
const create = (caller: Caller, changes: Record<string, unknown> = {}) =>
  caller.send('POST', '/flows', { ...FLAG, ...changes }, flow);
const update = (caller: Caller, { id }: Flow, body: unknown) =>
  caller.send('PUT', `/flows/${id}`, body, flow);
const read = (caller: Caller, { id }: Flow) => caller.get(`/flows/${id}`, flow);
const presets = (caller: Caller) => caller.get('/flows/presets', flowPresetList);
const ownPresets = async (caller: Caller) =>
  (await presets(caller)).filter(({ account_id }) => account_id !== null);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
const picture = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`;

describe('a flow', () => {
  test('gets default values, and is read back as saved', async () => {
    const created = await create(mine.caller);
    expect(created).toMatchObject({
      ...FLAG,
      description: null,
      icon: 'gear',
      is_enabled: true,
      trigger_event_source: null,
      trigger_event_type: null,
      trigger_filters: [],
      ai_model_id: null,
      prompt_template: null,
      allowed_mcp_servers: [],
      tool_policies: {},
      write_mode: 'propose',
      max_iterations: null,
      max_budget: null,
      max_tokens: null,
      problem: null,
      last_execution: null,
    });
    expect(await read(mine.caller, created)).toEqual(created);
  });

  test('stores all given values, and an update changes only the given fields', async () => {
    const said = {
      name: 'Everything',
      description: 'All of it.',
      icon: picture('png', PNG),
      is_enabled: false,
      ...placeOf(mine.one),
      trigger_event_type: 'comment_created',
      trigger_filters: [{ field: 'comment', op: 'matches', value: '(?:/help)+$' }],
      ai_model_id: mine.modelId,
      builtin_actions: ['check_readiness', 'flag_duplicates'],
      prompt_template: 'Help with {{issue.title}}: {{event.comment}}',
      allowed_mcp_servers: ['winnow'],
      tool_policies: { 'winnow/update_issue': 'ask', 'winnow/get_issue': 'deny' },
      write_mode: 'apply',
      max_iterations: 5,
      max_budget: 0.25,
      max_tokens: 40_000,
    };
    const created = await create(mine.caller, said);
    expect(created).toMatchObject({ ...said, builtin_actions: ['flag_duplicates', 'check_readiness'] });
    const renamed = await update(mine.caller, created, { name: 'Renamed', trigger_filters: [] });
    expect(renamed).toEqual({
      ...created,
      name: 'Renamed',
      trigger_filters: [],
      updated_at: expect.not.stringMatching(created.updated_at),
    });
    expect(await read(mine.caller, created)).toEqual(renamed);
    const cleared = await update(mine.caller, created, {
      trigger_event_source: null,
      trigger_organization_id: ' ',
      description: '',
      icon: 'tag',
    });
    expect(cleared).toMatchObject({
      trigger_event_source: null,
      trigger_organization_id: null,
      trigger_project_id: mine.one.projectId,
      description: null,
      icon: 'tag',
    });
  });

  test('is listed by name, with a total count', async () => {
    const caller = await winnow.newCaller();
    for (const name of ['b', 'A', 'c']) await create(caller, { name });
    const answer = await caller.call('GET', '/flows');
    expect(answer.headers.get('x-total-count')).toBe('3');
    expect(flowList.parse(answer.body).map(({ name }) => name)).toEqual(['A', 'b', 'c']);
  });

  test('is returned with its newest execution, which is deleted with the flow', async () => {
    const created = await create(mine.caller);
    const run = () =>
      mine.caller.send('POST', `/flows/${created.id}/run`, { issue_key: mine.issueId }, flowExecution);
    await run();
    const { id } = await run();
    const ended = await eventually(async () => {
      const { last_execution: last } = await read(mine.caller, created);
      return last?.end_time != null && last;
    });
    expect(ended).toMatchObject({ id, status: 'SUCCEEDED' });
    const listed = (await mine.caller.get('/flows', flowList)).find((other) => other.id === created.id);
    expect(listed?.last_execution).toEqual(ended);
    await mine.caller.do('DELETE', `/flows/${created.id}`);
    await mine.caller.fail('GET', `/flows/executions/${id}`, 404);
  });

  test('returns 404 after deletion', async () => {
    const created = await create(mine.caller);
    await mine.caller.do('DELETE', `/flows/${created.id}`);
    await mine.caller.fail('GET', `/flows/${created.id}`, 404);
    await mine.caller.fail('PUT', `/flows/${created.id}`, 404, { name: 'Again' });
    await mine.caller.fail('DELETE', `/flows/${created.id}`, 404);
  });

  test('cannot exceed the limit, even with concurrent requests', async () => {
    const caller = await winnow.newCaller();
    const made = await create(caller);
    await sql`
      insert into flow (account_id, id, name, is_enabled, definition, created_at, updated_at)
      select account_id, gen_random_uuid(), name, is_enabled, definition, created_at, updated_at
      from flow, generate_series(2, ${FLOW_LIMITS.flows - 1}) where id = ${made.id}
    `.execute(winnow.database.db);
    const answers = await Promise.all([1, 2, 3].map(() => caller.call('POST', '/flows', FLAG)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await caller.fail('POST', '/flows', 409, FLAG)).toMatchObject({ code: 'too_many_flows' });
    expect(await caller.fail('POST', '/flows/presets/flag-duplicates/clone', 409)).toMatchObject({
      code: 'too_many_flows',
    });
  });
});

describe('bad input is refused at its field:', () => {
  const gone =
    /^Its .+ (was removed|is not connected)\. Choose (another|a different) \w+( or the built-in analyst)?\.$/;
  type Bad = [what: string, changes: () => Record<string, unknown>, path: string, message: RegExp];
  test.each<Bad>([
    ['no name', () => ({ name: ' ' }), 'name', /^Enter a name\.$/],
    ['a name with a line break', () => ({ name: 'a\nb' }), 'name', /one line/],
    ['an unknown event', () => ({ trigger_event_type: 'issue_exploded' }), 'trigger_event_type', /./],
    ['an unknown action', () => ({ builtin_actions: ['explode'] }), 'builtin_actions.0', /./],
    [
      'nothing to do',
      () => ({ builtin_actions: [] }),
      'builtin_actions',
      /^Choose actions for the built-in analyst/,
    ],
    [
      'a prompt without a model',
      () => ({ builtin_actions: [], prompt_template: 'Do.' }),
      'builtin_actions',
      /language model/,
    ],
    [
      'a model without a prompt',
      () => ({ ai_model_id: mine.modelId }),
      'prompt_template',
      /^Enter a prompt for the model\.$/,
    ],
    [
      'an unknown variable in the prompt',
      () => ({ ai_model_id: mine.modelId, prompt_template: 'See {{issue.titel}}.' }),
      'prompt_template',
      /\{\{issue\.titel\}\}.+\{\{issue\.title\}\}/,
    ],
    [
      'an unknown variable in an unused prompt',
      () => ({ prompt_template: 'See {{issue.titel}}.' }),
      'prompt_template',
      /\{\{issue\.title\}\}/,
    ],
    [
      'an unclosed variable',
      () => ({ ai_model_id: mine.modelId, prompt_template: 'See {{issue.title}' }),
      'prompt_template',
      /not closed/,
    ],
    [
      'a filter on a scheduled flow',
      () => ({
        trigger_event_type: 'every_week',
        builtin_actions: ['report_backlog'],
        trigger_filters: [{ field: 'title', op: 'contains', value: 'login' }],
      }),
      'trigger_filters.0.value',
      /^Scheduled runs have no issue/,
    ],
    [
      'an invalid expression in a filter',
      () => ({
        trigger_filters: [
          { field: 'title', op: 'is', value: '(' },
          { field: 'title', op: 'matches', value: '(' },
        ],
      }),
      'trigger_filters.1.value',
      /RE2/,
    ],
    [
      'a filter with excessive repetition',
      () => ({ trigger_filters: [{ field: 'title', op: 'matches', value: '\\pL{1000}'.repeat(50) }] }),
      'trigger_filters.0.value',
      /repeats too much/,
    ],
    [
      'a filter without a field',
      () => ({ trigger_filters: [{ field: 'mood', op: 'is', value: 'x' }] }),
      'trigger_filters.0.field',
      /./,
    ],
    [
      'an unknown server',
      () => ({ allowed_mcp_servers: ['winnow', 'gone'] }),
      'allowed_mcp_servers',
      /“gone”/,
    ],
    [
      'an unknown tool of Winnow',
      () => ({ tool_policies: { 'winnow/updat_issue': 'deny' } }),
      'tool_policies',
      /winnow\/update_issue/,
    ],
    [
      'a text declared as an image',
      () => ({ icon: picture('png', Buffer.from('<svg onload="alert(1)"/>')) }),
      'icon',
      /not a PNG or WebP/,
    ],
    ['a PNG declared as WebP', () => ({ icon: picture('webp', PNG) }), 'icon', /not a PNG or WebP/],
    [
      'a RIFF file that is not WebP',
      () => ({ icon: picture('webp', Buffer.from('RIFFxxxxWAVEfmt ')) }),
      'icon',
      /not a PNG or WebP/,
    ],
    ['an image of an unsupported type', () => ({ icon: picture('svg+xml', PNG) }), 'icon', /./],
    [
      'an image above the size limit',
      () => ({ icon: picture('png', Buffer.concat([PNG, Buffer.alloc(MAX_ICON_BYTES)])) }),
      'icon',
      /64 kB/,
    ],
    ['an unknown tracker', () => ({ trigger_event_source: randomUUID() }), 'trigger_event_source', gone],
    [
      'a tracker of another account',
      () => ({ trigger_event_source: theirs.one.trackerId }),
      'trigger_event_source',
      gone,
    ],
    [
      'an organization of another account',
      () => ({ trigger_organization_id: theirs.one.organizationId }),
      'trigger_organization_id',
      gone,
    ],
    [
      'a project of another account',
      () => ({ trigger_project_id: theirs.one.projectId }),
      'trigger_project_id',
      gone,
    ],
    [
      'a model of another account',
      () => ({ ai_model_id: theirs.modelId, prompt_template: 'Do.' }),
      'ai_model_id',
      gone,
    ],
    [
      'an organization of another tracker',
      () => ({
        trigger_event_source: mine.one.trackerId,
        trigger_organization_id: mine.other.organizationId,
      }),
      'trigger_organization_id',
      /does not belong to the tracker/,
    ],
    [
      'a project of another tracker',
      () => ({ trigger_event_source: mine.one.trackerId, trigger_project_id: mine.other.projectId }),
      'trigger_project_id',
      /does not belong to the tracker/,
    ],
    [
      'a project of another organization',
      () => ({ trigger_organization_id: mine.one.organizationId, trigger_project_id: mine.other.projectId }),
      'trigger_project_id',
      /does not belong to the organization/,
    ],
    ['too many iterations', () => ({ max_iterations: 51 }), 'max_iterations', /At most 50/],
    [
      'a policy with a misspelled server name',
      () => ({ tool_policies: { 'Winnow/comment_on_issue': 'deny' } }),
      'tool_policies',
      /^MCP server “Winnow” not found\. Did you mean winnow\?$/,
    ],
    [
      'a policy for an unknown server',
      () => ({ tool_policies: { 'Notes/act': 'deny' } }),
      'tool_policies',
      /^MCP server “Notes” not found/,
    ],
    [
      'approval for a tool that only reads',
      () => ({ tool_policies: { 'winnow/get_issue': 'ask' } }),
      'tool_policies',
      /^winnow\/get_issue only reads/,
    ],
    [
      'thousands of policies',
      () => ({
        tool_policies: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`a/${n}`, 'deny'])),
      }),
      'tool_policies',
      /at most 1000 tools/,
    ],
    [
      'a name with invisible characters',
      () => ({ name: 'A\u202eflow\u001b[31m' }),
      'name',
      /hidden characters/,
    ],
    ['a negative budget', () => ({ max_budget: -1 }), 'max_budget', /must be 0 or more/],
  ])('%s', async (_what, changes, path, message) => {
    const there = await create(mine.caller);
    const before = (await mine.caller.get('/flows', flowList)).length;
    for (const [method, address, body] of [
      ['POST', '/flows', { ...FLAG, ...changes() }],
      ['PUT', `/flows/${there.id}`, changes()],
    ] as const) {
      const failure = await mine.caller.fail(method, address, 422, body);
      expect([method, failure.fields]).toEqual([method, [{ path, message: expect.stringMatching(message) }]]);
    }
    expect(await read(mine.caller, there)).toEqual(there);
    expect(await mine.caller.get('/flows', flowList)).toHaveLength(before);
    await mine.caller.do('DELETE', `/flows/${there.id}`);
  });

  test('but valid images are accepted', async () => {
    for (const icon of [picture('png', PNG), picture('webp', WEBP)])
      expect((await create(mine.caller, { icon })).icon).toBe(icon);
  });
});

describe('a flow that cannot start reports the reason', () => {
  test('if its tracker is turned off or removed, and can still be disabled', async () => {
    const caller = await winnow.newCaller();
    const place = await makePlace(caller);
    const bound = await create(caller, placeOf(place));
    expect(bound.problem).toBeNull();
    await winnow.database.db
      .updateTable('tracker')
      .set({ is_active: false })
      .where('id', '=', place.trackerId)
      .execute();
    expect((await read(caller, bound)).problem).toMatch(/^Its tracker GitHub \d+ is turned off\.$/);
    await eventually(async () => {
      const { status } = await caller.call('DELETE', `/trackers/${place.trackerId}`);
      return status === 204;
    });
    expect((await read(caller, bound)).problem).toBe('Its tracker was removed. Choose another tracker.');
    const failure = await caller.fail('PUT', `/flows/${bound.id}`, 422, { name: 'Other' });
    expect(failure.fields?.map(({ path }) => path)).toEqual([
      'trigger_event_source',
      'trigger_organization_id',
      'trigger_project_id',
    ]);
    const off = await update(caller, bound, { is_enabled: false, name: 'Other' });
    expect(off).toMatchObject({
      is_enabled: false,
      name: 'Other',
      problem: expect.stringMatching(/tracker/),
    });
    await caller.fail('PUT', `/flows/${bound.id}`, 422, {
      trigger_project_id: randomUUID(),
      is_enabled: true,
    });
    const project = await update(caller, bound, { trigger_event_source: null });
    expect(project.problem).toMatch(/^Its organization is not connected/);
    expect((await update(caller, bound, { trigger_organization_id: null })).problem).toMatch(/^Its project/);
    expect((await update(caller, bound, { trigger_project_id: null, is_enabled: true })).problem).toBeNull();
  });

  test('if its model or one of its servers was removed', async () => {
    const caller = await winnow.newCaller();
    const { id: modelId } = await addModel(caller, UNREACHABLE);
    const saved = { name: 'Tools', url: 'http://127.0.0.1:9/mcp' };
    const { id: serverId } = await caller.send('POST', '/mcp-servers', saved, mcpServer);
    const created = await create(caller, {
      ai_model_id: modelId,
      prompt_template: 'Do.',
      allowed_mcp_servers: ['winnow', 'Tools'],
    });
    expect(created.problem).toBeNull();
    await caller.do('DELETE', `/mcp-servers/${serverId}`);
    expect((await read(caller, created)).problem).toMatch(/^MCP server “Tools” not found\. Remove it/);
    await caller.do('DELETE', `/ai-models/${modelId}`);
    expect((await read(caller, created)).problem).toMatch(/^Its language model was removed\./);
  });
});

test('a report covers the projects that its flow listens to', async () => {
  const caller = await winnow.newCaller();
  const { trackerId, organizationId } = await makePlace(caller);
  await makePlace(caller);
  const report = async (place: Record<string, unknown>) => {
    const { id } = await create(caller, { builtin_actions: ['report_backlog'], ...place });
    return (await runToEnd(caller, id, {})).result;
  };
  const { name } = await caller.get(`/trackers/${trackerId}`, tracker);
  const ofTracker = await report({ trigger_event_source: trackerId });
  expect(ofTracker).toContain(`## ${name}: the last 7 days`);
  expect(ofTracker).toContain('3 issues open.');
  expect(await report({ trigger_organization_id: organizationId })).toMatch(
    /^## acme: .+\n\n.+ 3 issues open\./,
  );
  expect(await report({})).toMatch(/^## All projects: .+\n\n.+ 6 issues open\./);
});

describe('a preset', () => {
  test('that is built in is listed before custom presets and cannot be removed', async () => {
    const [first] = await presets(mine.caller);
    expect(first).toMatchObject({ id: 'triage-new-issues', account_id: null });
    const failure = await mine.caller.fail('DELETE', '/flows/presets/triage-new-issues', 403);
    expect(failure.detail).toContain('cannot be removed');
    await mine.caller.fail('DELETE', '/flows/presets/no-such-preset', 404);
    await mine.caller.fail('POST', '/flows/presets/no-such-preset/clone', 404);
  });

  test('that is built in can be cloned into a disabled flow, which can be enabled', async () => {
    const shipped = await presets(mine.caller);
    for (const { id, ...preset } of shipped.filter(({ account_id }) => account_id === null)) {
      const cloned = await mine.caller.send('POST', `/flows/presets/${id}/clone`, undefined, flow);
      const { account_id: _, is_preset: isPreset, ...rest } = preset;
      expect([isPreset, cloned.is_preset]).toEqual([true, false]);
      expect(cloned).toMatchObject({ ...rest, is_enabled: false, trigger_event_source: null, problem: null });
      expect(cloned.ai_model_id).toBe(preset.builtin_actions.length === 0 ? mine.modelId : null);
      expect((await update(mine.caller, cloned, { is_enabled: true })).is_enabled).toBe(true);
    }
  });

  test('that needs a model can be cloned without one, and the flow reports the missing model', async () => {
    const caller = await winnow.newCaller();
    const cloned = await caller.send('POST', '/flows/presets/docs-and-tests/clone', undefined, flow);
    expect(cloned.problem).toMatch(/language model/);
    const refused = await caller.fail('POST', `/flows/${cloned.id}/run`, 422, { issue_key: 'acme/app#1' });
    expect(refused.fields).toEqual([{ path: 'flow', message: cloned.problem }]);
    const failure = await caller.fail('PUT', `/flows/${cloned.id}`, 422, { is_enabled: true });
    expect(failure.fields?.[0]?.path).toBe('builtin_actions');
    expect((await update(caller, cloned, { name: 'Later' })).name).toBe('Later');
  });

  test('stores a flow without its tracker and project, and replaces the preset with the same name', async () => {
    const caller = mine.caller;
    const what = {
      name: 'Keep me',
      description: 'As a preset.',
      trigger_event_type: 'issue_closed',
      trigger_filters: [{ field: 'label', op: 'is', value: 'bug' }],
      prompt_template: 'Do.',
      ai_model_id: mine.modelId,
      allowed_mcp_servers: ['winnow'],
    };
    const created = await create(caller, { ...what, ...placeOf(mine.one), is_preset: true });
    const [kept, ...others] = await ownPresets(caller);
    const { ai_model_id: _, ...placeless } = what;
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ ...placeless, account_id: created.account_id });
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${mine.one.projectId}|${mine.modelId}`));
    await update(caller, created, { description: 'Anew.', is_preset: true });
    expect(await ownPresets(caller)).toEqual([{ ...kept, description: 'Anew.' }]);
    const cloned = await caller.send('POST', `/flows/presets/${kept?.id}/clone`, undefined, flow);
    expect(cloned).toMatchObject({
      ...placeless,
      description: 'Anew.',
      is_enabled: false,
      trigger_project_id: null,
    });
    await caller.do('DELETE', `/flows/presets/${kept?.id}`);
    await caller.fail('DELETE', `/flows/presets/${kept?.id}`, 404);
    expect(await ownPresets(caller)).toEqual([]);
    expect(await read(caller, created)).toMatchObject({ name: 'Keep me' });
  });
});

test('another account cannot see, change, clone or remove anything', async () => {
  const created = await create(theirs.caller, { ...placeOf(theirs.one), is_preset: true });
  const [kept] = await ownPresets(theirs.caller);
  const { caller } = mine;
  for (const [method, path, body] of [
    ['GET', `/flows/${created.id}`],
    ['PUT', `/flows/${created.id}`, { name: 'Taken over' }],
    ['DELETE', `/flows/${created.id}`],
    ['POST', `/flows/presets/${kept?.id}/clone`],
    ['DELETE', `/flows/presets/${kept?.id}`],
  ] as const) {
    expect(await caller.fail(method, path, 404, body)).toEqual({ code: 'not_found', detail: 'Not found.' });
  }
  const seen = [await caller.get('/flows', flowList), await presets(caller)];
  expect(JSON.stringify(seen)).not.toMatch(new RegExp(`${created.id}|${kept?.id}`));
  expect(await read(theirs.caller, created)).toEqual(created);
  expect(await ownPresets(theirs.caller)).toEqual([kept]);
});
