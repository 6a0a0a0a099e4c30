import {
  type ComplianceRun,
  complianceResults,
  complianceRun,
  complianceRunPreview,
  complianceRuns,
  complianceStats,
} from '@winnow/contract/compliance';
import { issue, projectList } from '@winnow/contract/issue';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeed, GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { closeAll, newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { differentIssues, syncAgain } from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { addModel } from '../testing/models.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const RUNS = '/issue_compliance_runs';
const CRITERIA = ['goal', 'acceptance', 'scope', 'dependencies', 'approach', 'estimable'];
const ANSWER = {
  text: JSON.stringify({
    criteria: CRITERIA.map((id) => ({ id, score: 0.5, note: 'Half of it.', quotes: [], fix: null })),
    reason: 'Half of it is given.',
    suggestion: null,
    points: null,
  }),
};

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let caller: Caller;
let trackerId: string;
let projectId: string;

beforeAll(async () => {
  winnow = await startWinnow();
  models = await startModels();
});
afterAll(() => closeAll(winnow, models));
afterEach(() => github.close());

async function begin(issues: GitHubSeedIssue[], seed: Partial<GitHubSeed> = {}): Promise<void> {
  ({ github, caller, trackerId } = await newBacklog(winnow, issues, { seed }));
  projectId = await projectNamed('app');
}

async function projectNamed(name: string): Promise<string> {
  const found = (await caller.get('/projects', projectList)).find((project) => project.name === name);
  if (!found) throw new Error(`There is no project ${name}.`);
  return found.id;
}

async function chooseModel(): Promise<string> {
  return (await addModel(caller, models)).id;
}

async function start(more: Record<string, unknown> = {}): Promise<ComplianceRun> {
  const body = { project_ids: [projectId], ...more };
  const { runs } = await caller.send('POST', RUNS, body, complianceRuns);
  const [run] = runs;
  if (!run) throw new Error('Nothing began.');
  return run;
}

function preview(more: Record<string, unknown> = {}) {
  const body = { project_ids: [projectId], ...more };
  return caller.send('POST', `${RUNS}/preview`, body, complianceRunPreview);
}

/** Waits until the project's run is in the given state. */
function whenRun(state: ComplianceRun['state']): Promise<ComplianceRun> {
  return eventually(
    async () => {
      const { runs } = await caller.get(RUNS, complianceRuns);
      return runs.find((run) => run.project_id === projectId && run.state === state);
    },
    { what: state },
  );
}

async function standing(status = 'opened') {
  const { projects } = await caller.get(`/issue_compliance_stats?status=${status}`, complianceStats);
  const found = projects.find(({ project_id }) => project_id === projectId);
  if (!found) throw new Error('The project has no numbers.');
  return { evaluated: found.evaluated, total: found.total };
}

/** Returns all stored results, oldest first. */
async function kept(): Promise<{ issue_id: string; ai_model_name: string }[]> {
  const { rows } = await winnow.database.pool.query(
    `select result.issue_id, result.ai_model_name from compliance_result result
     join issue on issue.id = result.issue_id where issue.project_id = $1 and evaluated_at is not null order by evaluated_at, result.id`,
    [projectId],
  );
  return rows;
}

describe('by the built-in analyst', () => {
  test('scores every open issue of the project and reports progress', async () => {
    await begin([...differentIssues(130), { title: 'Old', body: 'Done.', state: 'closed' }]);
    expect(await standing()).toEqual({ evaluated: 0, total: 130 });
    expect(await preview()).toEqual({ to_score: 130, calls: 0, ai_model_name: BUILT_IN_ANALYST });
    const listener = await listenLive(winnow.origin, caller.tokens.access_token);
    expect(await start()).toMatchObject({ state: 'running', done: 0, total: 130, status: 'opened' });
    expect(await whenRun('done')).toMatchObject({ done: 130, total: 130, reason: null });
    await listener.heard(({ type }) => type === 'compliance_changed');
    expect(await standing()).toEqual({ evaluated: 130, total: 130 });
    expect(await standing('all')).toEqual({ evaluated: 130, total: 131 });
    await listener.close();
  });

  test('skips issues with a current score', async () => {
    await begin(differentIssues(3));
    await start();
    await whenRun('done');
    const before = await kept();
    expect(await preview()).toMatchObject({ to_score: 0 });
    github.editAs('ada', 'acme', 'app', 2, { body: 'Something else by now.' });
    await syncAgain(caller, trackerId);
    expect(await preview()).toMatchObject({ to_score: 1 });
    await start();
    await eventually(async () => (await preview()).to_score === 0);
    expect((await kept()).slice(0, before.length)).toEqual(before);
    expect(await kept()).toHaveLength(before.length + 1);
  });

  test('handles a project with one issue, two projects at once, and duplicate requests', async () => {
    await begin([{ title: 'Alone', body: null }], {
      repos: [{ owner: 'acme', name: 'till', issues: differentIssues(2) }],
    });
    const projects = [projectId, await projectNamed('till')];
    const first = await caller.send('POST', RUNS, { project_ids: projects }, complianceRuns);
    expect(first.runs).toHaveLength(2);
    await start();
    await whenRun('done');
    expect(await standing()).toEqual({ evaluated: 1, total: 1 });
    await eventually(async () => {
      const { runs } = await caller.get(RUNS, complianceRuns);
      return runs.length === 2 && runs.every(({ state }) => state === 'done');
    });
  });

  test('continues when an issue or a project is deleted meanwhile', async () => {
    await begin(differentIssues(40));
    await winnow.database.pool.query(
      `create or replace function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.01); return new; end $$`,
    );
    await winnow.database.pool.query(
      'create or replace trigger slow before insert on compliance_result for each row execute function slow()',
    );
    await start();
    github.deleteIssue('acme', 'app', 40);
    await syncAgain(caller, trackerId);
    await whenRun('done');
    github.editAs('ada', 'acme', 'app', 1, { body: 'New.' });
    await syncAgain(caller, trackerId);
    await start();
    await caller.do('DELETE', `/trackers/${trackerId}`);
    await winnow.database.pool.query('drop trigger slow on compliance_result');
    expect((await caller.get(RUNS, complianceRuns)).runs).toEqual([]);
    const { rows } = await winnow.database.pool.query(
      "select last_error from graphile_worker.jobs where task_identifier like 'score-project%' and attempts > 1",
    );
    expect(rows).toEqual([]);
  });

  test('can be stopped, keeps its scores, and continues from there when requested again', async () => {
    await begin(differentIssues(5));
    // Locks the issues in a transaction, so that no result can be stored.
    const blocker = await winnow.database.pool.connect();
    await blocker.query('begin');
    await blocker.query('select from issue where project_id = $1 for update', [projectId]);
    const run = await start();
    const stopped = await caller.send('POST', `${RUNS}/${run.id}/stop`, undefined, complianceRun);
    expect(stopped.state).toBe('stopped');
    await blocker.query('rollback');
    blocker.release();
    expect((await caller.send('POST', `${RUNS}/${run.id}/stop`, undefined, complianceRun)).state).toBe(
      'stopped',
    );
    await start();
    expect(await whenRun('done')).toMatchObject({ done: 5 });
    expect(await standing()).toEqual({ evaluated: 5, total: 5 });
  });

  test('ends with a message after repeated failures', async () => {
    await begin(differentIssues(2));
    const { pool } = winnow.database;
    await pool.query(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`,
    );
    await pool.query(
      'create trigger refuse before insert on compliance_result for each row execute function refuse()',
    );
    onTestFinished(async () => {
      await pool.query('drop trigger if exists refuse on compliance_result');
    });
    const run = await start();
    await eventually(async () => {
      const { rowCount } = await pool.query(
        `update graphile_worker._private_jobs set max_attempts = attempts + 1, run_at = now()
         where last_error is not null and locked_at is null and payload->>'run_id' = $1`,
        [run.id],
      );
      return rowCount === 1;
    });
    expect((await whenRun('failed')).reason).toMatch(
      /^Scoring stopped because of an error, which is in the server log\./,
    );
    await pool.query('drop trigger refuse on compliance_result');
    await start();
    await whenRun('done');
  });

  test('continues after a crash even if its job was lost', async () => {
    const own = await startWinnow();
    const [before, mine] = [winnow, caller];
    winnow = own;
    await begin(differentIssues(3));
    const run = await start();
    await whenRun('done');
    await own.app.close();
    // Simulates a process that ended during the run.
    await own.database.pool.query(
      "update compliance_run set state = 'running', ended_at = null, after_id = null, done = 0 where id = $1",
      [run.id],
    );
    const again = await startWinnow({ database: own.database });
    const { rows } = await eventually(async () => {
      const found = await own.database.pool.query('select state, done from compliance_run');
      return found.rows[0]?.state === 'done' && found;
    });
    expect(rows).toEqual([{ state: 'done', done: 3 }]);
    await again.close();
    await own.close();
    [winnow, caller] = [before, mine];
  });
});

describe('by a language model', () => {
  test('states the number of calls, starts only after that number was accepted, and makes exactly that many', async () => {
    await begin(differentIssues(3));
    await chooseModel();
    models.answerAll(() => ANSWER);
    expect(await preview()).toEqual({ to_score: 3, calls: 3, ai_model_name: 'Our model' });
    const refused = await caller.fail('POST', RUNS, 409, { project_ids: [projectId], most_calls: 2 });
    expect(refused).toMatchObject({
      code: 'more_calls',
      detail: expect.stringContaining('3 calls of Our model'),
    });
    expect((await caller.get(RUNS, complianceRuns)).runs).toEqual([]);
    const before = models.requests.length;
    await start({ most_calls: 3 });
    await whenRun('done');
    expect(models.requests.length - before).toBe(3);
    expect((await kept()).map(({ ai_model_name }) => ai_model_name)).toEqual(Array(3).fill('Our model'));
    expect(await preview()).toMatchObject({ calls: 0 });
  });

  test('ends with the reason if the model cannot be called, and makes no calls that were not accepted', async () => {
    await begin(differentIssues(2));
    const modelId = await chooseModel();
    models.answerAll(() => ({ fails: 401, says: 'No such key.' }));
    await start({ most_calls: 2 });
    const failed = await whenRun('failed');
    expect(failed.reason).toMatch(/^Our model could not be called: .+/);
    await caller.do('DELETE', `/ai-models/${modelId}`);
    await start();
    await whenRun('done');
    expect((await kept()).map(({ ai_model_name }) => ai_model_name)).toEqual(Array(2).fill(BUILT_IN_ANALYST));
  });

  test('uses the built-in analyst for an invalid response', async () => {
    await begin(differentIssues(2));
    await chooseModel();
    models.answerAll(() => ({ text: 'Certainly!' }));
    await start({ most_calls: 2 });
    await whenRun('done');
    const { id } = await caller.get(`/issues/${encodeURIComponent('acme/app#1')}`, issue);
    const { results } = await caller.send(
      'POST',
      '/issue_compliance/batch',
      { issue_ids: [id] },
      complianceResults,
    );
    expect(results[0]).toMatchObject({ state: 'evaluated', ai_model_name: BUILT_IN_ANALYST });
  });
});

test('does not score projects of another account, or by a missing prompt', async () => {
  await begin(differentIssues(1));
  const run = await start();
  const other = await winnow.newCaller();
  for (const [path, body] of [
    [RUNS, { project_ids: [projectId] }],
    [`${RUNS}/preview`, { project_ids: [projectId] }],
    [`${RUNS}/${run.id}/stop`, undefined],
  ] as const) {
    expect([path, (await other.call('POST', path, body)).status]).toEqual([path, 404]);
  }
  expect((await other.get(RUNS, complianceRuns)).runs).toEqual([]);
  await caller.fail('POST', RUNS, 404, { project_ids: [projectId], prompt_name: 'none_such' });
  await caller.fail('POST', RUNS, 422, { project_ids: [] });
});
