import type { Page } from '@playwright/test';
import { newAccount } from '@winnow/tools/browser/account.ts';
import { expect, signedIn } from '../fixtures/test.ts';
import { signIn } from '../screens/access.ts';

/** Opens the workspace menu of the header and creates a workspace. */
async function createWorkspace(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click();
  await page.getByRole('menuitem', { name: 'Create a workspace' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Workspace/ })).toContainText(name);
}

/** Invites by email in the member settings, and returns the link that is shown. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.goto('/console/settings/members');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: role }).click();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const link = await dialog.getByText(/\/console\/join\?token=/).innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return link.trim();
}

signedIn(
  'a workspace is created, a viewer joins by email, sees why writing is off, and is removed',
  async ({ page, product, browser }) => {
    await page.goto('/console');
    await createWorkspace(page, 'Acme');
    const guest = await newAccount(product.url);
    const link = await invite(page, guest.email, 'Viewer');
    expect(new URL(link).pathname).toBe('/console/join');
    await expect(page.getByRole('list', { name: 'Open invitations' })).toContainText(guest.email);

    const context = await browser.newContext({
      baseURL: product.url,
      storageState: { cookies: [], origins: [] },
    });
    const theirs = await context.newPage();
    await theirs.goto(link);
    await expect(theirs).toHaveURL(/\/login/);
    await signIn(theirs, guest);
    await theirs.getByRole('button', { name: 'Accept the invitation' }).click();
    await expect(theirs.getByRole('button', { name: /^Workspace/ })).toContainText('Acme');
    await theirs.goto('/console/trackers');
    await expect(theirs.getByRole('button', { name: 'Add New Tracker' }).first()).toBeDisabled();
    await theirs.goto('/console/settings/api-keys');
    await expect(theirs.getByText('Your role in this workspace is Viewer.')).toBeVisible();

    const row = page.getByRole('row', { name: new RegExp(guest.username) });
    await expect(row).toBeVisible();
    await row
      .getByRole('textbox', { name: /^Role of/ })
      .or(row.getByRole('combobox', { name: /^Role of/ }))
      .click();
    await page.getByRole('option', { name: 'Maintainer' }).click();
    await theirs.goto('/console/settings/members');
    await expect(theirs.getByRole('row', { name: new RegExp(guest.username) })).toContainText('Maintainer');

    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(theirs.getByText('You are not a member of that workspace.')).toBeVisible();
    await context.close();

    await page.goto('/console/settings/audit-log');
    const log = page.getByRole('list', { name: 'Audit log' });
    await expect(log.getByRole('listitem').first()).toContainText('Member removed');
    await page.getByRole('button', { name: /^Workspace/ }).click();
    await page.getByRole('menuitem', { name: /personal/ }).click();
    await expect(page.getByRole('button', { name: /^Workspace/ })).not.toContainText('Acme');
  },
);
