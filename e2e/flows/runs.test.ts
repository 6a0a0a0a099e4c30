import { flow, flowExecutionList, pastEvents } from '@winnow/contract/flow';
import { mcpServer } from '@winnow/contract/mcp-server';
import { startWiki } from '@winnow/emulators/mcp/wiki';
import { changePanel } from '@winnow/tools/browser/changes.ts';
import { newFlow, presetCard, runFromForm, runOnIssue, whenEnded } from '@winnow/tools/browser/flows.ts';
import { choose } from '@winnow/tools/browser/models.ts';
import { samplePairs } from '@winnow/tools/browser/similarity.ts';
import { eventually } from '@winnow/tools/product/api.ts';
import { NARROW } from '../accessibility/no-violations.ts';
import { connectSmall } from '../fixtures/github.ts';
import { addModel } from '../fixtures/models.ts';
import { expect, signedIn, withOwnSample } from '../fixtures/test.ts';

signedIn(
  'a flow from a preset starts on an event, streams its log, and its proposal is approved and written',
  async ({ page, account, github, models }) => {
    const { small, emulator } = github;
    const tracker = await connectSmall(account, github);
    await addModel(account, models, 'Ours');
    const mayAnswer = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const opened = emulator.createIssue(small.owner, small.repo, { title: 'The lid sticks', body: null });
    const key = `${small.owner}/${small.repo}#${opened.number}`;
    const comment = 'Which lid, and since when?';
    models.answerAll(async ({ turns }) => {
      if (turns.length > 1) {
        await mayEnd.promise;
        return { text: 'Asked which lid it is.' };
      }
      await mayAnswer.promise;
      return { calls: [{ name: 'winnow__comment_on_issue', arguments: { issue: key, comment } }] };
    });

    await page.goto('/console/flows');
    await page.getByRole('link', { name: 'Clone Readiness gate' }).click();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Readiness gate');
    await choose(page.locator('form'), 'Tracker', tracker.name);
    await expect(page.getByRole('combobox', { name: 'Event' })).toHaveValue('Issue Opened');
    await choose(page.locator('form'), 'AI Model', 'Ours');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page).toHaveURL(/\/console\/flows\/[0-9a-f-]{36}$/);

    await page.getByRole('link', { name: 'Executions' }).click();
    await expect(page.getByText('No executions found here.')).toBeVisible();
    await tracker.sync();
    await page.getByRole('link', { name: /^View execution/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Flow Execution: ');
    const log = page.getByRole('log', { name: 'Log entries' });
    await expect(log.getByText('Instructions for the model')).toBeVisible();
    await expect(page.getByText('Running')).toBeVisible();
    await expect(page.getByRole('link', { name: key })).toBeVisible();

    // Requests for the log get no response, so that only the live channel delivers log entries.
    await page.route(/\/logs\?/, () => undefined);
    mayAnswer.resolve();
    await expect(log.locator('summary').filter({ hasText: 'winnow/comment_on_issue' }).first()).toBeVisible();
    await page.unroute(/\/logs\?/);
    mayEnd.resolve();
    await expect(log.getByText('Asked which lid it is.')).toBeVisible();
    await expect(page.locator('dl').getByText('Succeeded')).toBeVisible();
    await expect(page.locator('dl').getByText('Unknown')).toBeVisible();
    await log.locator('summary').filter({ hasText: 'winnow/comment_on_issue' }).first().click();
    await expect(log.locator('pre').filter({ hasText: comment }).first()).toBeVisible();
    const proposal = page.getByRole('list', { name: 'Changes of this execution' });
    await expect(proposal.getByText(comment)).toBeVisible();
    expect(emulator.issue(small.owner, small.repo, opened.number).comments).toHaveLength(0);
    await proposal.getByRole('button', { name: /^Approve/ }).press('Enter');
    await expect(proposal.getByText('Applied')).toBeVisible();
    await expect(proposal.getByRole('link').first(), 'the button is gone').toBeFocused();
    expect(emulator.issue(small.owner, small.repo, opened.number).comments).toEqual([
      expect.objectContaining({ body: expect.stringContaining(comment) }),
    ]);
  },
);

signedIn(
  'an external tool call that needs approval is displayed, approved and made in the execution view',
  async ({ page, account, github, models }) => {
    await connectSmall(account, github);
    const model = await addModel(account, models, 'Ours');
    const wiki = await startWiki();
    await account.api.send('POST', '/mcp-servers', { name: 'Wiki', url: wiki.url }, mcpServer);
    const given = { title: 'The lid sticks', text: 'Warm it, then turn.' };
    models.answerAll(({ turns }) =>
      turns.length > 1
        ? { text: 'Asked to save it.' }
        : { calls: [{ name: 'Wiki__save_page', arguments: given }] },
    );
    const flow = await newFlow(account, {
      name: 'Keep what was found',
      ai_model_id: model.id,
      prompt_template: 'Keep {{issue.key}}.',
      allowed_mcp_servers: ['Wiki'],
    });
    const { owner, repo } = github.small;
    const { id } = await runOnIssue(account, flow.id, `${owner}/${repo}#1`);
    await page.goto(`/console/flows/executions/${id}`);
    const call = page
      .getByRole('list', { name: 'Changes of this execution' })
      .getByRole('article', { name: 'Call Wiki/save_page' });
    await expect(call.getByText('"text": "Warm it, then turn."')).toBeVisible();
    await expect(call.getByText('This cannot be undone')).toBeVisible();
    expect(wiki.saved).toEqual([]);
    await call.getByRole('button', { name: /^Approve/ }).click();
    const made = page.getByRole('article', { name: 'Called Wiki/save_page.' });
    await expect(made.getByText('Applied')).toBeVisible();
    await expect(made.getByText('Saved as page 1.')).toBeVisible();
    await expect(made.getByRole('button')).toHaveCount(0);
    expect(wiki.saved).toEqual([given]);

    await made.getByRole('link', { name: 'Called Wiki/save_page.' }).click();
    const panel = changePanel(page);
    await expect(panel.getByText('Saved as page 1.')).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    await wiki.close();
  },
);

withOwnSample('without a model the built-in analyst triages a given issue', async ({ page }) => {
  await page.goto('/console/flows/new');
  await presetCard(page, 'Triage new issues').click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/console\/flows\/[0-9a-f-]{36}$/);
  await runFromForm(page, samplePairs.identical.newer);
  await expect(page.locator('dl').getByText('Succeeded')).toBeVisible();
  await expect(page.getByText(`likely a duplicate of ${samplePairs.identical.older}`).first()).toBeVisible();
  const changes = page.getByRole('list', { name: 'Changes of this execution' });
  const comment = changes.getByRole('article', { name: `Comment on ${samplePairs.identical.newer}` });
  await comment.getByRole('button', { name: /^Reject/ }).click();
  await expect(comment.getByText('Rejected')).toBeVisible();
  await page.setViewportSize(NARROW);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
});

withOwnSample('a dry run proposes nothing and reports what it would have done', async ({ page, account }) => {
  const flow = await newFlow(account, { name: 'Flag', builtin_actions: ['flag_duplicates'] });
  await page.goto('/console/flows');
  await page.getByRole('button', { name: `Run ${flow.name} now` }).click();
  const dialog = page.getByRole('dialog', { name: 'Run Flag' });
  await dialog.getByRole('button', { name: 'Run now' }).click();
  await expect(dialog.getByText('Enter the key of an issue.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Issue' }).fill('skua/sync#999999');
  await dialog.getByRole('checkbox', { name: 'Dry run' }).check();
  await dialog.getByRole('button', { name: 'Run now' }).click();
  await expect(dialog.getByText('Issue skua/sync#999999 not found.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Issue' }).fill(samplePairs.identical.newer);
  await page.getByRole('listbox').getByRole('option', { name: samplePairs.identical.newer }).first().click();
  await expect(dialog.getByRole('combobox', { name: 'Issue' })).toHaveValue(samplePairs.identical.newer);
  await expect(dialog.getByRole('radio', { name: 'No issue' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByRole('heading', { name: 'What the flow would have done' })).toBeVisible();
  await expect(page.getByText('Dry run').first()).toBeVisible();
  await expect(page.getByRole('list', { name: 'Changes of this execution' })).toHaveCount(0);
});

signedIn(
  'a flow runs on a past event to its end, and its proposal is rejected',
  async ({ page, account, github, models }) => {
    const { small, emulator } = github;
    const tracker = await connectSmall(account, github);
    const model = await addModel(account, models, 'Ours');
    const opened = emulator.createIssue(small.owner, small.repo, { title: 'The lid sticks', body: null });
    const key = `${small.owner}/${small.repo}#${opened.number}`;
    await tracker.sync();
    await eventually(
      async () => {
        const events = await account.api.get('/flows/events', pastEvents);
        return events.some(({ issue_key }) => issue_key === key) || null;
      },
      { timeoutMs: 60_000 },
    );
    models.answerAll(({ turns }) =>
      turns.length > 1
        ? { text: 'Asked which lid it is.' }
        : {
            calls: [
              {
                name: 'winnow__comment_on_issue',
                arguments: { issue: key, comment: 'Which lid, and since when?' },
              },
            ],
          },
    );
    const flow = await newFlow(account, {
      name: 'Ask back',
      ai_model_id: model.id,
      prompt_template: 'Look at {{issue.key}}.',
      trigger_event_type: 'issue_opened',
      is_enabled: false,
      allowed_mcp_servers: ['winnow'],
    });
    await page.goto(`/console/flows/${flow.id}`);
    await page.getByRole('button', { name: 'Run now', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Run Ask back' });
    await dialog.getByText('A past event', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Event' }).click();
    await page.getByRole('option', { name: `Issue Opened · ${key} The lid sticks` }).click();
    await dialog.getByRole('button', { name: 'Run now' }).click();
    await expect(page.locator('dl').getByText('Succeeded')).toBeVisible();
    await expect(page.getByText('Issue Opened').first()).toBeVisible();
    const proposal = page.getByRole('list', { name: 'Changes of this execution' });
    await proposal.getByRole('button', { name: /^Reject/ }).click();
    await expect(proposal.getByText('Rejected')).toBeVisible();
    await expect(proposal.getByRole('button')).toHaveCount(0);
    await expect(proposal.getByText('Waiting')).toHaveCount(0);
    const taken = page.getByRole('list', { name: 'Actions of this execution' });
    await expect(taken.getByText('Rejected')).toBeVisible();
    await expect(taken.getByText('Nothing is written until')).toHaveCount(0);
    expect(emulator.issue(small.owner, small.repo, opened.number).comments).toHaveLength(0);

    await page.getByRole('link', { name: 'All executions' }).click();
    const row = page.getByRole('table', { name: 'Flow executions' }).getByRole('row').nth(1);
    await expect(row).toContainText(`${key}, Issue Opened`);
    await expect(
      page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Flows' }),
    ).toHaveAttribute('aria-current', 'page');
    await page.setViewportSize(NARROW);
    await expect(row.locator('code')).toBeVisible();
    await expect(row.getByText('1 action', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
  },
);

signedIn('a running execution is stopped and run again', async ({ page, account, github, models }) => {
  await connectSmall(account, github);
  const model = await addModel(account, models, 'Ours');
  models.answerAll(() => 'hangs');
  const flow = await newFlow(account, {
    name: 'Slow',
    ai_model_id: model.id,
    prompt_template: 'Look at {{issue.key}}.',
    allowed_mcp_servers: ['winnow'],
  });
  const { owner, repo } = github.small;
  const { id } = await runOnIssue(account, flow.id, `${owner}/${repo}#1`);
  await page.goto(`/console/flows/executions/${id}`);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('dl').getByText('Stopped')).toBeVisible();
  models.answerAll(() => ({ text: 'Nothing to do.' }));
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page).not.toHaveURL(`/console/flows/executions/${id}`);
  await expect(page.locator('dl').getByText('Succeeded')).toBeVisible();
  await expect(page.getByRole('link', { name: `Execution ${id.slice(0, 8)}` })).toBeVisible();
});

withOwnSample('executions are filtered in the address and browsed by keyboard', async ({ page, account }) => {
  const [one, other] = await Promise.all(
    ['One', 'Other'].map((name) => newFlow(account, { name, builtin_actions: ['check_readiness'] })),
  );
  if (one === undefined || other === undefined) throw new Error('Two flows were made.');
  for (const { id } of [one, one, other]) {
    await whenEnded(account, (await runOnIssue(account, id, samplePairs.identical.newer)).id);
  }
  const [, newest] = await account.api.get(`/flows/executions?flow_id=${one.id}`, flowExecutionList);
  await page.goto('/console/flows/executions');
  const rows = page.getByRole('table', { name: 'Flow executions' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  // Times include seconds. The row of an ended execution also shows its duration.
  await expect(rows.nth(1).getByRole('time').first()).toHaveText(/\d{1,2}:\d{2}:\d{2}/);
  await expect(rows.nth(1)).toContainText(/\d+(\.\d)? s|\d+ min/);
  await page.getByRole('combobox', { name: 'Flow' }).selectOption('One');
  await expect(rows).toHaveCount(3);
  await expect(page).toHaveURL(new RegExp(`flow=${one.id}`));
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
  await expect(page.getByText('No executions found here.')).toBeVisible();
  await page.goBack();
  await expect(rows).toHaveCount(3);
  await page.locator('body').press('j');
  await page.keyboard.press('j');
  await expect(page.locator(':focus')).toContainText(newest?.id.slice(0, 8) ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/console/flows/executions/${newest?.id}`);
});

signedIn(
  'a flow reports events that its filters were too slow to match, until it is saved',
  async ({ page, account, github }) => {
    const { small, emulator } = github;
    const tracker = await connectSmall(account, github);
    const { id } = await newFlow(account, {
      name: 'Slow to tell',
      builtin_actions: ['check_readiness'],
      trigger_event_type: 'issue_opened',
      trigger_filters: [{ field: 'description', op: 'matches', value: `a${'[ab]'.repeat(120)}c` }],
    });
    // Alternates two letters irregularly, up to the maximum length of a description. The pattern is
    // slow on such a text.
    const body = Array.from({ length: 65_000 }, (_, at) => (Math.sin(at * at) > 0 ? 'a' : 'b')).join('');
    const opened = emulator.createIssue(small.owner, small.repo, { title: 'The lid sticks', body });
    await tracker.sync();
    const problem = async () => (await account.api.get(`/flows/${id}`, flow)).problem;
    await eventually(problem, { timeoutMs: 30_000 });
    const missed = `The flow did not start on ${small.owner}/${small.repo}#${opened.number} (`;
    await page.goto('/console/flows');
    await expect(page.getByRole('row', { name: 'Slow to tell' })).toContainText(missed);
    await page.getByRole('link', { name: 'Slow to tell' }).click();
    const note = page.getByRole('note').filter({ hasText: missed });
    await expect(note).toContainText('This flow cannot start');
    await page.getByRole('button', { name: 'Remove filter 1' }).click();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await expect(note).toHaveCount(0);
  },
);

signedIn('an unknown execution shows an error', async ({ page }) => {
  await page.goto('/console/flows/executions/11111111-1111-4111-8111-111111111111');
  await expect(page.getByText('Execution not found')).toBeVisible();
  await page.getByRole('link', { name: 'Go to the executions' }).click();
  await expect(page.getByText('No flow has run yet')).toBeVisible();
  await page.goto('/console/flows/nonsense');
  await expect(page.getByText('Flow not found')).toBeVisible();
  await page.goto('/console/flows/executions?status=WAT&flow=zzz');
  await expect(page.getByText('contains an unknown flow or status')).toBeVisible();
  await page.goto('/console/flows/new?preset_id=zzz');
  await expect(page.getByText('This preset was deleted.')).toBeVisible();
});
