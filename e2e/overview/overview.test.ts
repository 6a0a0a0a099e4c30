import { change, resolutionResult } from '@winnow/contract/change';
import { LIKELIHOOD, pairList } from '@winnow/contract/duplicate';
import { connect } from '@winnow/tools/browser/account.ts';
import { pairPanel } from '@winnow/tools/browser/similarity.ts';
import { expect, signedIn, withOwnSample, withSample } from '../fixtures/test.ts';

signedIn(
  'without a tracker the Overview explains what is missing and offers two ways to add issues',
  async ({ page }) => {
    await page.goto('/console');
    const alert = page.getByRole('note').filter({ hasText: 'No projects found.' });
    await expect(alert).toContainText('No projects found. Add a tracker to see project-specific widgets.');
    await expect(alert.getByRole('button', { name: 'Explore with sample data' })).toBeVisible();
    await expect(page.getByText('No similar issues found for the current filters.')).toBeVisible();
    const metrics = page.getByRole('main');
    await expect(metrics.getByRole('link', { name: 'Connected Trackers' })).toBeVisible();
    await alert.getByRole('link', { name: 'Add a tracker' }).click();
    await expect(page).toHaveURL('/console/trackers');
  },
);

signedIn('the sample backlog replaces its button, and the heading has the focus', async ({ page }) => {
  await page.goto('/console');
  const explore = page.getByRole('button', { name: 'Explore with sample data' });
  await explore.press('Enter');
  await expect(explore).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeFocused();
});

withSample(
  'the three most likely pairs are suggested in order of probability and link to their texts',
  async ({ page }) => {
    await page.goto('/console');
    const widget = page.getByRole('region', { name: 'Similar Issue Suggestions' });
    await expect(widget.getByText(/^\d+$/)).toBeVisible();
    const rows = widget.getByRole('listitem');
    await expect(rows).toHaveCount(3);
    const percents = (await rows.allTextContents()).map((text) => Number(/(\d+)%/.exec(text)?.[1]));
    expect(percents).toEqual(percents.toSorted((one, other) => other - one));
    await expect(rows.first().getByText('98%')).toBeVisible();
    await expect(rows.first().getByText('Identical')).toBeVisible();

    await rows.nth(2).getByRole('link').click();
    await expect(page).toHaveURL(/\/console\/issues\?selectedPair=/);
    await expect(pairPanel(page).getByRole('article')).toHaveCount(2);
  },
);

withOwnSample(
  'resolved pairs and pairs whose resolution was undone are not suggested',
  async ({ page, account }) => {
    const unresolved = '/issue-duplicates?limit=3&resolution=unresolved';
    const list = await account.api.get(unresolved, pairList);
    const [top] = list.duplicates;
    await page.goto('/console');
    const rows = page.getByRole('region', { name: 'Similar Issue Suggestions' }).getByRole('listitem');
    const topRow = rows
      .filter({ hasText: top?.issue1.title ?? '' })
      .filter({ hasText: top?.issue2.title ?? '' });
    await expect(topRow).toHaveCount(1);

    const { change_id } = await account.api.send(
      'PATCH',
      '/issue-duplicates/execute-resolution',
      { issue1_id: top?.issue1.id, issue2_id: top?.issue2.id, resolution: 'unrelated' },
      resolutionResult,
    );
    await expect(topRow, 'updated by the live channel').toHaveCount(0);
    await expect(rows).toHaveCount(3);
    await account.api.send('POST', `/changes/${change_id}/undo`, undefined, change);
    const again = await account.api.get(unresolved, pairList);
    expect(
      again.duplicates.some(({ id }) => id === top?.id),
      'it is in the list again',
    ).toBe(true);
    await page.reload();
    await expect(rows).toHaveCount(3);
    await expect(topRow).toHaveCount(0);
  },
);

withSample('“See all” links to the whole list', async ({ page }) => {
  await page.goto('/console');
  await page.getByRole('link', { name: 'See all...' }).click();
  await expect(page).toHaveURL('/console/issues');
});

withSample(
  'each project with similar issues shows similar and unique counts and links to the counted issues',
  async ({ page, readers }) => {
    await page.goto('/console');
    const card = page.getByRole('region', { name: 'Similar Issues per Project' });
    await expect(card.getByRole('listitem')).toHaveCount(2);
    const web = card.getByRole('listitem').filter({ hasText: 'Skua Web' });
    await expect(web).toContainText(/\d+ similar/);
    await expect(web).toContainText(/\d+ unique/);
    await card.getByRole('button', { name: /probability of \d+% or more/ }).hover();
    await expect(page.getByRole('tooltip')).toContainText(/probability of \d+% or more/);
    const similar = Number(/(\d+) similar/.exec((await web.textContent()) ?? '')?.[1]);
    await web.getByRole('link').click();
    await expect(page).toHaveURL(/\/console\/issues\?projects=[0-9a-f]{8}$/);
    const { searchParams } = new URL(page.url());
    const { duplicates, total } = await readers.api.get(
      `/issue-duplicates?limit=100&standing=to_decide&resolution=unresolved&scope=account&probability_threshold=${LIKELIHOOD.queue}&one_per_series=true&project_ids=${searchParams.get('projects')}`,
      pairList,
    );
    const ofWeb = duplicates
      .flatMap(({ issue1, issue2 }) => [issue1, issue2])
      .filter(({ project }) => project.name === 'Skua Web');
    expect(new Set(ofWeb.map(({ id }) => id)).size, 'the list matches the chart').toBe(similar);
    await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(`of ${total}`);
    const chart = page.getByRole('region', { name: 'Similar issues per project' });
    await expect(chart).toContainText(new RegExp(`${similar} of \\d+ open issues of Skua Web`));

    await page.getByRole('link', { name: /^Similarity \d+ pairs to decide$/ }).click();
    await expect(page).toHaveURL('/console/issues');
    const counted = Number(
      /\d+/.exec((await page.getByRole('link', { name: /pairs to decide/ }).textContent()) ?? '')?.[0],
    );
    await expect(
      page.getByRole('navigation', { name: 'Pages' }),
      'the list is as long as the sidebar says',
    ).toContainText(`of ${counted}`);
  },
);

withSample('the key metrics count trackers, requests and issues', async ({ page }) => {
  await page.goto('/console');
  const main = page.getByRole('main');
  await expect(main.getByText('Total API Requests')).toBeVisible();
  await expect(main.getByText('Total Issues Processed')).toBeVisible();
  await expect(main.getByText('of 161 synced, 0 waiting')).toBeVisible();
  await main.getByRole('link', { name: 'Connected Trackers' }).click();
  await expect(page).toHaveURL('/console/trackers');
});

withSample('the key metrics are a separate card beside the widgets on a wide screen', async ({ page }) => {
  await page.setViewportSize({ width: 1800, height: 900 });
  await page.goto('/console');
  const heading = page.getByRole('heading', { name: 'Key Metrics' });
  const widget = page.getByRole('region', { name: 'Similar Issue Suggestions' });
  await expect(heading).toBeInViewport();
  const [beside, left] = [await heading.boundingBox(), await widget.boundingBox()];
  expect(beside?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));
  expect(beside?.height).toBeGreaterThan(10);
});

signedIn('two trackers are named, and a tooltip names the others', async ({ page, account }) => {
  for (const name of ['First', 'Second', 'Third', 'Fourth']) await connect(account, { name, type: 'sample' });
  await page.goto('/console');
  const main = page.getByRole('main');
  const more = main.getByRole('button', { name: /^2 more: / });
  await expect(more).toHaveText('+2');
  await more.focus();
  await expect(page.getByRole('tooltip')).toHaveText(/^\w+, \w+$/);
});

withSample('a verdict that fails to load is shown as undecided, with the reason', async ({ page }) => {
  await page.route('**/api/v1/issue-duplicates/check-batch', (route) => route.abort());
  await page.goto('/console');
  const row = page.getByRole('region', { name: 'Similar Issue Suggestions' }).getByRole('listitem').last();
  await expect(row).toContainText('Undecided');
  await expect(row).toContainText('Failed to load');
});

withSample('suggestions that fail to load show an error, and the other widgets stay', async ({ page }) => {
  await page.route('**/api/v1/issue-duplicates?limit=3*', (route) =>
    route.fulfill({ status: 500, json: {} }),
  );
  await page.goto('/console');
  const failure = page.getByRole('alert').filter({ hasText: 'Could not load suggestions.' });
  await expect(failure).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Similar Issues per Project' }).getByRole('listitem'),
  ).toHaveCount(2);
  await page.unroute('**/api/v1/issue-duplicates?limit=3*');
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(
    page.getByRole('region', { name: 'Similar Issue Suggestions' }).getByRole('listitem'),
  ).toHaveCount(3);
});
