import { expect } from '@playwright/test';
import { resolutionResult } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { flow } from '@winnow/contract/flow';
import { tracker } from '@winnow/contract/tracker';
import { TEST_TRACKERS, type TestTracker } from '@winnow/emulators/testing/test-trackers';
import { type Account, signedInState, whenCompared } from '@winnow/tools/browser/account.ts';
import { z } from 'zod';
import { test as base } from '../fixtures/test.ts';

const TITLES = ['The export stops after the second page', 'Export hangs at page two', 'A lamp is broken'];
const KEY = 'acme/app#1';

/**
 * Fixture for a user who has connected a GitHub and a GitLab that mirrors it. Every issue key
 * occurs in both trackers.
 */
const test = base.extend<{ mirrored: Account }>({
  mirrored: async ({ account }, use) => {
    const testTrackers: TestTracker[] = [];
    for (const [name, kind] of [
      ['Main', 'GitHub'],
      ['Mirror', 'GitLab'],
    ] as const) {
      const testTracker = await TEST_TRACKERS[kind]?.(TITLES);
      if (testTracker === undefined) throw new Error(`There is no ${kind}.`);
      testTrackers.push(testTracker);
      await account.api.send('POST', '/trackers', { name, ...testTracker.connection }, tracker);
    }
    await whenCompared(account);
    await use(account);
    for (const testTracker of testTrackers) await testTracker.close();
  },
  storageState: async ({ product, mirrored }, use) => use(signedInState(product.url, mirrored.api)),
});
test.slow();

test('every list of issues and projects names the tracker of each', async ({ page, mirrored: _ }) => {
  await page.goto('/console/issues?probability=0');
  const rows = page.getByRole('row').filter({ hasText: TITLES[0] ?? '' });
  await expect(rows.filter({ hasText: 'Main' }).filter({ hasText: 'Mirror' }).first()).toBeVisible();
  const title = rows
    .first()
    .getByRole('link', { name: TITLES[0] ?? '' })
    .first();
  expect((await title.boundingBox())?.width).toBeGreaterThan(150);
  // Checks the chart and the filter that it sets.
  const chart = page.getByRole('button', { name: /^app.*in Mirror/ });
  await chart.first().click();
  await expect(page.getByText('app in Mirror (GitLab)')).toBeVisible();
  await page.goto('/console/issues?probability=0');
  await page.getByRole('button', { name: 'Filters' }).first().click();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  await expect(filters.getByRole('checkbox', { name: /in Main \(GitHub\)/ })).toBeVisible();
  await expect(filters.getByRole('checkbox', { name: /in Mirror \(GitLab\)/ })).toBeVisible();

  for (const path of ['/console', '/console/issues/compliance', '/console/issues/duplicates']) {
    await page.goto(path);
    await expect(page.getByTitle('Main (GitHub)').first()).toBeVisible();
    await expect(page.getByTitle('Mirror (GitLab)').first()).toBeVisible();
  }
  await page.goto('/console/issues/dependencies');
  for (const place of ['Main (GitHub)', 'Mirror (GitLab)']) {
    await expect(page.getByRole('option', { name: `app (acme/app) in ${place}` })).toBeAttached();
  }
});

test('a flow offers the issues of its tracker, and a flow of any tracker distinguishes them', async ({
  page,
  mirrored,
}) => {
  const { api } = mirrored;
  const trackers = await api.get('/trackers', tracker.array());
  const mirror = trackers.find(({ name }) => name === 'Mirror');
  const shared = { builtin_actions: ['check_readiness'], allowed_mcp_servers: ['winnow'] };
  for (const [name, source] of [
    ['Bound', mirror?.id],
    ['Free', null],
  ]) {
    await api.send('POST', '/flows', { ...shared, name, trigger_event_source: source }, flow);
  }
  for (const [name, offered] of [
    ['Bound', [`${KEY} in Mirror (GitLab)`]],
    ['Free', [`${KEY} in Main (GitHub)`, `${KEY} in Mirror (GitLab)`]],
  ] as const) {
    await page.goto('/console/flows');
    await page.getByRole('button', { name: `Run ${name} now` }).click();
    const dialog = page.getByRole('dialog', { name: `Run ${name}` });
    await dialog.getByRole('combobox', { name: 'Issue' }).fill(KEY);
    for (const option of offered) await expect(page.getByRole('option', { name: option })).toBeVisible();
    await expect(page.getByRole('option', { name: KEY })).toHaveCount(offered.length);
    await page.getByRole('option', { name: offered[0] }).click();
    await dialog.getByRole('button', { name: 'Run now' }).click();
    await expect(page).toHaveURL(/executions/);
    const where = name === 'Bound' ? 'Mirror (GitLab)' : 'Main (GitHub)';
    await expect(page.getByTitle(where).first()).toBeVisible();
  }
});

test('the palette, dialogs, changes and executions name the tracker of each', async ({ page, mirrored }) => {
  const { api } = mirrored;
  await page.goto('/console');
  await page.getByRole('button', { name: /^Go to/ }).click();
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const field = page.getByPlaceholder('Go to a screen, a project or an issue');
  await field.fill('app');
  for (const place of ['Main (GitHub)', 'Mirror (GitLab)']) {
    await expect(palette.getByText(`app in ${place}`)).toBeVisible();
  }
  await field.fill(KEY);
  for (const place of ['Main (GitHub)', 'Mirror (GitLab)']) {
    await expect(palette.getByText(`Open issue ${KEY} in ${place}`)).toBeVisible();
  }
  await page.keyboard.press('Escape');

  // For each write, the dialog names the trackers of both issues.
  await page.goto('/console/issues?probability=0');
  const across = page.getByRole('row').filter({ hasText: 'Main' }).filter({ hasText: 'Mirror' });
  await across.first().getByRole('button', { name: 'Resolve' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Close as Duplicate/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByTitle('Main (GitHub)').first()).toBeVisible();
  await expect(dialog.getByTitle('Mirror (GitLab)').first()).toBeVisible();
  await page.keyboard.press('Escape');

  const { duplicates } = await api.get('/issue-duplicates?scope=account&limit=100', pairList);
  const pair = duplicates.find(({ issue1, issue2 }) => issue1.project_id !== issue2.project_id);
  await api.send(
    'PATCH',
    '/issue-duplicates/execute-resolution',
    { issue1_id: pair?.issue1.id, issue2_id: pair?.issue2.id, resolution: 'close_b' },
    resolutionResult,
  );
  await page.goto('/console/changes');
  const saved = page.getByRole('row').filter({ hasText: 'as duplicate of' });
  const lines = saved.first().getByRole('link');
  const [title, first] = [await lines.nth(0).boundingBox(), await lines.nth(1).boundingBox()];
  expect((first?.y ?? 0) + (first?.height ?? 0)).toBeLessThan((title?.y ?? 0) + 56);
  await lines.nth(0).click();
  const steps = page.getByRole('listitem').filter({ hasText: /Close .*as a duplicate of/ });
  await expect(steps.first()).toContainText(/Close .*(Main|Mirror).*as a duplicate of .*(Main|Mirror)/);

  const runs = { name: 'Free', builtin_actions: ['check_readiness'], allowed_mcp_servers: ['winnow'] };
  const { id } = await api.send('POST', '/flows', runs, flow);
  for (const issue of [pair?.issue1, pair?.issue2]) {
    await api.send('POST', `/flows/${id}/run`, { issue_key: issue?.id }, z.unknown());
  }
  await page.goto('/console/flows/executions');
  for (const place of ['Main (GitHub)', 'Mirror (GitLab)']) {
    await expect(page.getByRole('row').getByTitle(place).first()).toBeVisible();
  }
});
