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

/** Signs in with the password, and opens the dialog for a new passkey at the step for its name. */
async function startPasskey(page: Page, account: { username: string; password: string }) {
  await page.goto('/login');
  await signIn(page, account);
  await expect(page).toHaveURL('/console');
  await page.goto('/console/settings/security');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const password = page.getByRole('dialog').getByLabel('Current Password', { exact: true });
  await expect(password).toBeFocused();
  await password.fill(account.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue(/^Chrome/);
}

/** Creates the passkey, and returns the recovery codes that are shown. */
async function createPasskey(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Test laptop');
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  const codes = (await dialog.getByText(/^[0-9a-z]{4}-/).innerText()).split('\n');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Add passkey' })).toBeFocused();
  return codes;
}

passkeyTest('a passkey is added with a name, and signs in without a password', async ({ page, account }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'system'));
  const device = await Device.connect(page);
  await startPasskey(page, account);
  const dialog = page.getByRole('dialog');
  await expectNoViolations(page, undefined, 'adding a passkey');
  await dialog.getByLabel('Name').fill('');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  expect(await createPasskey(page)).toHaveLength(10);
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByText('Test laptop')).toBeVisible();
  await expect(page.getByText('Signing in with the password also needs a passkey.')).toBeVisible();
  await expectNoViolations(page, undefined, 'with a passkey');

  // The device accepts the offer in the username field as soon as it may.
  await device.setPresent(false);
  await forgetSession(page);
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await expect(button).toBeVisible();
  await device.setPresent(true);
  await expect(page).toHaveURL('/console');

  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await forgetSession(page);
  await button.click();
  await expect(page).toHaveURL('/console');
});

passkeyTest(
  'the password asks for the passkey or a recovery code, until the passkey is removed',
  async ({ page, account }) => {
    const device = await Device.connect(page);
    await startPasskey(page, account);
    const codes = await createPasskey(page);
    const dialog = page.getByRole('dialog');
    const list = page.getByRole('list', { name: 'Passkeys' });

    await device.setVerified(false);
    await forgetSession(page);
    await signIn(page, account);
    await expect(page.getByRole('alert')).toContainText('No passkey was used');
    const recovery = page.getByLabel('Recovery code');
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
  },
);

signedIn('at an IP address, the settings say why there are no passkeys', async ({ page, product }) => {
  await page.goto('/console/settings/security');
  const link = page.getByRole('link', { name: product.url.replace('127.0.0.1', 'localhost') });
  await expect(link).toBeVisible();
  await expect(page.getByText('Browsers bind passkeys to a host name.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add passkey' })).toBeHidden();
});
