import { duplicateStats, PAIRS_COUNTED, pairList } from '@winnow/contract/duplicate';
import {
  listedKeys,
  pairPanel,
  pairRow,
  pairRows,
  pairTable,
  samplePairs,
} from '@winnow/tools/browser/similarity.ts';
import { expect, OPEN_PAIRS, signedIn, withOwnSample, withSample } from '../fixtures/test.ts';

withSample('projects with long names stay within the chart beside the panel', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.route('**/api/v1/project-duplicate-stats*', async (route) => {
    const response = await route.fetch();
    const stats = duplicateStats.parse(await response.json());
    const projects = ['one', 'two', 'three', 'four', 'five'].map((name, index) => ({
      project_id: `6a1f3c52-0c1b-4b66-9d3f-0f3a5c0e7a1${index}`,
      project_name: `an-organization-with-a-long-name/${name}`,
      duplicates: 12,
      total: 34,
    }));
    await route.fulfill({ response, json: { ...stats, projects } });
  });
  await page.goto(OPEN_PAIRS);
  await pairRows(page).first().click();
  await expect(pairPanel(page).getByRole('article')).toHaveCount(2);
  const bars = page.getByRole('button', { name: /an-organization/ });
  await expect(bars).toHaveCount(5);
  for (const bar of await bars.all()) {
    const box = await bar.boundingBox();
    const share = await bar.getByText('35.3%').boundingBox();
    expect((share?.x ?? 0) + (share?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
  }
});

signedIn('without a tracker the screen says so and links to Trackers', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await expect(page.getByText('No projects found. Did you add a tracker?')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Trackers' }).click();
  await expect(page).toHaveURL('/console/trackers');
});

signedIn(
  'without a tracker the screen can be filled with the sample backlog immediately',
  async ({ page }) => {
    await page.goto(OPEN_PAIRS);
    await page.getByRole('button', { name: 'Explore with sample data' }).click();
    await expect(pairRows(page)).toHaveCount(10, { timeout: 20_000 });
  },
);

withOwnSample('the sidebar count matches the list, also while it changes', async ({ page }) => {
  await page.goto('/console/issues?status=all&probability=0');
  await page.getByRole('button', { name: /^To decide: \d+$/ }).click();
  await expect(page).toHaveURL('/console/issues');
  const inSidebar = page.getByRole('link', { name: /^Similarity/ });
  const inList = page.getByRole('navigation', { name: 'Pages' });
  await expect(inSidebar).toHaveText(/^Similarity\d+ pairs to decide$/);
  const total = Number(/\d+/.exec((await inSidebar.textContent()) ?? '')?.[0]);
  await expect(inList).toContainText(`of ${total}`);
  // Requests for the list get no response. The displayed state must come from the page itself.
  await page.route('**/api/v1/issue-duplicates?*', () => undefined);
  await pairRows(page).nth(1).getByRole('button', { name: 'Dismiss' }).click();
  await expect(inList).toContainText(`of ${total - 1}`);
  await expect(inSidebar).toHaveText(new RegExp(`^Similarity${total - 1} pairs? to decide$`));
});

withSample('a list with an incomplete count is marked in the same way everywhere', async ({ page }) => {
  await page.route('**/api/v1/issue-duplicates?*', async (route) => {
    const response = await route.fetch();
    const list = pairList.parse(await response.json());
    await route.fulfill({ response, json: { ...list, total: PAIRS_COUNTED + 1 } });
  });
  await page.goto(OPEN_PAIRS);
  await expect(page.getByRole('link', { name: /^Similarity/ })).toHaveText(
    'Similarity1,000+ pairs to decide',
  );
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('1–10 of 1,000+');
  await pairRows(page).first().click();
  await expect(pairPanel(page).getByText('1 of 1,000+')).toBeVisible();
});

withSample('pairs have a verdict, and its reason is in the panel', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await expect(pairTable(page).getByRole('columnheader', { name: 'AI Review' })).toBeVisible();
  await expect(pairRows(page).first()).toContainText('Identical');
  const judged = pairRows(page).nth(2);
  await expect(judged).toContainText(/Duplicate|Likely same|Overlapping|Unrelated|Undecided/);
  await judged.click();
  const review = pairPanel(page).getByRole('region', { name: 'AI Review' });
  await expect(review).toContainText(/\d+% confidence/);
  await expect(review).toContainText('Built-in analyst');
  await expect(review).toContainText(/Both titles mention|Both quote/);
});

withSample(
  'a verdict that fails to load is shown as undecided, and the rest of the list stays',
  async ({ page }) => {
    await page.route('**/api/v1/issue-duplicates/check-batch', (route) => route.abort());
    await page.goto(OPEN_PAIRS);
    await expect(pairRows(page).nth(2)).toContainText('Undecided');
    await pairRows(page).nth(2).click();
    await expect(pairPanel(page).getByText('Could not load verdict.')).toBeVisible();
  },
);

withSample('filters without a match say so and can be cleared there', async ({ page }) => {
  await page.goto('/console/issues?query=nothing-has-this-name');
  await expect(page.getByText('No duplicate issues found for the current filters.')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Clear all' }).last().click();
  await expect(pairRows(page)).toHaveCount(10);
});

withSample('a page past the end links to the last one', async ({ page }) => {
  await page.goto('/console/issues?page=9999');
  await page.getByRole('link', { name: 'Go to the last page' }).click();
  await expect(pairRows(page).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
});

withSample('a list that fails to load shows the reason and request, and Retry loads it', async ({ page }) => {
  const failing = '**/api/v1/issue-duplicates?*';
  await page.route(failing, (route) =>
    route.fulfill({
      status: 500,
      json: {
        detail: 'The server could not do this. It has been noted.',
        code: 'internal',
        request_id: 'req-1234',
      },
    }),
  );
  await page.goto(OPEN_PAIRS);
  const failure = page.getByRole('alert').filter({ hasText: 'The server could not do this.' });
  await expect(failure).toBeVisible();
  await expect(failure.getByText('req-1234')).toBeVisible();
  await page.unroute(failing);
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(pairRows(page)).toHaveCount(10);
  await expect(failure).toBeHidden();
});

withSample('a chart that fails to load does not affect the list', async ({ page }) => {
  await page.route('**/api/v1/project-duplicate-stats*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(OPEN_PAIRS);
  await expect(page.getByRole('alert').filter({ hasText: 'Error:' })).toBeVisible();
  await expect(pairRows(page)).toHaveCount(10);
});

withSample('a loading list reserves its space and is announced', async ({ page }) => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/v1/issue-duplicates?*', async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto(OPEN_PAIRS);
  await expect(
    page.getByLabel('Loading similar issues').or(page.getByText('Loading similar issues')).first(),
  ).toBeAttached();
  await expect(pairTable(page)).toBeHidden();
  answer();
  await expect(pairRows(page)).toHaveCount(10);
});

withSample('only equal texts are called identical', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await expect(pairRow(page, samplePairs.identical).getByText('Identical')).toBeVisible();
  await expect(pairRow(page, samplePairs.identical).getByText('98%')).toBeVisible();
  await expect(pairRow(page, samplePairs.consoleError).getByText('Identical')).toBeHidden();
  const texts = await pairRows(page).allTextContents();
  const probabilities = texts.map((text) => Number(/(\d+)%/.exec(text)?.[1]));
  expect(probabilities).toEqual(probabilities.toSorted((one, other) => other - one));
  for (const [index, probability] of probabilities.entries()) {
    expect(texts[index]?.includes('Identical')).toBe(probability >= 98);
  }
});

withSample('a dismissed notice stays closed', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  const notice = page.getByText('Nothing is written to a tracker before you see the preview.');
  await page.getByRole('button', { name: 'Do not show this again' }).click();
  await expect(notice).toBeHidden();
  await page.reload();
  await expect(pairRows(page)).toHaveCount(10);
  await expect(notice).toBeHidden();
});

withSample(
  'the panel shows both texts, numbers shared passages alike, and previews the writes',
  async ({ page }) => {
    await page.goto(OPEN_PAIRS);
    await pairRow(page, samplePairs.consoleError).click();
    const panel = pairPanel(page);
    const numbers = (side: number) =>
      panel.getByRole('article').nth(side).locator('mark sup').allTextContents();
    await expect(panel.locator('mark sup').first()).toBeVisible();
    expect((await numbers(0)).toSorted()).toEqual((await numbers(1)).toSorted());
    for (const part of ['Title', 'Body', 'Error text'])
      await expect(panel.getByText(part, { exact: true })).toBeVisible();
    await expect(panel.getByText('Older', { exact: true })).toBeVisible();
    await expect(panel.getByText('3 writes', { exact: true })).toBeVisible();
    await expect(panel.getByText('Nothing is written yet')).toBeVisible();
  },
);

withSample(
  'each part of the similarity is explained, and an error printed by the console is one passage',
  async ({ page }) => {
    await page.goto(OPEN_PAIRS);
    await pairRow(page, samplePairs.consoleError).click();
    const parts = pairPanel(page).getByRole('region', { name: 'Similarity' });
    await expect(
      parts.getByText(/title and body most.*Error text counts as part of the body\.$/),
    ).toBeVisible();
    // Waits for the verdict. An arriving verdict moves the elements below it away from the mouse.
    await expect(pairPanel(page).getByText('confidence')).toBeVisible();
    await parts.getByRole('button', { name: 'What the parts measure' }).hover();
    const meanings = page.getByRole('tooltip');
    for (const part of ['Title', 'Body', 'Error text']) await expect(meanings).toContainText(`${part}: `);
    await expect(parts.getByRole('definition').filter({ hasText: 'None' })).toHaveCount(0);
  },
);

withSample('help opens above a pair that is shown in a drawer', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 800 });
  await page.goto(OPEN_PAIRS);
  await pairRows(page).first().click();
  await expect(pairPanel(page).getByRole('article')).toHaveCount(2);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  // Playwright clicks an element only if no other element covers it.
  await help.getByText('Next or previous pair').click();
  await help.getByRole('button', { name: 'Close' }).click();
  await expect(help).toBeHidden();
  await expect(pairPanel(page)).toBeVisible();
});

withSample('the two texts are side by side, and one below the other on a phone', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await pairRow(page, samplePairs.reworded).click();
  const texts = pairPanel(page).getByRole('article');
  const boxes = async () => {
    await expect(texts).toHaveCount(2);
    const [one, other] = await Promise.all([texts.nth(0).boundingBox(), texts.nth(1).boundingBox()]);
    if (one === null || other === null) throw new Error('The texts are not shown.');
    return { one, other };
  };
  const beside = await boxes();
  expect(beside.other.y).toBe(beside.one.y);
  expect(beside.other.x).toBeGreaterThanOrEqual(beside.one.x + beside.one.width);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(async () => {
      const { one, other } = await boxes();
      return other.y >= one.y + one.height && other.x === one.x && other.width > 350;
    })
    .toBe(true);
});

withSample('the panel moves through the list', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await pairRows(page).first().click();
  const panel = pairPanel(page);
  await expect(panel.getByRole('button', { name: 'Previous pair' })).toBeDisabled();
  await panel.getByRole('button', { name: 'Next pair' }).click();
  await expect(panel.getByText(/^2 of /)).toBeVisible();
  await expect(pairRows(page).nth(1)).toHaveAttribute('aria-current', 'true');
  await panel.getByRole('button', { name: 'Close panel' }).click();
  await expect(panel).toBeHidden();
});

withSample('a pair opens over the list on a phone, and closing it returns to the list', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(OPEN_PAIRS);
  await expect(pairRows(page)).toHaveCount(10);
  const before = await listedKeys(page);
  await pairRows(page).first().click();
  const drawer = pairPanel(page);
  await expect(drawer.getByRole('article')).toHaveCount(2);
  await drawer.getByRole('button', { name: 'Close panel' }).click();
  await expect(drawer).toBeHidden();
  expect(await listedKeys(page)).toEqual(before);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wider, 'nothing is wider than the screen').toBeLessThanOrEqual(0);
});
