import type { Locator, Page } from '@playwright/test';
import { accountEventPage } from '@winnow/contract/account-activity';
import { authenticatorSetup, firstRecoveryCodes } from '@winnow/contract/second-factor';
import jsQR from 'jsqr';
import { Secret, TOTP, URI } from 'otpauth';
import { z } from 'zod';
import { expect, signedIn } from '../fixtures/test.ts';
import { signIn } from '../screens/access.ts';

const STEP_MS = 30_000;

/** Reads the QR code in an element like the camera of a phone would. */
async function readQrCode(page: Page, element: Locator): Promise<string> {
  const png = (await element.screenshot()).toString('base64');
  const { pixels, width, height } = await page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const image = context?.getImageData(0, 0, bitmap.width, bitmap.height);
    return { pixels: [...(image?.data ?? [])], width: bitmap.width, height: bitmap.height };
  }, png);
  return jsQR.default(Uint8ClampedArray.from(pixels), width, height)?.data ?? '';
}

signedIn(
  'an authenticator app is added, asked for at sign-in, replaced by a recovery code, and removed',
  async ({ page, account }) => {
    await page.goto('/console/settings/security');
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current Password', { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByText('Current password is incorrect.')).toBeVisible();
    await dialog.getByLabel('Current Password', { exact: true }).fill(account.password);
    await page.keyboard.press('Enter');

    const code = dialog.getByRole('textbox', { name: 'Code' });
    await expect(code).toBeFocused();
    const picture = dialog.getByRole('img', { name: 'QR code for your authenticator app' });
    const app = URI.parse(await readQrCode(page, picture));
    if (!(app instanceof TOTP)) throw new Error('The QR code is of another kind.');
    expect([app.issuer, app.label]).toEqual(['Winnow', account.username]);
    const key = dialog.locator('pre');
    await expect(key).toHaveText(app.secret.base32);
    const groups = await key.locator('span').allInnerTexts();
    expect(groups.every(({ length }) => length === 4)).toBe(true);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await key.click();
    await page.keyboard.press('ControlOrMeta+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(app.secret.base32);
    await code.focus();
    await code.fill('000000');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('This code is wrong, or was used before.')).toBeVisible();
    await code.fill(app.generate({ timestamp: Date.now() - STEP_MS }));
    await page.keyboard.press('Enter');

    await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
    const codes = (await dialog.getByText(/^[0-9a-z]{4}-/).innerText()).split('\n');
    expect(codes).toHaveLength(10);
    await page.keyboard.press('Escape');
    await expect(page.getByText('Leave without the recovery codes?')).toBeVisible();
    await page.getByRole('button', { name: 'Stay' }).click();
    const download = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('winnow-recovery-codes.txt');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
    const removeButton = page.getByRole('button', { name: 'Remove', exact: true });
    await expect(removeButton, 'the button that opened the dialog is gone').toBeFocused();

    await page.evaluate(() => localStorage.clear());
    await page.goto('/login');
    await signIn(page, account);
    const asked = page.getByRole('textbox', { name: 'Code' });
    await expect(asked).toBeFocused();
    await expect(page.getByRole('alert'), 'the password was right').toBeHidden();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByText('Enter the code.')).toBeVisible();
    await asked.fill('123456');
    await page.keyboard.press('Enter');
    await expect(asked).toHaveAccessibleDescription(/This code is wrong, or was used before\./);
    await expect(asked).toHaveAttribute('aria-invalid', 'true');
    await expect(asked).toBeFocused();
    await asked.fill(app.generate());
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/console');

    await page.evaluate(() => localStorage.clear());
    await page.goto('/login');
    await signIn(page, account);
    await asked.fill((codes[0] ?? '').toUpperCase());
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/console');
    await page.goto('/console/settings/security');
    await expect(page.getByText('9 recovery codes are left.')).toBeVisible();
    await expect(page.getByText('Recovery code used')).toBeVisible();

    await page.getByRole('button', { name: 'Replace recovery codes' }).click();
    await code.fill(codes[1] ?? '');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
    const renewed = (await dialog.getByText(/^[0-9a-z]{4}-/).innerText()).split('\n');
    expect(renewed.filter((one) => codes.includes(one))).toEqual([]);
    await dialog.getByRole('button', { name: 'Copy: Recovery codes' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: 'Replace recovery codes' })).toBeFocused();

    await removeButton.click();
    await code.fill(codes[2] ?? '');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('This code is wrong'), 'it was replaced').toBeVisible();
    await code.fill(renewed[0] ?? '');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Add authenticator app' })).toBeFocused();
    const { events } = await account.api.get('/auth/activity?limit=50', accountEventPage);
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => /factor|recovery/.test(kind))).toEqual([
      'second_factor_removed',
      'recovery_code_used',
      'recovery_codes_renewed',
      'recovery_code_used',
      'recovery_code_used',
      'second_factor_added',
    ]);
  },
);

signedIn(
  'a user with a second factor is asked for it before the password changes and the account is deleted',
  async ({ page, account }) => {
    const proof = { current_password: account.password };
    const path = '/auth/second-factors/authenticator';
    const { secret } = await account.api.send('POST', path, proof, authenticatorSetup);
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const first = { code: app.generate({ timestamp: Date.now() - STEP_MS }) };
    await account.api.send('POST', `${path}/confirm`, first, firstRecoveryCodes);

    await page.goto('/console/settings/security');
    await page.getByLabel('Current Password', { exact: true }).fill(account.password);
    await page.getByLabel('New Password', { exact: true }).fill('another long secret 7');
    await page.getByLabel('Confirm New Password', { exact: true }).fill('another long secret 7');
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(page.getByText('Enter the code.')).toBeVisible();
    const code = page.getByRole('textbox', { name: 'Code' });
    await code.fill('000000');
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(page.getByText('This code is wrong, or was used before.')).toBeVisible();
    await code.fill(app.generate());
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(page.getByText('Password changed successfully.')).toBeVisible();

    await page.goto('/console/settings/profile');
    await page.getByRole('button', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your username').fill(account.username);
    await dialog.getByLabel('Current Password', { exact: true }).fill('another long secret 7');
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await expect(dialog.getByText('Enter the code.')).toBeVisible();
    await dialog
      .getByRole('textbox', { name: 'Code' })
      .fill(app.generate({ timestamp: Date.now() + STEP_MS }));
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await expect(page).toHaveURL('/');
  },
);

signedIn('an app that was removed in another tab leaves no dead end', async ({ page, account }) => {
  const proof = { current_password: account.password };
  const path = '/auth/second-factors/authenticator';
  const { secret } = await account.api.send('POST', path, proof, authenticatorSetup);
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const first = { code: app.generate({ timestamp: Date.now() - STEP_MS }) };
  await account.api.send('POST', `${path}/confirm`, first, firstRecoveryCodes);
  await page.goto('/console/settings/security');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await account.api.send('POST', `${path}/remove`, { code: app.generate() }, z.null());
  await page.getByRole('textbox', { name: 'Code' }).last().fill('123456');
  await page.keyboard.press('Enter');
  await expect(page.getByText('It was removed in another tab or browser.')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add authenticator app' })).toBeFocused();
});
