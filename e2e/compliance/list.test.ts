import { project } from '@winnow/contract/issue';
import {
  choosePrompt,
  issuePanel,
  issueRow,
  issueRows,
  issueSearch,
  issueTable,
  openScores,
  sampleIssues,
} from '@winnow/tools/browser/compliance.ts';
import { choice, filterTag, pairPanel } from '@winnow/tools/browser/similarity.ts';
import { expect, signedIn, withSample } from '../fixtures/test.ts';

withSample('every issue of a page is scored, and another prompt scores them again', async ({ page }) => {
  await openScores(page);
  await expect(issueRows(page)).toHaveCount(10);
  await expect(issueTable(page).getByText(/^\d+%$/)).toHaveCount(10);
  for (const name of ['ID', 'Title', 'Project', 'Status', 'DoR', 'Actions']) {
    await expect(issueTable(page).getByRole('columnheader', { name, exact: true })).toBeVisible();
  }
  await expect(page.getByRole('region', { name: 'Definition of Ready per project' })).toContainText(
    /\d+ of \d+ issues scored, \d+% on average/,
  );
  await choosePrompt(page, 'Risk');
  await expect(page).toHaveURL(/[?&]prompt=risk_assessment_v1/);
  await expect(
    issueTable(page).getByRole('columnheader', { name: 'Risk 100% = low', exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'Risk per project' })).toContainText('100% is a low risk');
  await expect(issueTable(page).getByText(/^\d+%$/)).toHaveCount(10);
});

withSample('invalid parameters in the address fall back to the defaults', async ({ page }) => {
  await openScores(page, '?page=0&status=bogus&prompt=no_such_prompt&projects=xyz&selectedIssue=nobody');
  await expect(issueRows(page)).toHaveCount(10);
  await expect(page.getByRole('combobox', { name: 'Compliance type' })).toHaveValue('Definition of Ready');
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.getByText('Clear all')).toBeHidden();
});

withSample(
  'search, filters and page are in the address and survive Back and reload',
  async ({ page, account }) => {
    const projects = await account.api.get('/projects', project.array());
    const segment = projects.find(({ name }) => name === 'Skua Web')?.id.split('-')[0];
    await openScores(page);
    await page.getByRole('button', { name: 'Filters' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await dialog.getByRole('checkbox', { name: 'Skua Web' }).check();
    await choice(dialog, 'Issue Status', 'All').check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL(`/console/issues/compliance?status=all&projects=${segment}`);
    await expect(filterTag(page, 'Projects')).toContainText('Skua Web');
    await expect(issueRows(page).filter({ hasText: 'Skua Sync' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect(page).toHaveURL(/[?&]page=2/);

    await issueSearch(page).fill('link');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(/status=all&query=link&projects=/);
    await expect(page.getByText(/^Page 1 of/)).toBeVisible();
    await page.reload();
    await expect(issueSearch(page)).toHaveValue('link');
    await expect(filterTag(page, 'Status')).toContainText('All');
    await page.goBack();
    await expect(page).toHaveURL(/[?&]page=2/);
    await expect(issueSearch(page)).toHaveValue('');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect(page).toHaveURL('/console/issues/compliance');
  },
);

withSample(
  'an issue is found by its key, and an empty result offers to clear the filters',
  async ({ page }) => {
    await openScores(page);
    await issueSearch(page).fill(sampleIssues.complete);
    await issueSearch(page).press('Enter');
    await expect(issueRows(page).first()).toContainText(sampleIssues.complete);
    await page.goto('/console/issues/compliance?query=%22no%20issue%20says%20this%22&status=closed');
    await expect(page.getByText('No issues found')).toBeVisible();
    await expect(page.getByText('Your search did not return any issues.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear all' }).first().click();
    await expect(issueRows(page)).toHaveCount(10);
  },
);

withSample('search matches are highlighted in titles and descriptions', async ({ page }) => {
  const { complete } = sampleIssues;
  await openScores(page, '?query=connection&status=all');
  await expect(
    issueTable(page)
      .locator('mark', { hasText: /connect/i })
      .first(),
  ).toBeVisible();
  await expect(issueTable(page).locator('td span > mark').first()).toBeVisible();
  await openScores(page, `?status=all&query=${complete.split('#')[1]}`);
  await expect(issueRows(page).first()).toContainText(complete.split('/')[1] ?? complete);
});

withSample('a long search text does not move the controls', async ({ page }) => {
  await page.goto(`/console/issues/compliance?query=${'x'.repeat(900)}`);
  await expect(page.getByText('Your search did not return any issues.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Filters' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Clear all' }).first()).toBeInViewport({ ratio: 1 });
});

withSample('scores are shown as unknown when prompts fail to load', async ({ page }) => {
  await page.route('**/issue_compliance_prompts', (route) => route.fulfill({ status: 409, json: {} }));
  await page.goto('/console/issues/compliance');
  const failure = page.getByRole('alert').filter({ hasText: 'The compliance types could not be loaded' });
  await expect(failure).toBeVisible();
  await expect(issueTable(page).getByText('Could not load')).toHaveCount(10);
  await page.unroute('**/issue_compliance_prompts');
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(issueTable(page).getByText(/^\d+%$/)).toHaveCount(10);
});

withSample('a partial score is marked as partial in the list and in the panel', async ({ page }) => {
  await page.route('**/issue_compliance/batch', async (route) => {
    const answer = await route.fetch();
    const { results } = await answer.json();
    Object.assign(results[0], { compliance_factor: 0.94, judged_share: 0.25 });
    await route.fulfill({ response: answer, json: { results } });
  });
  await openScores(page);
  const partly = issueRows(page).first();
  await expect(partly).toContainText('Partly judged');
  await partly.click();
  await expect(
    issuePanel(page).getByText('Based on criteria worth 25% of the score. The others need a language model.'),
  ).toBeVisible();
});

withSample('a list or scores that fail to load show an error, and Retry loads them', async ({ page }) => {
  const body = { detail: 'The server could not do this.', code: 'internal', request_id: 'req-77' };
  const refuse = (pattern: string) =>
    page.route(pattern, (route) => route.fulfill({ status: 409, json: body }));
  await refuse('**/api/v1/search?*');
  await page.goto('/console/issues/compliance');
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to load issues.' });
  await expect(failure).toContainText('req-77');
  await refuse('**/issue_compliance/batch');
  await page.unroute('**/api/v1/search?*');
  await failure.getByRole('button', { name: 'Retry' }).click();
  const unscored = page.getByRole('alert').filter({ hasText: 'Scores could not be loaded' });
  await expect(unscored).toContainText('The server could not do this.');
  await expect(issueRows(page)).toHaveCount(10);
  await page.unroute('**/issue_compliance/batch');
  await unscored.getByRole('button', { name: 'Retry' }).click();
  await expect(issueTable(page).getByText(/^\d+%$/)).toHaveCount(10);
  await expect(unscored).toBeHidden();
});

withSample('slow scores show their progress and appear without reloading', async ({ page }) => {
  let waiting = true;
  await page.route('**/issue_compliance/batch', async (route) => {
    const answer = await route.fetch();
    const { results } = await answer.json();
    const late = { state: 'checking', compliance_factor: null, evaluated_at: null, criteria: [] };
    if (waiting) for (const result of results.slice(7)) Object.assign(result, late);
    await route.fulfill({ response: answer, json: { results } });
  });
  await page.goto('/console/issues/compliance');
  await expect(page.getByRole('status').filter({ hasText: '7 of 10 scored' })).toBeVisible();
  await expect(issueTable(page).getByText('Checking')).toHaveCount(3);
  waiting = false;
  await expect(issueTable(page).getByText(/^\d+%$/)).toHaveCount(10);
  await expect(page.getByText('7 of 10 scored')).toBeHidden();
});

withSample(
  'an issue with a score of 0 or 100% cannot be improved, and the reason is shown',
  async ({ page }) => {
    await page.route('**/issue_compliance/batch', async (route) => {
      const answer = await route.fetch();
      const { results } = await answer.json();
      Object.assign(results[0], { compliance_factor: 0 });
      Object.assign(results[1], { compliance_factor: 1 });
      await route.fulfill({ response: answer, json: { results } });
    });
    await openScores(page);
    const [none, all] = [issueRows(page).nth(0), issueRows(page).nth(1)];
    await expect(none).toContainText('This issue could not be evaluated and requires manual review.');
    await none.getByRole('button', { name: 'Improve', exact: true }).focus();
    await expect(
      page.getByRole('tooltip').filter({ hasText: 'It may be missing key information' }),
    ).toBeVisible();
    await expect(all.getByRole('button', { name: 'Improve', exact: true })).toBeDisabled();
    await all.getByRole('button', { name: /^More actions for/ }).click();
    await expect(page.getByRole('menuitem', { name: 'Improve Compliance' })).toBeDisabled();
  },
);

withSample('a project of the chart filters the list, and a hidden chart stays hidden', async ({ page }) => {
  await openScores(page);
  const chart = page.getByRole('region', { name: 'Definition of Ready per project' });
  await chart.getByRole('button', { name: /^Skua Web/ }).click();
  await expect(page).toHaveURL(/[?&]projects=[0-9a-f]{8}$/);
  await expect(chart.getByRole('button', { name: /^Skua Web/ })).toHaveAttribute('aria-pressed', 'true');
  await chart.getByRole('button', { name: 'Hide the chart' }).click();
  await page.reload();
  await expect(chart.getByRole('button', { name: 'Show the chart' })).toBeVisible();
  await expect(chart.getByRole('button', { name: /^Skua Web/ })).toBeHidden();
});

withSample('a criterion highlights the words it is based on, by mouse and by keyboard', async ({ page }) => {
  await openScores(page, `?query=${encodeURIComponent(sampleIssues.complete)}`);
  await issueRow(page, sampleIssues.complete).click();
  await expect(page).toHaveURL(/selectedIssue=/);
  const panel = issuePanel(page);
  const text = panel.getByRole('region', { name: 'Description', exact: true });
  const criteria = panel.getByRole('list', { name: 'Criteria' }).getByRole('button');
  await expect(criteria).toHaveCount(6);
  await expect(text.locator('mark').first()).toBeVisible();
  await expect(text.locator('mark sup')).toHaveCount(0);

  await criteria.nth(1).hover();
  await expect(text.locator('mark sup').first()).toHaveText('2');
  const acceptance = await text.locator('article mark, p mark').allTextContents();
  await page.mouse.move(0, 0);
  await criteria.nth(0).focus();
  await expect(text.locator('mark sup').first()).toHaveText('1');
  expect(await text.locator('p mark').allTextContents()).not.toEqual(acceptance);

  await page.keyboard.press('Enter');
  await expect(criteria.nth(0)).toHaveAttribute('aria-expanded', 'true');
  await expect(panel.getByRole('list', { name: 'Criteria' }).locator('blockquote').first()).toBeVisible();
  await expect(issuePanel(page).getByText('Built-in analyst')).toBeVisible();
});

withSample('the keyboard moves between issues and across page boundaries', async ({ page }) => {
  await openScores(page);
  await page.keyboard.press('/');
  await expect(issueSearch(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await expect(issueRows(page).nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(issuePanel(page).getByText(/^2 of /)).toBeVisible();
  await page.keyboard.press('k');
  await expect(issuePanel(page).getByText(/^1 of /)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(issuePanel(page)).toBeHidden();
  await expect(issueRows(page).nth(0)).toBeFocused();
  await issueRows(page).nth(9).focus();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/[?&]page=2/);
  await expect(issueRows(page).nth(0)).toBeFocused();
  const edge = (await issueRows(page).nth(0).getAttribute('id')) ?? '';
  await page.getByRole('link', { name: 'Previous page' }).click();
  await expect(issueRows(page).nth(0)).not.toHaveAttribute('id', edge);
  await page.keyboard.press('j');
  await expect(issueRows(page).nth(0), 'the focus left the link').toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Improve the issue');
});

signedIn('without trackers the screens explain how to fill them', async ({ page }) => {
  await page.goto('/console/issues/compliance');
  await expect(page.getByText('No projects found. Did you add a tracker?')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to Trackers' })).toBeVisible();
  await page.goto('/console/issues/duplicates');
  await expect(page.getByText('No duplicate issues found.')).toBeVisible();
  await page.goto('/console/issues/assignments');
  await expect(page.getByText('Coming Soon')).toBeVisible();
});

withSample('the dashboard lists each issue that has duplicates and links to its pair', async ({ page }) => {
  const refusal = { detail: 'Not now.', code: 'internal', request_id: 'req-5' };
  await page.route('**/issue-duplicates/?*', (route) => route.fulfill({ status: 409, json: refusal }));
  await page.goto('/console/issues');
  await page.getByRole('link', { name: 'List by issue' }).click();
  await expect(page).toHaveURL('/console/issues/duplicates');
  await expect(page.getByRole('alert')).toContainText('Not now.');
  await page.unroute('**/issue-duplicates/?*');
  await page.getByRole('button', { name: 'Retry' }).click();
  const issues = page.getByRole('list', { name: 'Issues that have duplicates' }).getByRole('link');
  await expect(issues.first()).toBeVisible();
  await expect(page.getByRole('link', { name: /^Decide about \d+ pairs?$/ })).toHaveAttribute(
    'href',
    '/console/issues',
  );
  const title = await issues.first().textContent();
  await issues.first().click();
  await expect(pairPanel(page)).toContainText(title ?? '');
});
