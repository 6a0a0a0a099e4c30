import type { Page } from '@playwright/test';
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
