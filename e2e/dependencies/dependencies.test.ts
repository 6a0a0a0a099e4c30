import {
  badge,
  badgeDetails,
  commitDialog,
  commitItems,
  graphNode,
  issuePanel,
  issueRow,
  issueRows,
  whenScanned,
} from '@winnow/tools/browser/dependencies.ts';
import { toast } from '@winnow/tools/browser/similarity.ts';
import { expectNoViolations } from '../accessibility/no-violations.ts';
import { expect, signedIn, withSample } from '../fixtures/test.ts';
import { withDependencies } from './backlog.ts';

const SCREEN = '/console/issues/dependencies';
const WIDE = { width: 1440, height: 900 };

signedIn('without a project the project selector is empty', async ({ page }) => {
  await page.goto(SCREEN);
  await expect(page.getByText('Select a Project')).toBeVisible();
  await page.getByRole('link', { name: 'Add a tracker' }).click();
  await expect(page).toHaveURL('/console/trackers');
});

withDependencies(
  'the displayed page is scanned, and badges show which issue blocks which',
  async ({ page, backlog }) => {
    await page.goto(SCREEN);
    await whenScanned(page);
    await expect(page.getByText('5 issues scanned, 3 dependencies found')).toBeVisible();
    const search = issueRow(page, 'Search in old receipts');
    await expect(badge(search, /^Blocked by #1, \d+% confidence\. Found, not committed$/)).toBeVisible();
    await expect(badge(search, /^Blocks #3/)).toBeVisible();
    await expect(badge(issueRow(page, 'Dark theme'), /^Block/)).toHaveCount(0);
    // The blocking issue is closed, so the list does not contain it.
    await expect(badge(issueRow(page, 'Delete old receipts'), /satisfied$/)).toBeVisible();

    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(issueRows(page)).toHaveCount(5);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL(`${SCREEN}?status=all`);
    await expect(badge(issueRow(page, 'Delete old receipts'), /satisfied$/)).toBeVisible();

    // Adds the dependency on GitHub. Winnow reads it at the next sync.
    const answer = await fetch(`${backlog.github.apiUrl}/repos/acme/app/issues/4/dependencies/blocked_by`, {
      method: 'POST',
      headers: { authorization: `Bearer ${backlog.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ issue_id: backlog.issue(1).id }),
    });
    expect(answer.status).toBe(201);
    await page.getByRole('button', { name: 'Scan again' }).click();
    const trackerBadge = badge(
      issueRow(page, 'Dark theme'),
      /^Blocked by #1, 100% confidence\. From the tracker$/,
    );
    await trackerBadge.click();
    await expect(badgeDetails(page).getByText('there is nothing to commit')).toBeVisible();
    await expect(badgeDetails(page).getByRole('button', { name: 'Commit' })).toHaveCount(0);
  },
);

withDependencies.describe('with more issues than a page has', () => {
  withDependencies.use({ seeded: { cycle: false, newer: true } });

  withDependencies(
    'dependencies known from the background scan are shown before any issue is listed',
    async ({ page, backlog }) => {
      await page.goto(SCREEN);
      await expect(page.getByText('3 dependencies are known in this project.')).toBeVisible();
      await page.getByRole('link', { name: 'Show only these issues' }).click();
      await expect(page).toHaveURL(`${SCREEN}?status=all&show=dependent`);
      await expect(issueRows(page)).toHaveCount(5);
      await expect(issueRows(page).first(), 'the link is gone').toBeFocused();
      await expect(badge(issueRow(page, 'Search in old receipts'), /^Blocked by #1/)).toBeVisible();
      await page.reload();
      await expect(issueRows(page)).toHaveCount(5);
      await page.keyboard.press('g');
      await expect(graphNode(page, /^#2 /)).toBeVisible();
      await page.keyboard.press('g');

      // The result of the background scan must appear without reloading the page.
      backlog.github.editAs('ada', 'acme', 'app', 4, { body: 'Depends on #1.' });
      await backlog.syncAgain();
      await expect(page.getByText('4 dependencies are known in this project.')).toBeVisible();
      await expect(badge(issueRow(page, 'Dark theme'), /^Blocked by #1/)).toBeVisible();
      await page.getByRole('button', { name: 'Remove the filter Only' }).click();
      await expect(page).toHaveURL(`${SCREEN}?status=all`);
      await expect(issueRows(page)).toHaveCount(10);
    },
  );

  withDependencies(
    'a scan is expanded from an issue and reports what it covered',
    async ({ page, backlog: _ }) => {
      await page.goto(SCREEN);
      await whenScanned(page);
      await expect(page.getByText('10 issues scanned, 0 dependencies found')).toBeVisible();
      await page.goto(`${SCREEN}?page=2`);
      await expect(page.getByText('5 issues scanned, 3 dependencies found')).toBeVisible();
      await page.getByRole('button', { name: 'Expand Scan from acme/app#6' }).click();
      await expect(page.getByText('10 more issues scanned, 1 dependency found')).toBeVisible();
      await expect(badge(issueRow(page, 'Delete old receipts'), /satisfied$/)).toBeVisible();
      const added = page.getByRole('table', { name: 'Added by Expand Scan' });
      await expect(added.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(10);
      // The issue that blocks #6 is closed, so "Commit All" does not count this dependency.
      const commitAll = page.getByRole('button', { name: /^Commit All \(2/ });
      await commitAll.click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(2);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await page.getByRole('button', { name: 'Scan again' }).click();
      await expect(page.getByText(/^15 issues scanned, \d+ dependencies found/)).toBeVisible();

      await page.route('**/issue-dependencies/extend', (route) =>
        route.fulfill({
          status: 503,
          json: { detail: 'The index is being read.', code: 'overloaded', request_id: 'req-7' },
        }),
      );
      await page.getByRole('button', { name: 'Expand Scan from acme/app#4' }).click();
      const failure = page.getByRole('alert').filter({ hasText: 'Failed to expand scan for issue.' });
      await expect(failure).toContainText('The index is being read.');
      await expect(failure).toContainText('req-7');
      await page.unroute('**/issue-dependencies/extend');
      await failure.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByText('1 more issue scanned, 0 dependencies found')).toBeVisible();
      await expect(failure).toHaveCount(0);
    },
  );
});

withDependencies('one dependency is committed after a preview and undone', async ({ page, backlog }) => {
  await page.goto(SCREEN);
  await whenScanned(page);
  const search = issueRow(page, 'Search in old receipts');
  await badge(search, /^Blocked by #1/).click();
  const details = badgeDetails(page);
  await expect(details.getByText('“Blocked by #1”')).toBeVisible();
  await details.getByRole('button', { name: 'Commit', exact: true }).click();
  const dialog = commitDialog(page);
  await expect(dialog.getByText('as blocking')).toBeVisible();
  await expect(dialog.getByText('Posted only if the tracker has no link type for this.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Commit', exact: true }).click();
  await expect(toast(page, 'Committed: acme/app#1 blocks acme/app#2.')).toBeVisible();
  expect(backlog.issue(2).blocked_by).toEqual(['acme/app#1']);
  await expect(dialog).toHaveCount(0);

  const committed = badge(search, /^Blocked by #1, \d+% confidence\. Committed$/);
  await committed.click();
  await expect(details.getByRole('link', { name: 'Show the change' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(committed).toBeFocused();
  await toast(page, 'Committed').getByRole('button', { name: 'Undo' }).click();
  await expect(badge(search, /^Blocked by #1, .*not committed; undone$/)).toBeVisible();
  expect(backlog.issue(2).blocked_by).toEqual([]);
  // The dialog lists undone and satisfied dependencies, but does not preselect them.
  await page.getByRole('button', { name: /^Commit All \(1/ }).click();
  await expect(commitItems(page)).toHaveCount(3);
  const undone = commitItems(page).filter({ hasText: 'acme/app#1 blocks' });
  await expect(undone).toContainText('the commit was undone');
  await expect(undone.getByRole('checkbox')).not.toBeChecked();
  await expect(undone).toContainText('Store receipts on the server');
  await expect(commitItems(page).filter({ hasText: 'acme/app#5 blocks' })).toContainText(
    'Satisfied: the blocking issue is closed.',
  );
  await expect(commitDialog(page).getByText('1 of 3 chosen')).toBeVisible();
});

withDependencies(
  'a write that the tracker refuses during Commit All shows the reason and is retried',
  async ({ page, backlog }) => {
    await page.goto(`${SCREEN}?status=all`);
    await whenScanned(page);
    await page.getByRole('button', { name: /^Commit All \(2/ }).click();
    await expect(commitItems(page)).toHaveCount(3);
    backlog.github.faults.add({
      match: { method: 'POST', path: '/issues/3/dependencies/' },
      action: { kind: 'status', status: 403 },
    });
    await commitDialog(page).getByRole('button', { name: 'Commit 2 dependencies' }).click();
    await expect(commitDialog(page).getByText('1 of 2 dependencies committed, 1 failed.')).toBeVisible({
      timeout: 20_000,
    });
    await expect(commitItems(page).filter({ hasText: 'acme/app#1 blocks' })).toContainText('Done');
    const refused = commitItems(page).filter({ hasText: 'acme/app#2 blocks' });
    await expect(refused).toContainText('Failed');
    await expect(refused).toContainText('GitHub');
    expect([2, 3, 6].map((number) => backlog.issue(number).blocked_by)).toEqual([['acme/app#1'], [], []]);

    await expect(refused.getByRole('link', { name: 'Show the change' })).toBeVisible();
    backlog.github.faults.clear();
    await refused.getByRole('button', { name: 'Retry' }).click();
    await expect(commitDialog(page).getByText('2 dependencies committed.')).toBeVisible();
    expect(backlog.issue(3).blocked_by).toEqual(['acme/app#2']);

    await commitDialog(page).getByRole('button', { name: 'Undo all 2' }).click();
    await expect(commitDialog(page).getByText('All were undone.')).toBeVisible({ timeout: 20_000 });
    expect([2, 3].map((number) => backlog.issue(number).blocked_by)).toEqual([[], []]);
    await commitDialog(page).getByRole('link', { name: 'Show in Changes' }).click();
    await expect(page).toHaveURL('/console/changes?kind=dependency');
  },
);

withDependencies(
  'a commit that could not start is retried with an up-to-date preview',
  async ({ page, backlog }) => {
    await page.goto(SCREEN);
    await whenScanned(page);
    await page.getByRole('button', { name: /^Commit All \(2/ }).click();
    await expect(commitDialog(page).getByText('2 of 3 chosen')).toBeVisible();
    backlog.github.faults.add({
      match: { method: 'GET', path: '/issues/3$' },
      action: { kind: 'status', status: 403 },
    });
    await commitDialog(page).getByRole('button', { name: 'Commit 2 dependencies' }).click();
    await expect(commitDialog(page).getByText('1 of 2 dependencies committed, 1 failed.')).toBeVisible({
      timeout: 20_000,
    });
    backlog.github.faults.clear();
    await commitDialog(page).getByRole('button', { name: 'Try again' }).click();
    await expect(commitItems(page)).toHaveCount(1);
    await commitDialog(page).getByRole('button', { name: 'Commit', exact: true }).click();
    await expect(toast(page, 'Committed: acme/app#2 blocks acme/app#3.')).toBeVisible();
    expect(backlog.issue(3).blocked_by).toEqual(['acme/app#2']);
    await page.keyboard.press('z');
    await expect(toast(page, 'Undone: acme/app#2 blocks acme/app#3.')).toBeVisible();
    expect(backlog.issue(3).blocked_by).toEqual([]);
  },
);

withDependencies('a wrong dependency is dismissed and restored', async ({ page, backlog: _ }) => {
  await page.goto(SCREEN);
  await whenScanned(page);
  const search = issueRow(page, 'Search in old receipts');
  await badge(search, /^Blocks #3/).click();
  await badgeDetails(page).getByRole('button', { name: 'Not a dependency' }).click();
  await expect(badge(search, /^Blocks/)).toHaveCount(0);
  await page.reload();
  await whenScanned(page);
  await expect(badge(search, /^Blocks/)).toHaveCount(0);
  await badge(search, /^Blocked by/).click();
  await badgeDetails(page).getByRole('button', { name: 'Not a dependency' }).click();
  await toast(page, 'Not a dependency').getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page, 'Restored: acme/app#1 blocks acme/app#2.')).toBeVisible();
  await expect(badge(search, /^Blocked by/)).toBeVisible();

  // The list of dismissed dependencies allows the user to restore the dependency later.
  await page.getByRole('button', { name: '1 dependency dismissed' }).click();
  await page.getByRole('button', { name: 'Restore: acme/app#2 blocks acme/app#3' }).click();
  await expect(page.getByText('No dismissed dependencies.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(badge(search, /^Blocks/)).toBeVisible();
  await badge(search, /^Blocks/).click();
  await badgeDetails(page).getByRole('button', { name: 'Not a dependency' }).click();
  await expect(badge(search, /^Blocks/)).toHaveCount(0);
  await page.keyboard.press('z');
  await expect(badge(search, /^Blocks/)).toBeVisible();
});

withDependencies(
  'an issue opens beside the list with its blocking and blocked issues',
  async ({ page, backlog: _ }) => {
    await page.goto(SCREEN);
    await whenScanned(page);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const panel = issuePanel(page);
    await expect(panel.getByRole('heading', { name: 'Search in old receipts' })).toBeVisible();
    await expect(panel.getByRole('region', { name: /^Blocked by/ }).first()).toContainText(
      'Store receipts on the server',
    );
    await expect(panel.getByText('Customers ask for receipts of last year.')).toBeVisible();
    await expect(page).toHaveURL(/selectedIssue=/);
    await panel.getByRole('link', { name: /Export receipts/ }).click();
    await expect(panel.getByRole('heading', { name: 'Export receipts for the accountant' })).toBeVisible();
    await page.goBack();
    await expect(panel.getByRole('heading', { name: 'Search in old receipts' })).toBeVisible();
    await page.reload();
    await expect(panel.getByRole('heading', { name: 'Search in old receipts' })).toBeVisible();
    await page.keyboard.press('c');
    await expect(commitDialog(page).getByText('acme/app#2 blocks acme/app#3', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(commitDialog(page)).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
  },
);

withDependencies.describe('with a cycle', () => {
  withDependencies.use({ seeded: { cycle: true, newer: false } });

  withDependencies(
    'the graph supports the keyboard, offers an equivalent table, and marks cycles',
    async ({ page, backlog: _ }) => {
      await page.goto(`${SCREEN}?status=all`);
      await whenScanned(page);
      await page.keyboard.press('g');
      await expect(page).toHaveURL(`${SCREEN}?status=all&view=graph`);
      await expect(
        page.getByText(
          /^acme\/app#\d blocks acme\/app#\d, acme\/app#\d blocks acme\/app#\d, and acme\/app#\d blocks acme\/app#\d, so none of them can be started\.$/,
        ),
      ).toBeVisible();
      await expect(page.getByRole('list', { name: 'Longest chain' }).getByRole('listitem')).toHaveText([
        '#1',
        '#2',
        '#3',
        '#10',
      ]);

      const table = page.getByRole('table', { name: 'Dependencies' });
      await expect(table.getByRole('row')).toHaveCount(8);
      await expect(table.getByRole('row').nth(1)).toContainText('in a cycle');
      await expect(table.getByRole('row').last()).toContainText('satisfied');

      await page.getByRole('button', { name: /^Commit All \(3/ }).click();
      const cycled = commitItems(page).filter({ hasText: 'acme/app#7 blocks' });
      await expect(cycled).toContainText('Part of a cycle.');
      await expect(cycled.getByRole('checkbox')).not.toBeChecked();
      await expect(commitDialog(page).getByText('dependencies of the whole project')).toBeVisible();
      await page.keyboard.press('Escape');

      const first = graphNode(page, /^#1 Step 1 .*Waits for nothing\. Blocks #2$/);
      await first.focus();
      await page.keyboard.press('ArrowRight');
      await expect(graphNode(page, /^#2 Step 2 .*Waits for #1\. Blocks #3$/)).toBeFocused();
      await page.keyboard.press('ArrowRight');
      await expect(graphNode(page, /^#3 /)).toBeFocused();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await expect(issuePanel(page).getByRole('heading', { name: 'Search in old receipts' })).toBeVisible();
      await page.keyboard.press('Escape');
      const widthOf = async () => (await first.boundingBox())?.width ?? 0;
      const width = await widthOf();
      await page.getByRole('button', { name: 'Zoom in' }).click();
      await expect.poll(widthOf).toBeGreaterThan(width);

      await page.keyboard.press('g');
      await expect(issueRows(page)).toHaveCount(10);
      await expect(issueRow(page, 'Search in old receipts')).toBeFocused();
      await page.goBack();
      await expect(table).toBeVisible();
    },
  );

  withDependencies(
    'axe finds no violations in the list, panel, dialog and graph',
    async ({ page, backlog: _ }) => {
      withDependencies.slow();
      await page.addInitScript(() => localStorage.setItem('theme', 'system'));
      await page.goto(`${SCREEN}?status=all`);
      await whenScanned(page);
      await expectNoViolations(page);
      await page.setViewportSize(WIDE);
      await page.getByRole('link', { name: 'Search in old receipts' }).click();
      await issuePanel(page).getByRole('button', { name: 'Commit', exact: true }).first().waitFor();
      await expectNoViolations(page);
      await page.setViewportSize(WIDE);
      await page.keyboard.press('Shift+C');
      await page
        .getByRole('button', { name: /^Commit \d/ })
        .and(page.locator(':enabled'))
        .last()
        .waitFor();
      await expectNoViolations(page);
      await page.setViewportSize(WIDE);
      await page.keyboard.press('Escape');
      await page.goto(`${SCREEN}?view=graph`);
      await page.getByRole('table', { name: 'Dependencies' }).waitFor();
      await expectNoViolations(page);
    },
  );
});
withSample('a list that fails to load shows an error and can be retried', async ({ page }) => {
  const down = { status: 503, json: { detail: 'Shutting down.', code: 'overloaded', request_id: 'req-9' } };
  await page.route('**/api/v1/projects', (route) => route.fulfill(down));
  await page.goto(SCREEN);
  const projects = page.getByRole('alert').filter({ hasText: 'Failed to load projects.' });
  await expect(projects).toContainText('Shutting down.');
  await page.route('**/api/v1/search?*', (route) => route.fulfill(down));
  await page.unroute('**/api/v1/projects');
  await projects.getByRole('button', { name: 'Retry' }).click();
  const issues = page.getByRole('alert').filter({ hasText: 'Failed to load issues.' });
  await expect(issues).toContainText('req-9');
  await page.unroute('**/api/v1/search?*');
  await issues.getByRole('button', { name: 'Retry' }).click();
  await whenScanned(page);
  await page.goto(`${SCREEN}?status=closed&page=7`);
  await expect(page.getByText('No Issues Found')).toBeVisible();
});
