import { scopeRule, tracker } from '@winnow/contract/tracker';
import { smallSeedTokens } from '@winnow/emulators/github/small-seed';
import { connect, fillWithSample } from '@winnow/tools/browser/account.ts';
import {
  fillConnection,
  openEditTracker,
  openNewTracker,
  organizationLine,
  projectLine,
  trackerCard,
} from '@winnow/tools/browser/trackers.ts';
import { trackerRequest } from '../fixtures/github.ts';
import { expect, signedIn } from '../fixtures/test.ts';

signedIn(
  'a connection is verified before the scope step, and errors appear beside the form',
  async ({ page, github }) => {
    await page.goto('/console/trackers');
    const dialog = await openNewTracker(page);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await expect(dialog.getByText('Enter a name.')).toBeVisible();
    await expect(dialog.getByText('Enter an API key.')).toBeVisible();
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await dialog.getByLabel('Name').fill('Work');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await expect(dialog.getByLabel('API Key', { exact: true })).toBeFocused();
    await expect(dialog.getByLabel('URL')).toHaveValue('https://github.com');

    await fillConnection(dialog, { name: 'Work', url: github.emulator.url, token: 'ghp_mistyped' });
    await expect(dialog.getByRole('alert')).toHaveText(/token/i);
    await expect(dialog).toHaveAccessibleName('Add New Tracker');
    await expect(dialog.getByLabel('Name'), 'form values stay').toHaveValue('Work');

    await fillConnection(dialog, { url: 'http://192.168.7.7' });
    await expect(dialog.getByRole('alert')).toHaveText(/OUTBOUND_ALLOWED_HOSTS/);
  },
);

signedIn('the scope is selected in a tree and stored as rules', async ({ page, account, github }) => {
  await page.goto('/console/trackers');
  const dialog = await openNewTracker(page);
  await fillConnection(dialog, { name: 'Kitchen', url: github.emulator.url, token: github.small.token });
  await expect(dialog).toHaveAccessibleName('Configure Project Scope');
  await expect(dialog.getByLabel('Include future projects')).toBeChecked();

  const organization = organizationLine(dialog, github.small.owner);
  const selectAll = dialog.getByLabel('Select All');
  await selectAll.click();
  await expect(selectAll).toBeChecked();
  await expect(organization).toHaveAttribute('aria-checked', 'true');
  await selectAll.click();
  await expect(organization).toHaveAttribute('aria-checked', 'false');

  await organization.click();
  const server = projectLine(dialog, 'ladle-server');
  await expect(projectLine(dialog, 'ladle')).toHaveAttribute('aria-checked', 'true');
  await server.click();
  await expect(server).toHaveAttribute('aria-checked', 'false');
  await expect(organization).toHaveAttribute('aria-checked', 'mixed');

  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect(dialog.getByLabel('Name')).toHaveValue('Kitchen');
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect(organization, 'going back keeps the selection').toHaveAttribute('aria-checked', 'mixed');

  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog).toBeHidden();
  const card = trackerCard(page, 'Kitchen');
  await expect(card.getByText(/^Up to date/)).toBeVisible();
  await expect(card.getByText('GitHub', { exact: true })).toBeVisible();
  await expect(card.getByText(/^Created: /)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add New Tracker' })).toBeFocused();

  const [stored] = await account.api.get('/trackers', tracker.array());
  expect(stored?.scope_rules.map((rule) => scopeRule.omit({ id: true }).parse(rule))).toEqual([
    { rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'ladle-app' },
    { rule_type: 'EXCLUDE', scope_type: 'PROJECT', identifier: 'ladle-app/ladle-server' },
  ]);
});

signedIn('without future projects only the selected ones become rules', async ({ page, account, github }) => {
  await page.goto('/console/trackers');
  const dialog = await openNewTracker(page);
  await fillConnection(dialog, { name: 'Kitchen', url: github.emulator.url, token: github.small.token });
  await organizationLine(dialog, github.small.owner).click();
  await dialog.getByLabel('Include future projects').uncheck();
  const server = projectLine(dialog, 'ladle-server');
  await expect(server).toHaveAttribute('aria-checked', 'true');
  await server.click();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(trackerCard(page, 'Kitchen')).toBeVisible();
  const [stored] = await account.api.get('/trackers', tracker.array());
  expect(stored?.scope_rules.map((rule) => scopeRule.omit({ id: true }).parse(rule))).toEqual([
    { rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'ladle-app' },
    { rule_type: 'INCLUDE', scope_type: 'PROJECT', identifier: 'ladle-app/ladle' },
  ]);
});

signedIn('an edited tracker retains its key, which is never displayed', async ({ page, account, github }) => {
  await connect(account, trackerRequest(github.emulator, github.small));
  await page.goto('/console/trackers');
  const dialog = await openEditTracker(page, 'Kitchen');
  const key = dialog.getByRole('textbox', { name: 'API Key' });
  await expect(key).toHaveAttribute('placeholder', 'unchanged');
  await expect(key).toHaveValue('');
  await expect(dialog.getByLabel('URL')).toHaveValue(github.emulator.url);
  await fillConnection(dialog, { name: 'Kitchen again' });
  await expect(organizationLine(dialog, github.small.owner)).toHaveAttribute('aria-checked', 'true');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(trackerCard(page, 'Kitchen again')).toBeVisible();
});

signedIn(
  'a tracker name that is already taken is refused, and the dialog stays open',
  async ({ page, account, github }) => {
    await connect(account, { name: 'Kitchen', type: 'sample' });
    await page.goto('/console/trackers');
    const dialog = await openNewTracker(page);
    await fillConnection(dialog, { name: 'kitchen', url: github.emulator.url, token: github.small.token });
    await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog).toHaveAccessibleName('Add New Tracker');
  },
);

signedIn('deleting a tracker requires typing its name and confirming', async ({ page, account }) => {
  await connect(account, { name: 'Old backlog', type: 'sample' });
  await page.goto('/console/trackers');
  await trackerCard(page, 'Old backlog').getByRole('button', { name: 'Delete Old backlog' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm Deletion' });
  await expect(dialog.getByText('Are you sure you want to delete the tracker "Old backlog"?')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(trackerCard(page, 'Old backlog')).toBeVisible();

  await trackerCard(page, 'Old backlog').getByRole('button', { name: 'Delete Old backlog' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(trackerCard(page, 'Old backlog')).toBeHidden();
  await expect(page.getByText('Connect your first tracker')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add New Tracker' })).toBeFocused();
  expect(await account.api.get('/trackers', tracker.array())).toEqual([]);
});

signedIn(
  'a revoked token is reported on the card, and the list of trackers can be refreshed',
  async ({ page, account, github }) => {
    const token = 'ghp_revoked_later';
    github.emulator.setToken({ token, login: 'mira-holt', scopes: ['repo', 'read:org'], repos: 'all' });
    await connect(account, trackerRequest(github.emulator, { ...github.small, token }));
    await page.goto('/console/trackers');
    const card = trackerCard(page, 'Kitchen');
    await expect(card.getByText(/^Up to date/)).toBeVisible();
    github.emulator.revokeToken(token);
    await card.getByRole('button', { name: /^Sync/ }).click();
    await expect(card.getByText(/token/i).first()).toBeVisible();

    await page.route('**/api/v1/trackers', (route) => route.fulfill({ status: 500, json: {} }));
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('Failed to fetch trackers');
    await page.unroute('**/api/v1/trackers');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(card).toBeVisible();
  },
);

signedIn(
  'a token with unknown write permissions is marked as unchecked in the dialog and on the card',
  async ({ page, github }) => {
    await page.goto('/console/trackers');
    const dialog = await openNewTracker(page);
    await fillConnection(dialog, {
      name: 'Kitchen',
      url: github.emulator.url,
      token: smallSeedTokens.readOnly,
    });
    await expect(
      dialog.getByText(/^Connected as tomasz-r\. Whether this token may write .* cannot be checked/),
    ).toBeVisible();
    await organizationLine(dialog, github.small.owner).click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    const card = trackerCard(page, 'Kitchen');
    await expect(card.getByText(/^Up to date/)).toBeVisible();
    await expect(card.getByText(/Whether this token may write .* cannot be checked/)).toBeVisible();
    await expect(card.getByText('Connected', { exact: true })).toBeHidden();
  },
);

signedIn(
  'an empty scope is not saved, and the reason is shown beside it',
  async ({ page, github, account }) => {
    await page.goto('/console/trackers');
    const dialog = await openNewTracker(page);
    await fillConnection(dialog, { name: 'Kitchen', url: github.emulator.url, token: github.small.token });
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Select at least one organization. Without one, nothing would be read.',
    );
    expect(await account.api.get('/trackers', tracker.array())).toEqual([]);

    const message = 'Include at least one organization. Without one, nothing would be read.';
    const refusal = {
      detail: `scope_rules: ${message}`,
      code: 'invalid_fields',
      fields: [{ path: 'scope_rules', message }],
      request_id: 'req-1',
    };
    await page.route('**/api/v1/trackers', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 422, json: refusal }) : route.fallback(),
    );
    await organizationLine(dialog, github.small.owner).click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(message);
    await expect(dialog).toHaveAccessibleName('Configure Project Scope');
  },
);

signedIn('a sample that another tab has just created counts as success', async ({ page, account }) => {
  await page.goto('/console/trackers');
  const button = page.getByRole('button', { name: 'Explore with sample data' });
  await expect(button).toBeVisible();
  // The list of trackers stays empty until the click, so that this tab does not learn of the change
  // earlier.
  let isHidden = true;
  await page.route('**/api/v1/trackers', (route) => {
    if (route.request().method() === 'POST') isHidden = false;
    return isHidden ? route.fulfill({ json: [] }) : route.fallback();
  });
  await fillWithSample(account);
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await button.click();
  expect((await answer).status()).toBe(409);
  await expect(trackerCard(page, 'Sample backlog')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  expect(await account.api.get('/trackers', tracker.array())).toHaveLength(1);
});

signedIn(
  'deleting a tracker that another tab has deleted counts as success',
  async ({ page, account, product }) => {
    const { id } = await connect(account, { name: 'Old backlog', type: 'sample' });
    await page.goto('/console/trackers');
    await trackerCard(page, 'Old backlog').getByRole('button', { name: 'Delete Old backlog' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm Deletion' });
    // Retries, because a tracker cannot be deleted during a write.
    await expect(async () => {
      const { status } = await fetch(`${product.url}/api/v1/trackers/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${account.api.accessToken}` },
      });
      expect(status).toBe(204);
    }).toPass();
    const answer = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    expect((await answer).status()).toBe(404);
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Connect your first tracker')).toBeVisible();
  },
);

signedIn(
  'deleting a tracker during a write is refused, and the dialog gives the reason',
  async ({ page, account }) => {
    await connect(account, { name: 'Old backlog', type: 'sample' });
    await page.goto('/console/trackers');
    await trackerCard(page, 'Old backlog').getByRole('button', { name: 'Delete Old backlog' }).click();
    const refusal = { detail: 'A decision is being written.', code: 'tracker_busy', request_id: 'req-1' };
    await page.route('**/api/v1/trackers/*', (route) => route.fulfill({ status: 409, json: refusal }));
    const dialog = page.getByRole('dialog', { name: 'Confirm Deletion' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog.getByRole('alert')).toContainText('A decision is being written.');
  },
);
