import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { signIn } from '@winnow/tools/product/api.ts';
import { customerOfShop } from '../fixtures/shop.ts';
import { expect, signedIn, withSample } from '../fixtures/test.ts';

signedIn('a busy button retains the focus, and nothing is sent twice', async ({ page }) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let sent = 0;
  await page.route('**/api/v1/auth/users/me', async (route) => {
    if (route.request().method() === 'PUT') {
      sent += 1;
      await held;
    }
    await route.continue();
  });
  await page.goto('/console/settings/profile');
  const name = page.getByRole('textbox', { name: 'Full name' });
  const save = page.getByRole('button', { name: 'Save' });
  await name.fill('Ada');
  await save.press('Enter');
  await expect(save).toBeDisabled();
  await expect(save).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await name.press('Enter');
  await save.focus();
  release();
  await expect(page.getByText('Profile updated successfully.')).toBeVisible();
  await expect(save).toBeEnabled();
  await expect(save).toBeFocused();
  expect(sent).toBe(1);
});

withSample('the whole account is exported as one file without secrets', async ({ page, account }) => {
  await page.goto('/console/settings/profile');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe('winnow-account.tar.gz');
  const text = gunzipSync(await readFile(await file.path())).toString('latin1');
  expect(text).toContain('skua/sync');
  expect(text).toContain(account.email);
  expect(text).not.toContain('$argon2');
  await expect(page.getByText(/^Saved winnow-account\.tar\.gz \(.+\)\.$/)).toBeVisible();
});

signedIn(
  'deleting an account requires its name and password, and ends sign-in for good',
  async ({ page, product, account }) => {
    await page.goto('/console/settings/profile');
    await page.getByRole('button', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete account' });
    await dialog.getByLabel('Your username').fill('somebody else');
    await dialog.getByLabel('Current Password', { exact: true }).fill('not it');
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await expect(dialog.getByText('That is not your username.')).toBeVisible();
    await dialog.getByLabel('Your username').fill(account.username);
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await expect(dialog.getByText('Current password is incorrect.')).toBeVisible();
    await expect(dialog.getByText('Reference')).toHaveCount(0);
    await dialog.getByLabel('Current Password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await expect(page).toHaveURL('/');
    await expect(signIn(product.url, account.username, account.password)).rejects.toThrow('401');
  },
);

customerOfShop('deleting a paying account shows what ends', async ({ page }) => {
  await page.goto('/console/settings/subscription');
  await page.getByRole('button', { name: 'Get Pro' }).click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.goto('/console/settings/profile');
  await expect(page.getByText('cancels your subscription immediately without a refund')).toBeVisible();
  await page.getByRole('button', { name: 'Delete account…' }).click();
  await expect(page.getByRole('dialog', { name: 'Delete account' })).toContainText(
    'Your Pro subscription ends now, without a refund.',
  );
});

signedIn('details that cannot be loaded or saved show an error', async ({ page }) => {
  let isBroken = true;
  await page.route('**/api/v1/auth/users/me', (route) =>
    isBroken
      ? route.fulfill({ status: 500, json: { detail: 'Broken.', code: 'broken', request_id: 'r-1' } })
      : route.continue(),
  );
  await page.goto('/console/settings/profile');
  await expect(page.getByRole('alert')).toContainText('Failed to load account details.');
  isBroken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ada');
  isBroken = true;
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to update profile.');
});
