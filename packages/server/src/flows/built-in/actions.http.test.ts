import { change, changeList } from '@winnow/contract/change';
import {
  BUILTIN_ACTIONS,
  builtinAction,
  type FlowExecution,
  flow,
  flowExecution,
  flowExecutionList,
} from '@winnow/contract/flow';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  connect,
  differentIssues,
  minutesAfterStart,
  startGitHub,
  syncAgain,
  whenSynced,
} from '../../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';
import { logsOf } from '../testing/flow-setup.ts';

vi.setConfig({ testTimeout: 90_000 });

const SCREAM = {
  title: 'The printer of the second floor screams while it prints invoices',
  body: 'Since the update the printer of the second floor screams as long as an invoice is printed. Orders are printed without a sound. Restarting it changes nothing.',
};
const SECRET = {
  title: 'The vault opens for anyone who knocks three times on its door',
  body: 'Knocking three times on the door of the vault opens it for anyone. This must stay confidential.',
  created_at: minutesAfterStart(0),
};
/**
 * The first issue is an original. Four similar issues with labels and assignees follow, then one
 * with too little information.
 */
const ISSUES: GitHubSeedIssue[] = [
  { ...SCREAM, labels: ['area:printer'], assignees: ['bob'] },
  ...['invoices', 'orders', 'receipts', 'labels'].map((what) => ({
    title: `The calendar export leaves out the last page of ${what}`,
    body: `When I export the calendar with ${what}, the last page of ${what} is missing in the exported file.`,
    labels: ['area:calendar'],
    assignees: ['bob'],
  })),
  { title: 'Broken', body: 'Please fix it.' },
  ...differentIssues(6),
].map((issue, index) => ({ ...issue, created_at: minutesAfterStart(index) }));
const VAGUE = 6;

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let trackerId: string;

beforeAll(async () => {
  winnow = await startWinnow();
  github = await startGitHub(ISSUES, {
    seed: {
      users: [{ login: 'bob' }],
      orgs: [{ login: 'acme', members: ['ada', 'bob'] }],
      repos: [{ owner: 'acme', name: 'vault', private: true, issues: [SECRET] }],
    },
  });
  caller = await winnow.newCaller();
  ({ id: trackerId } = await connect(caller, github));
  await whenSynced(caller, trackerId);
}, 90_000);
afterAll(async () => {
  await winnow.close();
  await github.close();
});

const issueKey = (number: number) => `acme/app#${number}`;
const inTracker = (number: number) => {
  const repo = github.state().repos.find(({ full_name }) => full_name === 'acme/app');
  const issue = repo?.issues.find((one) => one.number === number);
  if (!issue) throw new Error(`GitHub has no issue ${number}.`);
  return { ...issue, comments: issue.comments.map(({ body }) => body) };
};

async function makeFlow(changes: Record<string, unknown>): Promise<string> {
  const body = { name: 'Triage', write_mode: 'apply', ...changes };
  return (await caller.send('POST', '/flows', body, flow)).id;
}

/** Runs built-in actions on an issue and waits until they end. */
async function run(
  actions: readonly string[],
  issue: number | null,
  { dryRun = false, ...changes }: Record<string, unknown> = {},
): Promise<FlowExecution> {
  const flowId = await makeFlow({ builtin_actions: actions, ...changes });
  const on = { dry_run: dryRun, ...(issue === null ? {} : { issue_key: issueKey(issue) }) };
  const { id } = await caller.send('POST', `/flows/${flowId}/run`, on, flowExecution);
  const execution = await ended(id);
  const named = builtinAction
    .array()
    .parse(actions)
    .flatMap((action) => BUILTIN_ACTIONS[action].tools);
  const used = (await logsOf(caller, id)).filter(({ type }) => type === 'tool_call');
  for (const { payload } of used) expect(named.map((tool) => `winnow/${tool}`)).toContain(payload.tool);
  return execution;
}

const ended = (id: string) =>
  eventually(async () => {
    const execution = await caller.get(`/flows/executions/${id}`, flowExecution);
    return execution.end_time !== null && execution;
  });

/** Creates an issue in the tracker and waits until it is synced. Returns its number. */
async function make(issue: GitHubSeedIssue): Promise<number> {
  const { number } = github.createIssue('acme', 'app', issue);
  await syncAgain(caller, trackerId);
  return number;
}

test('flags the issue with the higher number if both were opened at the same instant', async () => {
  const body =
    'Since the move the coffee machine in the kitchen grinds no beans, and shows the number seventeen.';
  const twin = { title: 'The coffee machine in the kitchen grinds no beans', body };
  const created_at = new Date().toISOString();
  const numbers: number[] = [];
  for (const _ of [1, 2]) numbers.push(await make({ ...twin, created_at }));
  const [first = 0, second = 0] = numbers;
  expect((await run(['flag_duplicates'], first)).result).toMatch(/^No duplicate found/);
  expect((await run(['flag_duplicates'], second)).result).toBe(
    `${issueKey(second)} is likely a duplicate of ${issueKey(first)}.`,
  );
});

test('flags a new duplicate with a single comment', async () => {
  const flowId = await makeFlow({ builtin_actions: ['flag_duplicates'], trigger_event_type: 'issue_opened' });
  const number = await make({ ...SCREAM, title: `${SCREAM.title} again` });
  const execution = await eventually(async () => {
    const [only] = await caller.get(`/flows/executions?flow_id=${flowId}`, flowExecutionList);
    return only !== undefined && only.end_time !== null && only;
  });
  expect(execution).toMatchObject({
    status: 'SUCCEEDED',
    result: `${issueKey(number)} is likely a duplicate of ${issueKey(1)}.`,
    trigger_event: { type: 'issue_opened', issue_key: issueKey(number) },
    actions_taken_summary: [{ action: 'winnow/comment_on_issue', target_key: issueKey(number) }],
  });
  const [comment, ...more] = inTracker(number).comments;
  expect(more).toEqual([]);
  expect(comment).toMatch(
    new RegExp(
      `^This looks like a duplicate of ${issueKey(1)}\\.\n\n.+\n\nThe texts are \\d+% similar\\. If these .+ how they differ\\.`,
    ),
  );
  expect(inTracker(1).comments).toEqual([]);

  await caller.do('DELETE', `/flows/${flowId}`);
  expect((await run(['flag_duplicates'], number)).result).toBe(`${issueKey(number)} was already flagged.`);
  expect((await run(['flag_duplicates'], 1)).result, 'the older issue').toMatch(/^No duplicate found/);
  expect((await run(['flag_duplicates'], VAGUE)).result).toMatch(/^No duplicate found/);
  expect(inTracker(number).comments).toHaveLength(1);
  expect(inTracker(VAGUE).comments).toEqual([]);
});

test('proposes a comment that mentions another project, even in a flow that applies writes', async () => {
  const number = await make({ title: SECRET.title, body: SECRET.body });
  const execution = await run(['flag_duplicates'], number);
  expect(execution.result).toBe(`${issueKey(number)} is likely a duplicate of acme/vault#1.`);
  const { changes } = await caller.get('/changes?status=proposed', changeList);
  expect(changes.map(({ id }) => id)).toEqual(execution.change_ids);
  expect(inTracker(number).comments).toEqual([]);
  await caller.send('POST', `/changes/${execution.change_ids[0]}/reject`, undefined, change);
});

test('asks once about an issue with too little information, and never about a complete issue', async () => {
  const { result } = await run(['check_readiness'], VAGUE);
  expect(result).toMatch(/^Readiness of .+: \d+%\.$/);
  const [comment] = inTracker(VAGUE).comments;
  expect(comment).toMatch(/^Before work starts, .+:\n\n(- .+\?\n?){1,5}/);
  expect((await run(['check_readiness'], VAGUE)).result).toMatch(/Questions were asked before\.$/);
  expect(inTracker(VAGUE).comments).toHaveLength(1);

  const ready = await make({
    title: 'Export a calendar as CSV from the month view',
    body: [
      '## Goal\nAs an accountant I want to export the month of a calendar as CSV, so that I can bill the hours in it.',
      '## Acceptance criteria\n- [ ] The month view has a button "Export as CSV".\n- [ ] The file has the columns date, title and hours.\n- [ ] An empty month gives a file with only the header.',
      '## Scope\nOnly the month view of the web client. Out of scope: the week view, other formats.',
      '## Dependencies\nNone.',
      '## Approach\nServer: a route beside `GET /calendar/month` that streams rows with the csv writer we have. Client: a link in the toolbar. Estimate: 2 days.',
    ].join('\n\n'),
  });
  await run(['check_readiness'], ready);
  expect(inTracker(ready).comments).toEqual([]);
});

test('suggests labels and an assignee from similar issues, but not again after a rejection', async () => {
  const number = await make({
    title: 'The calendar export leaves out the last page of letters',
    body: 'When I export the calendar with letters, the last page of letters is missing in the exported file.',
  });
  const actions = ['suggest_labels', 'suggest_assignee'];
  const proposing = await run(actions, number, { write_mode: 'propose' });
  expect(proposing).toMatchObject({ status: 'SUCCEEDED', error_message: null });
  expect(proposing.change_ids).toHaveLength(2);
  expect(inTracker(number)).toMatchObject({ labels: [], assignees: [] });
  const proposals = await caller.get('/changes?status=proposed', changeList);
  expect(proposals.changes.flatMap(({ steps }) => steps.map(({ after }) => after))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ labels: ['area:calendar'] }),
      expect.objectContaining({ assignees: ['bob'] }),
    ]),
  );
  expect((await run(actions, number)).change_ids, 'it waits for a decision').toEqual([]);
  for (const id of proposing.change_ids) await caller.call('POST', `/changes/${id}/reject`);
  expect((await run(actions, number)).change_ids, 'it was rejected').toEqual([]);
  expect(inTracker(number)).toMatchObject({ labels: [], assignees: [] });

  const another = await make({
    title: 'The calendar export leaves out the last page of stamps',
    body: 'When I export the calendar with stamps, the last page of stamps is missing in the exported file.',
  });
  await run(actions, another);
  expect(inTracker(another)).toMatchObject({ labels: ['area:calendar'], assignees: ['bob'] });
  expect((await run(actions, VAGUE)).change_ids).toEqual([]);
});

test('flows started by the same event write to its issue one after another', async () => {
  const begun = ['check_readiness', 'flag_duplicates'].map((action) =>
    makeFlow({ builtin_actions: [action], trigger_event_type: 'issue_opened' }),
  );
  const flowIds = await Promise.all(begun);
  const comments = { method: 'POST', path: '/comments$' };
  github.faults.add({ match: comments, times: 1, action: { kind: 'delay', delayMs: 2_000 } });
  const number = await make({ title: 'Broken', body: 'Please fix it.' });
  for (const flowId of flowIds) {
    const execution = await eventually(async () => {
      const [only] = await caller.get(`/flows/executions?flow_id=${flowId}`, flowExecutionList);
      return only !== undefined && only.end_time !== null && only;
    });
    expect(execution).toMatchObject({ status: 'SUCCEEDED', error_message: null });
    await caller.do('DELETE', `/flows/${flowId}`);
  }
  expect(inTracker(number).comments).toHaveLength(2);
});

test('links a blocker that an issue names only once', async () => {
  const number = await make({ title: 'Print receipts twice', body: `Blocked by #${VAGUE}.` });
  expect((await run(['find_dependencies'], number)).result).toBe(
    `${issueKey(VAGUE)} blocks ${issueKey(number)}.`,
  );
  expect(inTracker(number).blocked_by).toEqual([issueKey(VAGUE)]);
  const again = await run(['find_dependencies'], number);
  expect(again).toMatchObject({ status: 'SUCCEEDED', change_ids: [] });
});

test('links follow the policy of their tool, and each link counts as a call', async () => {
  const number = await make({ title: 'Print labels twice', body: `Blocked by #${VAGUE}.` });
  const policies = (policy: string) => ({ tool_policies: { 'winnow/commit_dependency': policy } });
  const denied = await run(['find_dependencies'], number, policies('deny'));
  expect(denied).toMatchObject({ status: 'SUCCEEDED', change_ids: [], actions_taken_summary: [] });
  expect(denied.result).toBe(`${issueKey(VAGUE)} blocks ${issueKey(number)}: this flow may not commit it.`);
  const asking = await run(['find_dependencies'], number, policies('ask'));
  expect(asking).toMatchObject({
    tool_calls_count: 1,
    actions_taken_summary: [{ action: 'winnow/commit_dependency', target_key: issueKey(number) }],
  });
  const { changes } = await caller.get('/changes?status=proposed&kind=dependency', changeList);
  expect(changes.map(({ id }) => id)).toEqual(asking.change_ids);
  expect(inTracker(number).blocked_by).toEqual([]);
});

test('a dry run reports its actions and writes nothing', async () => {
  const number = await make({ title: 'Odd', body: `Blocked by #${VAGUE}.` });
  const execution = await run(['check_readiness', 'find_dependencies'], number, { dryRun: true });
  expect(execution.actions_taken_summary.map(({ summary }) => summary)).toEqual([
    'Comment on an issue: nothing was written because this is a dry run.',
    'Commit a dependency: nothing was written because this is a dry run.',
  ]);
  expect(execution.change_ids).toEqual([]);
  expect(inTracker(number)).toMatchObject({ comments: [], blocked_by: [] });
});

test('does nothing without an issue or for a pull request', async () => {
  const flowId = await makeFlow({ builtin_actions: ['flag_duplicates', 'suggest_labels'] });
  const answer = await caller.call('POST', `/flows/${flowId}/run`, {});
  expect(answer).toMatchObject({ status: 422 });
  expect(answer.text).toContain('All actions of this flow need an issue. Select one.');
  const { result } = await run(['flag_duplicates', 'suggest_labels', 'report_backlog'], null);
  expect(result?.split('This run has no issue to check.'), 'reported once').toHaveLength(2);
  const number = await make({ title: 'A pull request', body: null, pull_request: true });
  expect((await run(['check_readiness'], number)).result).toBe('Pull and merge requests are skipped.');
});

test('reports the changes of the backlog', async () => {
  const number = await make({ title: 'Made and closed <!-- within --> a week by @ada', body: null });
  github.editAs('ada', 'acme', 'app', number, { state: 'closed' });
  await syncAgain(caller, trackerId);
  const { result } = await run(['report_backlog'], null);
  const repo = github.state().repos[0];
  const made =
    repo?.issues.filter(({ number: one, pull_request }) => one > ISSUES.length && !pull_request) ?? [];
  expect(result).toContain(`${made.length} issues opened, 1 issue closed.`);
  expect(result).toContain(`- ${issueKey(number)} Made and closed &lt;!-- within --> a week by @\u2060ada`);
  expect(result).toContain('### Open and untouched for 30 days');
  expect(result).toMatch(/### New issues, least ready\n\n- acme\/app#\d+ .+: \d+% ready/);
});
