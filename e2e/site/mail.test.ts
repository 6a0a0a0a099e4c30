import { createdApiKey } from '@winnow/contract/api-key';
import { flow } from '@winnow/contract/flow';
import { expect, test } from '../fixtures/test.ts';
import { signIn } from '../screens/access.ts';
import { emailedLink } from '../screens/mail.ts';

test('a newly registered user confirms the address once by the emailed link', async ({ page, product }) => {
  const name = `mail-${Date.now()}`;
  await page.goto('/register');
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Email').fill(`${name}@example.com`);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Your account has been created successfully. Please sign in.')).toBeVisible();
  const link = await emailedLink(product.dataDir, 'verify', `${name}@example.com`);
  const { pathname, search } = new URL(link);
  await page.goto(`${pathname}${search}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email Verified');
  await page.goto(`${pathname}${search}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email Verification Failed');
  await expect(page.getByText('Invalid or expired verification token.')).toBeVisible();
});

test('an emailed link replaces a forgotten password, and the old one is refused', async ({
  page,
  account,
  product,
}) => {
  await account.api.send('POST', '/auth/api-keys', { name: 'Build' }, createdApiKey);
  const commenting = { name: 'Greeter', builtin_actions: ['flag_duplicates'], is_enabled: true };
  await account.api.send('POST', '/flows', commenting, flow);
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(
    page.getByText('If an account with that email exists, a password reset link has been sent.'),
  ).toBeVisible();
  const { pathname, search } = new URL(await emailedLink(product.dataDir, 'reset', account.email));
  await page.goto(`${pathname}${search}`);
  await page.getByLabel('New Password', { exact: true }).fill('another good password');
  await page.getByLabel('Confirm New Password', { exact: true }).fill('yet another password');
  await page.getByRole('button', { name: /Reset/ }).click();
  await expect(page.getByText('Passwords do not match.')).toBeVisible();
  await page.getByLabel('Confirm New Password', { exact: true }).fill('another good password');
  await page.getByRole('button', { name: /Reset/ }).click();
  await expect(
    page.getByText('Your password has been reset successfully. You can now log in.'),
  ).toBeVisible();
  const ended = page.getByRole('region', { name: 'What was ended' });
  await expect(ended).toContainText('You were signed out on 1 device.');
  await expect(ended).toContainText('1 API key was revoked: Build.');
  await expect(ended).toContainText('1 flow was switched off: Greeter.');
  await expect(ended).toContainText('The same list was sent to your email address.');
  await page.goto('/login');
  await signIn(page, account);
  await expect(page.getByText('Invalid username or password')).toBeVisible();
  await signIn(page, { ...account, password: 'another good password' });
  await expect(page).toHaveURL('/console');
});

test('an empty address is reported beside its field', async ({ page }) => {
  await page.goto('/forgot-password');
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  const field = page.getByLabel('Email');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(/./);
});

test('a demo request is sent, and a failed one keeps the form values', async ({ page }) => {
  await page.goto('/request-demo');
  await page.getByLabel('Full Name').fill('Ada Lovelace');
  await page.getByLabel('Work Email').fill('ada@example.com');
  await page.getByLabel('Role').fill('Maintainer');
  await page.getByLabel('Organization').fill('Analytical Engines');
  await page.getByLabel('Headcount').selectOption('51-200');
  await page.getByLabel('GitHub').check();
  await page.route('**/api/v1/leads', (route) => route.abort(), { times: 1 });
  const send = page.getByRole('button', { name: 'Request Demo' });
  await send.click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Full Name')).toHaveValue('Ada Lovelace');
  await send.click();
  await expect(
    page.getByText("Thank you! Your demo request has been received. We'll be in touch shortly."),
  ).toBeVisible();
});
