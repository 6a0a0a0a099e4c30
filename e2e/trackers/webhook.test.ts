import { trackerWebhook } from '@winnow/contract/tracker';
import { connect } from '@winnow/tools/browser/account.ts';
import { openEditTracker } from '@winnow/tools/browser/trackers.ts';
import { expectNoViolations } from '../accessibility/no-violations.ts';
import { expect, signedIn } from '../fixtures/test.ts';

signedIn(
  'the edit dialog of a tracker explains how to create a webhook manually, and fits a phone',
  async ({ page, account, github }) => {
    const { small, emulator } = github;
    const { id, name } = await connect(account, {
      name: 'Work',
      type: 'github',
      url: emulator.url,
      api_key: small.token,
      scope_rules: [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: small.owner }],
      config: {},
    });
    const needed = await account.api.get(`/trackers/${id}/webhook`, trackerWebhook);
    await page.addInitScript(() => localStorage.setItem('theme', 'system'));
    await page.goto('/console/trackers');
    const dialog = await openEditTracker(page, name);
    const section = dialog.getByRole('group').filter({ hasText: 'Webhook' });
    await expect(section.getByText('Not set up')).toBeVisible();
    await expect(section.getByText('Winnow works without a webhook')).toBeHidden();
    await section.getByText('Webhook', { exact: true }).click();
    await expect(section.getByText('Winnow works without a webhook')).toBeVisible();
    await expect(section.getByText('No event received yet.')).toBeVisible();
    await expect(section.getByLabel('Address', { exact: true })).toHaveValue(needed.url);
    await expect(section.getByLabel('Secret', { exact: true })).toHaveValue(needed.secret);
    await expect(section.getByText('application/json')).toBeVisible();
    for (const event of needed.events) await expect(section.getByText(event, { exact: true })).toBeVisible();

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await section.getByRole('button', { name: 'Copy the secret' }).click();
    await expect(section.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(1);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(needed.secret);

    await section.getByRole('button', { name: 'Replace the secret' }).click();
    await section.getByRole('button', { name: 'Cancel' }).click();
    await expect(section.getByLabel('Secret', { exact: true })).toHaveValue(needed.secret);
    await section.getByRole('button', { name: 'Replace the secret' }).click();
    await section.getByRole('button', { name: 'Replace', exact: true }).click();
    await expect(
      section.getByText(/^The previous secret stops working in (1 day|23 hours)\.$/),
    ).toBeVisible();
    const { secret } = await account.api.get(`/trackers/${id}/webhook`, trackerWebhook);
    expect(secret).not.toBe(needed.secret);
    await expect(section.getByLabel('Secret', { exact: true })).toHaveValue(secret);

    const sizes = [
      { width: 1440, height: 900 },
      { width: 360, height: 780 },
    ];
    await expectNoViolations(page, sizes);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  },
);
