import type { CDPSession, Page } from '@playwright/test';
import { expectNoViolations } from '../accessibility/no-violations.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { signIn } from '../screens/access.ts';

/** Passkeys need a host name. The server's own address is an IP address. */
const passkeyTest = test.extend({
  baseURL: async ({ product }, use) => use(product.url.replace('127.0.0.1', 'localhost')),
});

/** A device with a fingerprint sensor, which the browser emulates. */
class Device {
  readonly #client: CDPSession;
  readonly #authenticatorId: string;

  constructor(client: CDPSession, authenticatorId: string) {
    this.#client = client;
    this.#authenticatorId = authenticatorId;
  }

  static async connect(page: Page): Promise<Device> {
    const client = await page.context().newCDPSession(page);
    await client.send('WebAuthn.enable');
    const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal' },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
        automaticPresenceSimulation: true,
      },
    });
    return new Device(client, authenticatorId);
  }

  /** False: each request for a passkey waits. */
  async setPresent(enabled: boolean): Promise<void> {
    await this.#client.send('WebAuthn.setAutomaticPresenceSimulation', {
      authenticatorId: this.#authenticatorId,
      enabled,
    });
  }

  /** False: the fingerprint is not the user's. */
  async setVerified(isUserVerified: boolean): Promise<void> {
    await this.#client.send('WebAuthn.setUserVerified', {
      authenticatorId: this.#authenticatorId,
      isUserVerified,
    });
  }
}

/** Signs the browser out without a request. */
async function forgetSession(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
}

passkeyTest(
  'a passkey is added, signs in without a password, is asked for after the password, and is removed',
  async ({ page, account }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'system'));
    const device = await Device.connect(page);
    await page.goto('/login');
    await signIn(page, account);
    await expect(page).toHaveURL('/console');
    await page.goto('/console/settings/security');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog');
    const password = dialog.getByLabel('Current Password', { exact: true });
    await expect(password).toBeFocused();
    await password.fill('not the password');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Current password is incorrect.')).toBeVisible();
    await password.fill(account.password);
    await page.keyboard.press('Enter');
    const name = dialog.getByLabel('Name');
    await expect(name).toHaveValue(/^Chrome/);
    await expectNoViolations(page, undefined, 'adding a passkey');
    await name.fill('');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Enter a name.')).toBeVisible();
    await name.fill('Test laptop');
    await dialog.getByRole('button', { name: 'Create passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
    const codes = (await dialog.getByText(/^[0-9a-z]{4}-/).innerText()).split('\n');
    expect(codes).toHaveLength(10);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: 'Add passkey' })).toBeFocused();
    const list = page.getByRole('list', { name: 'Passkeys' });
    await expect(list.getByText('Test laptop')).toBeVisible();
    await expect(page.getByText('Signing in with the password also needs a passkey.')).toBeVisible();
    await expectNoViolations(page, undefined, 'with a passkey');

    // The device must not take the offer in the username field before the button is pressed.
    await device.setPresent(false);
    await forgetSession(page);
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await expect(button).toBeVisible();
    await expectNoViolations(page, undefined, 'signing in');
    await device.setPresent(true);
    await button.click();
    await expect(page).toHaveURL('/console');

    await device.setVerified(false);
    await forgetSession(page);
    await signIn(page, account);
    await expect(page.getByRole('alert')).toContainText('No passkey was used');
    const recovery = page.getByLabel('Recovery code');
    await expectNoViolations(page, undefined, 'asking for a passkey');
    await recovery.fill('0000-0000-0000-0000');
    await page.keyboard.press('Enter');
    await expect(recovery).toHaveAccessibleDescription(/This code is wrong, or was used before\./);
    await expect(recovery).toBeFocused();
    await recovery.fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL('/console');

    await device.setVerified(true);
    await device.setPresent(false);
    await forgetSession(page);
    await page.getByLabel('Username').fill(account.username);
    await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
    await device.setPresent(true);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL('/console');

    await page.goto('/console/settings/security');
    await page.getByRole('button', { name: 'Rename the passkey Test laptop' }).click();
    await dialog.getByLabel('Name').fill('Work laptop');
    await dialog.getByRole('button', { name: 'Rename with passkey' }).click();
    await expect(list.getByText('Work laptop')).toBeVisible();

    await device.setVerified(false);
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click();
    await dialog.getByRole('button', { name: 'Remove with passkey' }).click();
    await expect(dialog.getByRole('alert')).toContainText('No passkey was used');
    await device.setVerified(true);
    await dialog.getByRole('button', { name: 'Remove with passkey' }).click();
    await expect(list).toBeHidden();
    await expect(page.getByRole('button', { name: 'Add passkey' })).toBeFocused();

    await forgetSession(page);
    await signIn(page, account);
    await expect(page).toHaveURL('/console');
    await page.goto('/console/settings/security');
    const activity = page.getByRole('list', { name: 'Recent activity' });
    for (const event of ['Passkey removed', 'Passkey renamed', 'Recovery code used', 'Passkey added']) {
      await expect(activity.getByText(event, { exact: true })).toBeVisible();
    }
    await expect(activity.getByText('With a passkey')).toBeVisible();
  },
);

signedIn('at an IP address, the settings say why there are no passkeys', async ({ page, product }) => {
  await page.goto('/console/settings/security');
  const link = page.getByRole('link', { name: product.url.replace('127.0.0.1', 'localhost') });
  await expect(link).toBeVisible();
  await expect(page.getByText('Browsers bind passkeys to a host name.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add passkey' })).toBeHidden();
});
