import type { Page } from '@playwright/test';
import { apiKeyList, createdApiKey } from '@winnow/contract/api-key';
import { flow, flowList } from '@winnow/contract/flow';
import { signIn } from '@winnow/tools/product/api.ts';
import { expect, signedIn } from '../fixtures/test.ts';

async function fill(page: Page, current: string, wanted: string, confirmed = wanted): Promise<void> {
  await page.getByLabel('Current Password', { exact: true }).fill(current);
  await page.getByLabel('New Password', { exact: true }).fill(wanted);
  await page.getByLabel('Confirm New Password', { exact: true }).fill(confirmed);
  await page.getByRole('button', { name: 'Change Password' }).click();
}

signedIn(
  'changing the password ends the old password and other sessions, but not this session',
  async ({ page, product, account }) => {
    const elsewhere = await signIn(product.url, account.username, account.password);
    await page.goto('/console/settings/security');
    await fill(page, account.password, 'another long secret');
    await expect(page.getByText('Password changed successfully.')).toBeVisible();
    await expect(page.getByLabel('New Password', { exact: true })).toHaveValue('');
    await expect(signIn(product.url, account.username, account.password)).rejects.toThrow('401');
    const renewed = fetch(`${product.url}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: elsewhere.refreshToken }),
    });
    expect((await renewed).status).toBe(401);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Change Password' })).toBeVisible();
  },
);

signedIn(
  'an invalid new password is reported beside its field, and a wrong current one by the server',
  async ({ page, account }) => {
    await page.goto('/console/settings/security');
    await fill(page, account.password, 'short', 'shirt');
    await expect(page.getByText('New password must be at least 8 characters.')).toBeVisible();
    await expect(page.getByText('New passwords do not match.')).toBeVisible();
    await fill(page, 'not the password', 'another long secret');
    await expect(page.getByText('Failed to change password: Current password is incorrect.')).toBeVisible();
    await expect(page.getByLabel('New Password', { exact: true })).toHaveValue('another long secret');
    await page.getByRole('button', { name: 'Show or hide the new password', exact: true }).click();
    await expect(page.getByLabel('New Password', { exact: true })).toHaveAttribute('type', 'text');
  },
);

signedIn('a changed password revokes keys and stops flows if that is chosen', async ({ page, account }) => {
  const { api } = account;
  await api.send('POST', '/auth/api-keys', { name: 'Build' }, createdApiKey);
  const writing = { name: 'Greeter', builtin_actions: ['flag_duplicates'], write_mode: 'apply' };
  await api.send('POST', '/flows', { ...writing, is_enabled: true }, flow);
  await page.goto('/console/settings/security');
  await page.getByRole('checkbox', { name: /^Revoke API keys/ }).check();
  await page.getByRole('checkbox', { name: /^Switch off flows that write/ }).check();
  await fill(page, account.password, 'another long secret');
  await expect(page.getByText('Password changed successfully.')).toBeVisible();
  expect(await api.get('/auth/api-keys', apiKeyList)).toEqual([]);
  const [greeter] = await api.get('/flows', flowList);
  expect(greeter).toMatchObject({ name: 'Greeter', is_enabled: false });
});

signedIn('sessions are listed, and one or all others are ended', async ({ page, product, account }) => {
  for (let device = 0; device < 3; device += 1) {
    await signIn(product.url, account.username, account.password);
  }
  await page.goto('/console/settings/security');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions.filter({ hasText: 'This session' })).toHaveCount(1);
  const before = await sessions.count();
  expect(before).toBeGreaterThan(3);
  await sessions
    .getByRole('button', { name: /^End the session on/ })
    .first()
    .click();
  await expect(sessions).toHaveCount(before - 1);
  await page.getByRole('button', { name: 'End all others' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click();
  await expect(sessions).toHaveCount(1);
  await expect(page.getByText(/^Signed in/).first()).toBeVisible();
});
