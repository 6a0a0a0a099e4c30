import { change, changePreview } from '@winnow/contract/change';
import {
  type CompliancePromptDraft,
  type ComplianceResult,
  complianceHistory,
  compliancePrompt,
  compliancePrompts,
  compliancePromptVersions,
  complianceResult,
  complianceResults,
  complianceScores,
  complianceStats,
  complianceSuggestion,
  complianceTrialResult,
  complianceUpdated,
} from '@winnow/contract/compliance';
import { issue } from '@winnow/contract/issue';
import { issueDetail } from '@winnow/contract/issue-detail';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { syncAgain } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const READY = `As a cashier I want to print a receipt again, because the first one jams the printer every other day.

## Acceptance criteria
- Pressing "Print again" prints the last receipt within 5 seconds.
- Without a last receipt the button is disabled.

## Out of scope
Receipts of other days.

## Approach
ReceiptPrinter keeps the last job; add a method that sends it once more. Half a day of work. Nothing has to be there first.`;
const VAGUE = 'It is slow. Please fix.';

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let trackerId: string;
let ready: string;
let vague: string;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());
beforeEach(async () => {
  ({ github, caller, trackerId } = await newBacklog(winnow, [
    { title: 'Print the last receipt again', body: READY },
    { title: 'Slow', body: VAGUE },
    { title: 'Help', body: null },
  ]));
  [ready, vague] = await Promise.all([idOf(1), idOf(2)]);
  return () => github.close();
});

async function idOf(number: number): Promise<string> {
  return (await caller.get(`/issues/${encodeURIComponent(`acme/app#${number}`)}`, issue)).id;
}

/** Waits until the issues are scored. The engine may be busy with the first analysis. */
async function scores(issueIds: string[], promptName = 'dor_compliance_v1'): Promise<ComplianceResult[]> {
  const body = { issue_ids: issueIds, prompt_name: promptName };
  return eventually(async () => {
    const { results } = await caller.send('POST', '/issue_compliance/batch', body, complianceResults);
    return results.every(({ state, stale }) => state === 'evaluated' && !stale) ? results : null;
  });
}

describe('scoring', () => {
  test('returns how ready each issue is, in the requested order, with quotes as evidence', async () => {
    const [low, high] = await scores([vague, ready]);
    expect(high).toMatchObject({ issue_id: ready, state: 'evaluated', short_name: 'DoR', stale: false });
    expect(high?.ai_model_name).toBe(BUILT_IN_ANALYST);
    expect(high?.compliance_factor).toBeGreaterThan(0.75);
    expect(low?.compliance_factor).toBeLessThan(0.4);
    const { description } = await caller.get(`/issues/${ready}`, issue);
    const quotes = (high?.criteria ?? []).flatMap(({ evidence }) => evidence);
    expect(quotes.length).toBeGreaterThan(3);
    for (const { field, start, end, quote } of quotes) {
      if (field === 'description') expect(description.slice(start, end)).toBe(quote);
    }
    expect(low?.criteria.find(({ id }) => id === 'acceptance')?.fix).not.toBeNull();
  });

  test('reports an empty issue as not evaluable', async () => {
    const [result] = await scores([await idOf(3)]);
    expect(result?.compliance_factor).toBe(0);
    expect(result?.reason).toMatch(/nothing to evaluate/i);
  });

  test('is stored: a later call, even for a single issue, returns the same result', async () => {
    const [first] = await scores([vague]);
    expect(await caller.get(`/issue_compliance/${vague}`, complianceResult)).toEqual(first);
    const [[again], [meanwhile]] = await Promise.all([scores([vague]), scores([vague])]);
    expect([again, meanwhile]).toEqual([first, first]);
    const detail = await caller.get(`/issues/${vague}`, issueDetail);
    expect(detail.compliance).toEqual([first]);
  });

  test('is repeated when the issue changes, and the history contains both', async () => {
    const [before] = await scores([vague]);
    github.editAs('ada', 'acme', 'app', 2, { body: READY });
    await syncAgain(caller, trackerId);
    const stored = await caller.get(`/issues/${vague}`, issueDetail);
    expect(stored.compliance[0]).toMatchObject({ id: before?.id, stale: true });
    const [after] = await scores([vague]);
    expect(after?.compliance_factor).toBeGreaterThan(before?.compliance_factor ?? 1);
    const { results } = await caller.get(`/issue_compliance/${vague}/history`, complianceHistory);
    expect(results.map(({ compliance_factor, stale }) => [compliance_factor, stale])).toEqual([
      [after?.compliance_factor, false],
      [before?.compliance_factor, true],
    ]);
  });

  test('after an undone edit, displays the previous score as the current one everywhere', async () => {
    const [before] = await scores([vague]);
    github.editAs('ada', 'acme', 'app', 2, { body: READY });
    await syncAgain(caller, trackerId);
    const [between] = await scores([vague]);
    expect(between?.id).not.toBe(before?.id);
    github.editAs('ada', 'acme', 'app', 2, { body: VAGUE });
    await syncAgain(caller, trackerId);
    const { projects } = await caller.get('/issue_compliance_stats', complianceStats);
    expect(projects[0]).toMatchObject({ evaluated: 1, mean: expect.closeTo(before?.compliance_factor ?? 1) });
    expect(await caller.get('/issue_compliance_scores', complianceScores)).toEqual({
      issue_ids: [vague],
      factors: [before?.compliance_factor],
    });
    const detail = await caller.get(`/issues/${vague}`, issueDetail);
    expect(detail.compliance).toMatchObject([{ id: before?.id, stale: false }]);
    const { results } = await caller.get(`/issue_compliance/${vague}/history`, complianceHistory);
    expect(results.map(({ id, stale }) => [id, stale])).toEqual([
      [before?.id, false],
      [between?.id, true],
    ]);
  });

  test('has no current score after an edit without scoring, and keeps the score when the issue is closed', async () => {
    const [before] = await scores([vague]);
    github.editAs('ada', 'acme', 'app', 2, { state: 'closed' });
    await syncAgain(caller, trackerId);
    const known = () => caller.get('/issue_compliance_scores?status=all', complianceScores);
    expect(await known()).toEqual({ issue_ids: [vague], factors: [before?.compliance_factor] });
    expect((await scores([vague]))[0]?.id).toBe(before?.id);
    github.editAs('ada', 'acme', 'app', 2, { body: READY });
    await syncAgain(caller, trackerId);
    expect(await known()).toEqual({ issue_ids: [], factors: [] });
    const { projects } = await caller.get('/issue_compliance_stats?status=all', complianceStats);
    expect(projects[0]).toMatchObject({ total: 3, evaluated: 0, mean: null });
  });

  test('counts issues that are not evaluable separately', async () => {
    const [low] = await scores([vague, await idOf(3)]);
    const { projects } = await caller.get('/issue_compliance_stats', complianceStats);
    expect(projects[0]).toMatchObject({
      total: 3,
      evaluated: 2,
      not_evaluable: 1,
      mean: expect.closeTo(low?.compliance_factor ?? 1),
    });
    expect(projects[0]?.tenths.reduce((sum, issues) => sum + issues, 0)).toBe(1);
  });

  test('ignores change requests', async () => {
    const asked = github.createIssue('acme', 'app', {
      number: 4,
      title: 'Make it fast',
      body: READY,
      pull_request: true,
    });
    await syncAgain(caller, trackerId);
    await scores([await idOf(asked.number), ready]);
    const { projects } = await caller.get('/issue_compliance_stats', complianceStats);
    expect(projects).toMatchObject([{ total: 3, evaluated: 1 }]);
  });

  test('returns the number of scored issues and the average per project', async () => {
    await scores([ready, vague]);
    const { projects } = await caller.get('/issue_compliance_stats', complianceStats);
    expect(projects).toHaveLength(1);
    expect(projects[0]).toMatchObject({ total: 3, evaluated: 2 });
    expect(projects[0]?.tenths.reduce((sum, issues) => sum + issues, 0)).toBe(2);
  });

  test('returns stored scores without scoring', async () => {
    const judged = await scores([vague]);
    const known = await caller.get('/issue_compliance_scores', complianceScores.strict());
    expect(known).toEqual({ issue_ids: [vague], factors: [judged[0]?.compliance_factor] });
    const of = (more: string) => caller.get(`/issue_compliance_scores?${more}`, complianceScores);
    expect((await of('status=closed')).issue_ids).toEqual([]);
    expect((await of('prompt_name=risk_assessment_v1')).issue_ids).toEqual([]);
    await caller.fail('GET', '/issue_compliance_scores?prompt_name=no_such_prompt', 404);
  });

  test('refuses missing objects and excessive requests with a sentence', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    const body = (issue_ids: string[], prompt_name?: string) => ({ issue_ids, prompt_name });
    const post = (sent: unknown) => caller.call('POST', '/issue_compliance/batch', sent);
    expect((await post(body([nobody]))).status).toBe(404);
    expect((await scores([vague, nobody])).map(({ issue_id }) => issue_id)).toEqual([vague]);
    expect((await post(body([vague], 'no_such_prompt'))).status).toBe(404);
    expect((await post(body([vague], '../x'))).status).toBe(422);
    expect((await post(body([]))).status).toBe(422);
    expect((await post(body(Array.from({ length: 101 }, () => vague)))).status).toBe(422);
  });
});

describe('improving', () => {
  test('suggests texts that preserve the content of the issue and would score higher', async () => {
    const suggestion = await caller.get(`/issue_compliance_suggestion/${vague}`, complianceSuggestion);
    expect(suggestion.description).toContain('It is slow.');
    expect(suggestion.sources).toHaveLength(suggestion.description.split('\n').length);
    expect(suggestion.score.after).toBeGreaterThanOrEqual(suggestion.score.before);
    expect(suggestion.changes.length).toBeGreaterThan(0);
  });

  test('a trial returns the score of other texts and stores nothing', async () => {
    const { score, criteria } = await caller.send(
      'POST',
      `/issue_compliance_trial/${vague}`,
      { title: 'Print the last receipt again', description: READY },
      complianceTrialResult,
    );
    expect(score.after).toBeGreaterThan(score.before);
    expect(criteria).toHaveLength(6);
    expect((await caller.get(`/issues/${vague}`, issueDetail)).compliance).toEqual([]);
  });

  test('writes the texts to the tracker as previewed, and undo restores them exactly', async () => {
    const update = {
      title: 'Printing takes ten seconds',
      description: READY,
      changes: ['Said what is slow.'],
    };
    const preview = await caller.send(
      'POST',
      '/changes/preview',
      { kind: 'compliance', payload: { issue_id: vague, ...update } },
      changePreview,
    );
    expect(preview.steps).toMatchObject([{ action: 'edit', before: { title: 'Slow', description: VAGUE } }]);
    const done = await caller.send(
      'PATCH',
      `/issue_compliance_update/${vague}`,
      { ...update, base_hashes: preview.base_hashes },
      complianceUpdated,
    );
    expect(done).toMatchObject({ status: 'applied', error: null, issue: { title: update.title } });
    expect(github.issue('acme', 'app', 2)).toMatchObject({ title: update.title, body: READY });
    const record = await caller.get(`/changes/${done.change_id}`, change);
    expect(record).toMatchObject({ kind: 'compliance', rationale: 'Said what is slow.' });
    await caller.send('POST', `/changes/${done.change_id}/undo`, undefined, change);
    expect(github.issue('acme', 'app', 2)).toMatchObject({ title: 'Slow', body: VAGUE });
  });

  test('does not change an issue that was edited after it was read', async () => {
    const before = await caller.get(`/issues/${vague}`, issue);
    github.editAs('ada', 'acme', 'app', 2, { body: 'It is slow on Mondays.' });
    const answer = await caller.call('PATCH', `/issue_compliance_update/${vague}`, {
      title: 'Other',
      base_hashes: { [vague]: before.content_hash },
    });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'changed_since' });
    expect(github.issue('acme', 'app', 2)).toMatchObject({ title: 'Slow', body: 'It is slow on Mondays.' });
  });

  test.each([
    ['of two lines', 'One\nTwo'],
    ['of invisible characters', '\u200b\u2060'],
    ['that is too long', 'x'.repeat(256)],
  ])('refuses a title %s', async (_what, title) => {
    const answer = await caller.call('PATCH', `/issue_compliance_update/${vague}`, { title });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      fields: [{ path: 'title', message: expect.stringMatching(/^A title /) }],
    });
    expect(github.issue('acme', 'app', 2)).toMatchObject({ title: 'Slow' });
  });

  test('suggestion and trial report texts that are too long to write', async () => {
    await winnow.database.db
      .updateTable('issue')
      .set({ description: 'It is slow. '.repeat(17_000) })
      .where('id', '=', vague)
      .execute();
    const suggestion = await caller.get(`/issue_compliance_suggestion/${vague}`, complianceSuggestion);
    expect(suggestion).toMatchObject({ changes: [], notice: expect.stringContaining('65,536') });
    const trial = { title: 'Slow', description: suggestion.description };
    const answer = await caller.call('POST', `/issue_compliance_trial/${vague}`, trial);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      fields: [{ path: 'description', message: 'A description has at most 65,536 characters.' }],
    });
  });

  test('responds after ten seconds even if the tracker is slower', async () => {
    github.faults.add({
      match: { method: 'PATCH', path: '/api/v3/repos/acme/app/issues/2' },
      times: 1,
      action: { kind: 'delay', delayMs: 11_000 },
    });
    const answer = await caller.call('PATCH', `/issue_compliance_update/${vague}`, {
      title: 'Printing is slow',
    });
    expect(answer.status).toBe(202);
    const { status, change_id: changeId, issue: now } = complianceUpdated.strict().parse(answer.body);
    expect({ status, title: now.title }).toEqual({ status: 'applying', title: 'Slow' });
    const applied = () => caller.get(`/changes/${changeId}`, change);
    await eventually(async () => (await applied()).status === 'applied');
    expect(github.issue('acme', 'app', 2)).toMatchObject({ title: 'Printing is slow' });
  });

  test('refuses texts without a difference', async () => {
    const answer = await caller.call('PATCH', `/issue_compliance_update/${vague}`, { title: 'Slow' });
    expect(answer.status).toBe(422);
  });

  test('applies two writes to one issue at once that replace different texts', async () => {
    const update = (texts: object) =>
      caller.send('PATCH', `/issue_compliance_update/${vague}`, texts, complianceUpdated);
    const done = await Promise.all([update({ title: 'One' }), update({ description: 'It is slow at ten.' })]);
    expect(done.map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect(github.issue('acme', 'app', 2)).toMatchObject({ title: 'One', body: 'It is slow at ten.' });
  });

  test('refuses the second of two concurrent improvements of an issue', async () => {
    const update = (title: string) => caller.call('PATCH', `/issue_compliance_update/${vague}`, { title });
    const answers = await Promise.all([update('One'), update('Two')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

const DRAFT: CompliancePromptDraft = {
  name: 'Support checklist',
  short_name: 'Support',
  description: 'What support needs.',
  criteria: [
    { name: 'Clear goal', weight: 3, description: 'Says what should be different.', check: 'goal' },
    { name: 'Customer named', weight: 1, description: 'Names the customer.', check: null },
  ],
};

describe('prompts of an account', () => {
  const create = (draft = DRAFT) => caller.send('POST', '/issue_compliance_prompts', draft, compliancePrompt);

  test('are listed after the built-in ones; issues are scored by the criteria that the built-in analyst can judge', async () => {
    const prompt = await create();
    expect(prompt).toMatchObject({ builtin: false, version: 1 });
    expect(prompt.criteria.map(({ weight }) => weight)).toEqual([0.75, 0.25]);
    const list = await caller.get('/issue_compliance_prompts', compliancePrompts);
    expect(list.map(({ name }) => name)).toEqual([
      'Definition of Ready',
      'INVEST',
      'Risk',
      'Complexity',
      'Support checklist',
    ]);
    const [result] = await scores([ready], prompt.id);
    expect(result?.criteria.map(({ name, score }) => [name, score === null])).toEqual([
      ['Clear goal', false],
      ['Customer named', true],
    ]);
  });

  test('get a new version when changed: issues are scored again, and a criterion with the same name keeps its history', async () => {
    const prompt = await create();
    await scores([ready], prompt.id);
    const changed = await caller.send(
      'PUT',
      `/issue_compliance_prompts/${prompt.id}`,
      { ...DRAFT, criteria: [{ ...DRAFT.criteria[0], name: 'Scope', check: 'scope' }, ...DRAFT.criteria] },
      compliancePrompt,
    );
    expect(changed.version).toBe(2);
    expect(changed.criteria.map(({ id }) => id)).toEqual(['criterion_3', 'criterion_1', 'criterion_2']);
    const [result] = await scores([ready], prompt.id);
    expect(result?.criteria).toHaveLength(3);
    const { results } = await caller.get(
      `/issue_compliance/${ready}/history?prompt_name=${prompt.id}`,
      complianceHistory,
    );
    expect(results.map(({ stale }) => stale)).toEqual([false, true]);
  });

  test('get no new version if stored without changes', async () => {
    const thirds = {
      ...DRAFT,
      criteria: ['One', 'Two', 'Three'].map((name) => ({ ...DRAFT.criteria[0], name, weight: 7 })),
    };
    const prompt = await caller.send('POST', '/issue_compliance_prompts', thirds, compliancePrompt);
    const [before] = await scores([ready], prompt.id);
    const path = `/issue_compliance_prompts/${prompt.id}`;
    const same = await caller.send('PUT', path, { ...thirds, criteria: prompt.criteria }, compliancePrompt);
    expect(same).toEqual(prompt);
    expect((await scores([ready], prompt.id))[0]?.id).toBe(before?.id);
    expect(await caller.get(`${path}/versions`, compliancePromptVersions)).toHaveLength(1);
  });

  test('are stored by version, and a previous one can be restored with its criterion ids', async () => {
    const first = await create();
    const path = `/issue_compliance_prompts/${first.id}`;
    const [goal, customer] = DRAFT.criteria;
    await caller.send('PUT', path, { ...DRAFT, criteria: [goal] }, compliancePrompt);
    const third = { ...DRAFT, criteria: [goal, { ...customer, name: 'Deadline' }] };
    const changed = await caller.send('PUT', path, third, compliancePrompt);
    expect(
      changed.criteria.map(({ id }) => id),
      'the id of a removed criterion is never reused',
    ).toEqual(['criterion_1', 'criterion_3']);
    const versions = await caller.get(`${path}/versions`, compliancePromptVersions);
    expect(versions.map(({ version, criteria }) => [version, criteria.map(({ name }) => name)])).toEqual([
      [3, ['Clear goal', 'Deadline']],
      [2, ['Clear goal']],
      [1, ['Clear goal', 'Customer named']],
    ]);
    const restored = await caller.send('PUT', path, versions[2], compliancePrompt);
    expect(restored).toMatchObject({ version: 4, criteria: first.criteria });
    const builtIn = await caller.get(
      '/issue_compliance_prompts/dor_compliance_v1/versions',
      compliancePromptVersions,
    );
    expect(builtIn).toHaveLength(1);
  });

  test('are changed one at a time: duplicate names are refused, and deleted prompts stay deleted', async () => {
    const post = () => caller.call('POST', '/issue_compliance_prompts', DRAFT);
    const made = await Promise.all([post(), post(), post()]);
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    for (let round = 0; round < 5; round += 1) {
      const prompt = await create({ ...DRAFT, name: `Round ${round}` });
      const path = `/issue_compliance_prompts/${prompt.id}`;
      await Promise.all([
        caller.call('PUT', path, { ...DRAFT, name: `Round ${round} again` }),
        caller.call('DELETE', path),
      ]);
      expect((await caller.call('GET', `${path}/versions`)).status).toBe(404);
    }
  });

  test('are limited to fifty, even with concurrent creation', async () => {
    const post = (name: string) => caller.call('POST', '/issue_compliance_prompts', { ...DRAFT, name });
    for (let number = 1; number <= 48; number += 1) expect((await post(`Prompt ${number}`)).status).toBe(201);
    const last = await Promise.all(['a', 'b', 'c', 'd'].map(post));
    expect(last.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(last.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'too_many_prompts' });
  });

  test('report the share of the weight that was judged', async () => {
    const prompt = await create();
    const [result] = await scores([ready], prompt.id);
    expect(result).toMatchObject({
      judged_share: 0.75,
      reason: expect.stringMatching(/1 of 2 criteria was not judged/),
    });
    expect((await scores([ready]))[0]?.judged_share).toBe(1);
  });

  test('can be tested on issues before they are stored', async () => {
    const { results } = await caller.send(
      'POST',
      '/issue_compliance_prompts/try',
      { prompt: DRAFT, issue_ids: [ready, vague] },
      complianceResults,
    );
    expect(results.map(({ id }) => id)).toEqual([null, null]);
    expect(results[0]?.compliance_factor).toBeGreaterThan(results[1]?.compliance_factor ?? 1);
    expect(await caller.get('/issue_compliance_prompts', compliancePrompts)).toHaveLength(4);
  });

  test('are deleted with their scores; built-in prompts cannot be deleted', async () => {
    const prompt = await create();
    await scores([ready], prompt.id);
    await caller.do('DELETE', `/issue_compliance_prompts/${prompt.id}`);
    expect((await caller.call('GET', `/issue_compliance/${ready}?prompt_name=${prompt.id}`)).status).toBe(
      404,
    );
    expect((await caller.call('DELETE', '/issue_compliance_prompts/dor_compliance_v1')).status).toBe(404);
  });

  test('refuse invalid drafts, naming the fields', async () => {
    const refused = async (draft: unknown) => {
      const { status, body } = await caller.call('POST', '/issue_compliance_prompts', draft);
      return { status, body };
    };
    await create();
    expect(await refused({ ...DRAFT, name: 'support CHECKLIST' })).toMatchObject({
      status: 409,
      body: { fields: [{ path: 'name' }] },
    });
    expect((await refused({ ...DRAFT, name: 'INVEST' })).status).toBe(409);
    expect((await refused({ ...DRAFT, name: 'Other', criteria: [] })).status).toBe(422);
    const twice = [DRAFT.criteria[0], { ...DRAFT.criteria[0], name: 'CLEAR goal' }];
    expect((await refused({ ...DRAFT, name: 'Other', criteria: twice })).status).toBe(422);
    expect((await refused({ ...DRAFT, name: '\u200b\u2060' })).status).toBe(422);
    const weightless = [{ ...DRAFT.criteria[0], weight: 0 }];
    expect((await refused({ ...DRAFT, name: 'Other', criteria: weightless })).status).toBe(422);
  });

  test('are not included in every plan', async () => {
    const small = await startWinnow({ env: { SELF_HOSTED_PLAN: 'pro' } });
    try {
      const other = await small.newCaller();
      const answer = await other.call('POST', '/issue_compliance_prompts', DRAFT);
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({
        code: 'plan_limit',
        feature: 'custom_compliance_metrics_enabled',
        plan_id: 'pro',
        resets_at: null,
      });
    } finally {
      await small.close();
    }
  });
});

test('another account has no access to issues, prompts or scores', async () => {
  const prompt = await caller.send('POST', '/issue_compliance_prompts', DRAFT, compliancePrompt);
  const other = await winnow.newCaller();
  const draft = { ...DRAFT, name: 'Taken over' };
  const texts = { title: 'x', description: 'x' };
  for (const [method, path, body] of [
    ['GET', `/issue_compliance/${vague}`, undefined],
    ['GET', `/issue_compliance/${vague}/history`, undefined],
    ['GET', `/issue_compliance_suggestion/${vague}`, undefined],
    ['POST', '/issue_compliance/batch', { issue_ids: [vague] }],
    ['POST', `/issue_compliance_trial/${vague}`, texts],
    ['PATCH', `/issue_compliance_update/${vague}`, texts],
    ['POST', '/issue_compliance_prompts/try', { prompt: draft, issue_ids: [vague] }],
    ['PUT', `/issue_compliance_prompts/${prompt.id}`, draft],
    ['GET', `/issue_compliance_prompts/${prompt.id}/versions`, undefined],
    ['DELETE', `/issue_compliance_prompts/${prompt.id}`, undefined],
  ] as const) {
    const answer = await other.call(method, path, body);
    expect([path, answer.status]).toEqual([path, 404]);
  }
  expect(await other.get('/issue_compliance_prompts', compliancePrompts)).toHaveLength(4);
});
