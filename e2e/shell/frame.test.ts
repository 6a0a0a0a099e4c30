import type { Locator, Page } from '@playwright/test';
import { issuePanel } from '@winnow/tools/browser/compliance.ts';
import { pairRows } from '@winnow/tools/browser/similarity.ts';
import { expect, signedIn, test, withSample } from '../fixtures/test.ts';
import { storeBeforeStart } from '../screens/access.ts';

const PALETTE_FIELD = 'Go to a screen, a project or an issue';

/** Opens the command palette by keyboard and returns its input field. */
async function openPalette(page: Page): Promise<Locator> {
  await page.goto('/console');
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await page.keyboard.press('Control+K');
  const field = page.getByRole('textbox', { name: PALETTE_FIELD });
  await expect(field).toBeFocused();
  return field;
}

withSample(
  'the sidebar below 768 px is a drawer that closes by a choice, Escape or a click outside',
  async ({ page }) => {
    await page.setViewportSize({ width: 767, height: 900 });
    await page.goto('/console');
    const opener = page.getByRole('button', { name: 'Open navigation' });
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeHidden();
    await opener.click();
    await expect(drawer.getByRole('navigation', { name: 'Console' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(opener).toBeFocused();
    await opener.click();
    await drawer.getByRole('link', { name: 'Trackers' }).click();
    await expect(drawer).toBeHidden();
    await expect(page).toHaveURL('/console/trackers');

    await page.setViewportSize({ width: 768, height: 900 });
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeVisible();
    await expect(opener).toBeHidden();
  },
);

withSample(
  'a message in the address is shown as text, can be closed, and is removed from the address',
  async ({ page }) => {
    await page.goto(
      `/console/issues?status=all&message=${encodeURIComponent('Your_plan_was_changed_<img_src=x>')}`,
    );
    const notice = page.getByRole('alert').filter({ hasText: 'Your plan was changed <img src=x>' });
    await expect(notice).toBeVisible();
    await expect(page, 'other parameters stay').toHaveURL('/console/issues?status=all');
    await notice.getByRole('button', { name: 'Close this message' }).click();
    await expect(notice).toBeHidden();

    await page.goto('/console/settings?message=Thank_you.');
    await expect(page.getByRole('alert').filter({ hasText: 'Thank you.' })).toBeVisible();
    await expect(page, 'after the redirect').toHaveURL('/console/settings/profile');
  },
);

withSample('Ctrl+K opens a screen by name', async ({ page }) => {
  const field = await openPalette(page);
  await page.keyboard.type('simil');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/console/issues');
  await expect(field).toBeHidden();
});

withSample('Ctrl+K opens the similar issues of a project and reports an empty search', async ({ page }) => {
  const field = await openPalette(page);
  await field.fill('zzz');
  await expect(page.getByText('No screen, project or issue found for “zzz”.')).toBeVisible();
  await field.fill('skua web');
  await page.getByRole('button', { name: /Skua Web/ }).click();
  await expect(page).toHaveURL(/\/console\/issues\?projects=[0-9a-f]{8}$/);
});

for (const [typed, key] of [
  ['skua/sync#1236', 'skua/sync#1236'],
  ['#1236', 'skua/sync#1236'],
  // This issue has no similar issues.
  ['skua/web#875', 'skua/web#875'],
  ['ERR_CHUNK_DIGEST', /skua\/sync#\d+/],
] as const) {
  withSample(`Ctrl+K opens the issue that ${typed} refers to, by keyboard alone`, async ({ page }) => {
    await openPalette(page);
    await page.keyboard.type(typed);
    const line = page.getByRole('button', { name: typeof key === 'string' ? `Open issue ${key}` : key });
    await expect(line.first()).toBeVisible();
    await expect(line.first(), 'the first line is selected although it arrived later').toHaveAttribute(
      'data-selected',
    );
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/console\/issues\/compliance\?query=/);
    const query = new URL(page.url()).searchParams.get('query') ?? '';
    expect(query).toMatch(key);
    await expect(issuePanel(page)).toContainText(query);
  });
}

withSample('Ctrl+K reports a search in progress, an unknown issue, and a failure', async ({ page }) => {
  const field = await openPalette(page);
  const status = page.getByRole('dialog', { name: 'Go to' }).getByRole('status');
  const answers = Promise.withResolvers<void>();
  await page.route('**/api/v1/search?*', async (route) => {
    await answers.promise;
    await route.continue();
  });
  await field.fill('skua/sync#999999');
  await expect(status).toHaveText('Searching issues…');
  answers.resolve();
  await expect(status).toHaveText('Issue skua/sync#999999 not found.');
  await field.fill('#999999');
  await expect(status).toHaveText('No issue key ends in #999999.');

  const refusal = { detail: 'Not now.', code: 'unavailable', request_id: 'req-1' };
  await page.route('**/api/v1/search?*', (route) => route.fulfill({ status: 400, json: refusal }));
  await field.fill('skua/sync#888888');
  await expect(status).toHaveText('Issues could not be searched. Not now.');
  await field.fill('trackers');
  await expect(page.getByRole('button', { name: 'Trackers' }), 'the rest still works').toBeVisible();
});

withSample(
  'a new screen focuses its heading and sets the tab title; a filter does neither',
  async ({ page }) => {
    await page.goto('/console');
    await page.getByRole('link', { name: /^Similarity/ }).click();
    await expect(page.getByRole('heading', { name: 'Issue Similarity' })).toBeFocused();
    await expect(page).toHaveTitle(/Issue Similarity.*Winnow/);
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect(page).toHaveURL(/page=2/);
    await expect(page.getByRole('heading', { name: 'Issue Similarity' })).not.toBeFocused();
  },
);

withSample('Tab reaches the content directly by the skip link', async ({ page }) => {
  await page.goto('/console/issues');
  await expect(pairRows(page)).toHaveCount(10);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

withSample('an unknown console address shows an error inside the frame', async ({ page }) => {
  await page.goto('/console/nowhere');
  await expect(page.getByText('Page not found')).toBeVisible();
  await expect(page).toHaveTitle(/Not found/);
  await page.getByRole('link', { name: 'Go to the Overview' }).click();
  await expect(page).toHaveURL('/console');
});

for (const colorScheme of ['dark', 'light'] as const) {
  for (const javaScriptEnabled of [true, false]) {
    test.describe(`outside the console, ${colorScheme}, scripts ${javaScriptEnabled ? 'on' : 'off'}`, () => {
      test.use({ colorScheme, javaScriptEnabled });

      for (const path of ['/nowhere', '/login/nowhere', '/%E0%A4%A']) {
        test(`${path} responds with 404 in the product’s design and links home`, async ({ page }) => {
          const answer = await page.goto(path);
          expect(answer?.status()).toBe(404);
          await expect(page.getByRole('heading', { name: 'Page not found', level: 1 })).toBeVisible();
          await expect(page).toHaveTitle('Not found · Winnow');
          const ground = colorScheme === 'dark' ? 'rgb(10, 12, 13)' : 'rgb(247, 248, 248)';
          await expect(page.locator('body')).toHaveCSS('background-color', ground);
          await expect(page.locator('body')).toHaveCSS('font-family', /Inter/);
          await page.getByRole('link', { name: 'Go to the home page' }).click();
          await expect(page).not.toHaveURL(path);
        });
      }
    });
  }
}

test('the 404 page uses the selected theme, whatever the system has', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await storeBeforeStart(page, { theme: 'light' });
  await page.goto('/nowhere');
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(247, 248, 248)');
});

withSample('a collapsed group of the sidebar stays collapsed', async ({ page }) => {
  await page.goto('/console');
  const group = page.getByRole('button', { name: 'Settings' });
  await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible();
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('link', { name: 'Profile' })).toBeHidden();
  await page.reload();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('link', { name: 'Profile' })).toBeHidden();
});

for (const [code, shown] of [
  ['plan_limit', true],
  ['rate_limited', false],
] as const) {
  withSample(
    `a call refused with ${code} ${shown ? 'opens' : 'does not open'} the upgrade dialog`,
    async ({ page }) => {
      await page.route('**/api/v1/issues-count', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '1' },
          json: { detail: 'Too much.', code, request_id: 'req-1' },
        }),
      );
      const refused = page.waitForResponse('**/api/v1/issues-count');
      await page.goto('/console');
      await refused;
      const dialog = page.getByRole('dialog', { name: 'Upgrade Your Plan' });
      if (!shown) {
        await expect(page.getByText('Could not be loaded.')).toBeVisible();
        await expect(dialog).toBeHidden();
        return;
      }
      await expect(dialog).toContainText(
        'You have exceeded the usage limits of your current plan. Please upgrade to continue using this feature.',
      );
      await expect(dialog.getByRole('link', { name: 'View Plans' })).toHaveAttribute(
        'href',
        '/console/pricing',
      );
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await expect(dialog).toBeHidden();
    },
  );
}

signedIn(
  'a new full name is saved and shown with the email in the header menu; username and email cannot be changed',
  async ({ page, account }) => {
    await page.goto('/console/settings/profile');
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(account.username);
    await expect(page.getByRole('textbox', { name: 'Username' })).not.toBeEditable();
    await expect(page.getByRole('textbox', { name: 'Email' })).not.toBeEditable();
    await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Profile updated successfully.')).toBeVisible();
    await page.getByRole('button', { name: /Ada Lovelace/ }).click();
    const menu = page.getByRole('menu');
    await expect(menu).toContainText('Ada Lovelace');
    await expect(menu).toContainText(account.email);
    await menu.getByRole('menuitem', { name: 'Profile' }).click();
    await expect(menu).toBeHidden();
  },
);

signedIn(
  'an unreachable server is reported at the action, and the same button works once it is back',
  async ({ page }) => {
    await page.goto('/console/trackers');
    const sample = page.getByRole('button', { name: 'Explore with sample data' });
    await expect(sample).toBeVisible();
    await page.route('**/api/v1/**', (route) => route.abort());
    await sample.click();
    await expect(page.getByRole('alert').filter({ hasText: 'Winnow could not be reached.' })).toBeVisible();
    await page.unroute('**/api/v1/**');
    await sample.click();
    await expect(page.getByRole('listitem', { name: 'Sample backlog', exact: true })).toBeVisible();
  },
);
