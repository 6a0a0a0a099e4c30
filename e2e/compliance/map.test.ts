import type { Page } from '@playwright/test';
import { isInRegion, issueMap as mapAnswer, mapRegion } from '@winnow/contract/search';
import { issueMap, issuePanel, issueRows, issueTable, openMap } from '@winnow/tools/browser/compliance.ts';
import { filterTag } from '@winnow/tools/browser/similarity.ts';
import { expect, withSample } from '../fixtures/test.ts';

/** Drags a rectangle on the map. The corners are fractions of the map’s width and height. */
async function brush(page: Page, [left, upper]: [number, number], [right, lower]: [number, number]) {
  const box = await issueMap(page).boundingBox();
  if (box === null) throw new Error('The map is not shown.');
  await page.mouse.move(box.x + box.width * left, box.y + box.height * upper);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * right, box.y + box.height * lower, { steps: 4 });
  await page.mouse.up();
}

/** Returns the keys of all listed issues, page by page. */
async function listedKeys(page: Page): Promise<string[]> {
  const keys: string[] = [];
  for (let number = 1; ; number += 1) {
    await expect(page.getByText(new RegExp(`^Page ${number} of`))).toBeVisible();
    await expect(issueTable(page)).toHaveAttribute('aria-busy', 'false');
    const shown = issueRows(page).locator('td:first-child [title]');
    keys.push(...(await shown.evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title') ?? ''))));
    const next = page.getByRole('link', { name: 'Next page' });
    if ((await next.count()) === 0) return keys;
    await next.click();
  }
}

withSample(
  'a brushed region lists exactly its issues and is stored in the address',
  async ({ page, account }) => {
    await openMap(page);
    await brush(page, [0.02, 0.02], [0.5, 0.98]);
    await expect(page).toHaveURL(/[?&]region=/);
    const address = page.url();
    const region = mapRegion.parse(new URL(address).searchParams.get('region'));
    const { data } = await account.api.get('/embeddings?status=opened', mapAnswer);
    const inside = data.filter((point) => isInRegion(region, point)).map(({ issue_key: key }) => key);
    expect(inside.length).toBeGreaterThan(10);
    expect(inside.length).toBeLessThan(data.length);
    await expect(filterTag(page, 'Region')).toContainText(`${inside.length} issues`);
    expect((await listedKeys(page)).toSorted()).toEqual(inside.toSorted());

    await page.goto(address);
    await page.reload();
    await expect(filterTag(page, 'Region')).toContainText(`${inside.length} issues`);
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('List').click();
    await expect(page).toHaveURL(/compliance\?region=/);
    await expect(filterTag(page, 'Region')).toContainText(`${inside.length} issues`);
    // Waits until the map is hidden. The address changes earlier than the screen, and the key acts
    // on the displayed screen.
    await expect(issueMap(page)).toBeHidden();
    await page.keyboard.press('m');
    await expect(issueMap(page)).toBeVisible();

    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect(page).toHaveURL('/console/issues/compliance?view=map');
    await expect(filterTag(page, 'Region')).toBeHidden();
    await page.goBack();
    await expect(filterTag(page, 'Region')).toContainText(`${inside.length} issues`);
  },
);

withSample('a point opens by mouse, and everything works by keyboard', async ({ page }) => {
  await openMap(page);
  const map = issueMap(page);
  await map.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const said = page.getByRole('status').filter({ hasText: /Theme: |No theme/ });
  const key = /^(\S+#\d+): /.exec((await said.textContent()) ?? '')?.[1] ?? '';
  expect(key).not.toBe('');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/selectedIssue=/);
  await expect(issuePanel(page)).toContainText(key);
  await page.keyboard.press('Escape');
  await expect(issuePanel(page)).toBeHidden();

  const ring = map.locator('circle').last();
  const [x, y] = [Number(await ring.getAttribute('cx')), Number(await ring.getAttribute('cy'))];
  await map.hover({ position: { x, y } });
  await map.click({ position: { x, y } });
  await expect(page).toHaveURL(/selectedIssue=/);
  await page.keyboard.press('Escape');

  await map.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(filterTag(page, 'Region')).toContainText(/[2-9] issues|\d\d issues/);
  const first = page.url();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(page).not.toHaveURL(first);
  await page.keyboard.press('Delete');
  await expect(filterTag(page, 'Region')).toBeHidden();
  await expect(page).toHaveURL('/console/issues/compliance?view=map');
});

withSample('zooming and panning change the view but not the list', async ({ page }) => {
  await openMap(page);
  const map = issueMap(page);
  await map.focus();
  await page.keyboard.press('ArrowRight');
  const ring = map.locator('circle').last();
  const before = await ring.getAttribute('cx');
  await page.getByRole('button', { name: 'Zoom in', exact: true }).click();
  await expect(ring).not.toHaveAttribute('cx', before ?? '');
  const showAll = page.getByRole('button', { name: 'Show all', exact: true });
  await showAll.click();
  await expect(ring).toHaveAttribute('cx', before ?? '');
  await map.hover({ position: { x: 5, y: 5 } });
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await expect(ring).not.toHaveAttribute('cx', before ?? '');
  await showAll.click();
  await expect(ring).toHaveAttribute('cx', before ?? '');
  await page.getByRole('button', { name: 'Drag to move the map' }).click();
  await brush(page, [0.3, 0.3], [0.5, 0.4]);
  await expect(ring).not.toHaveAttribute('cx', before ?? '');
  await expect(page).toHaveURL('/console/issues/compliance?view=map');
});

withSample('colors show the theme or the score, and a search highlights its matches', async ({ page }) => {
  await openMap(page);
  await expect(page.getByRole('list', { name: 'Colors by theme' })).toContainText('No theme');
  await page.getByRole('radiogroup', { name: 'Color by' }).getByText('DoR').click();
  await expect(page).toHaveURL(/[?&]color=score/);
  await expect(page.getByRole('list', { name: 'Colors by score' })).toContainText(/Above 80%|Above 50%/);
  await page.getByRole('searchbox', { name: 'Search issues' }).fill('link');
  await page.getByRole('searchbox', { name: 'Search issues' }).press('Enter');
  await expect(page.getByText(/^\d+ of \d+ issues match the search/)).toBeVisible();
});

withSample(
  'a map that is not ready yet appears without reloading, and a failed one can be retried',
  async ({ page }) => {
    const refuse = (status: number) =>
      page.route('**/api/v1/embeddings?*', (route) =>
        route.fulfill({ status, json: { detail: 'Not now.', code: 'unavailable', request_id: 'req-88' } }),
      );
    await refuse(503);
    await page.goto('/console/issues/compliance?view=map');
    await expect(page.getByText('Preparing the map')).toBeVisible();
    await page.unroute('**/api/v1/embeddings?*');
    await expect(issueMap(page)).toBeVisible();

    await refuse(409);
    await page.reload();
    const failure = page.getByRole('alert').filter({ hasText: 'The map could not be loaded' });
    await expect(failure).toContainText('req-88');
    await page.unroute('**/api/v1/embeddings?*');
    await failure.getByRole('button', { name: 'Retry' }).click();
    await expect(issueMap(page)).toBeVisible();
  },
);

withSample('two issues are too few for a map', async ({ page }) => {
  await page.route('**/api/v1/embeddings?*', async (route) => {
    const answer = await route.fetch();
    const { data, ...rest } = await answer.json();
    await route.fulfill({ response: answer, json: { ...rest, data: data.slice(0, 2) } });
  });
  await page.goto('/console/issues/compliance?view=map');
  await expect(page.getByText('A map needs three issues or more')).toBeVisible();
  await expect(issueRows(page)).toHaveCount(10);
});

withSample('a map that is loading says so', async ({ page }) => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/v1/embeddings?*', async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto('/console/issues/compliance?view=map');
  await expect(page.getByText('Loading the map…')).toBeVisible();
  answer();
  await expect(issueMap(page)).toBeVisible();
  await expect(page.getByText('Loading the map…')).toBeHidden();
});
