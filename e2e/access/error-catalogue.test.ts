import { expect, signedIn, test } from '../fixtures/test.ts';

const API = '**/api/v1';
const broken = { status: 500, json: { detail: 'Out of order.', code: 'internal', request_id: 'r' } };
const limited = {
  status: 429,
  headers: { 'retry-after': '3600' },
  json: { detail: 'The plan allows no more.', code: 'plan_limit', request_id: 'r' },
};

test('a failed sign-in does not reveal why it failed', async ({ page }) => {
  await page.route(`${API}/auth/token/json`, (route) => route.fulfill(broken));
  await page.goto('/login');
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('textbox', { name: 'Password' }).fill('a long enough secret');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await expect(page.getByLabel('Username')).toHaveValue('ada');
});

test('a failed registration shows an error and keeps the form values', async ({ page }) => {
  await page.route(`${API}/auth/register`, (route) => route.abort());
  await page.goto('/register');
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('a long enough secret');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('alert')).toContainText('Failed to create an account');
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com');
});

test('a reset email that cannot be sent shows an error that can be dismissed', async ({ page }) => {
  await page.route(`${API}/auth/forgot-password`, (route) => route.fulfill(broken));
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('An unexpected error occurred. Please try again.');
  await alert.getByRole('button').click();
  await expect(alert).toHaveCount(0);
});

test('a password reset without a token is refused, and so is an invalid token', async ({ page }) => {
  const choose = async (password: string, again: string) => {
    await page.getByLabel('New Password', { exact: true }).fill(password);
    await page.getByLabel('Confirm New Password', { exact: true }).fill(again);
    await page
      .getByRole('main')
      .getByRole('button', { name: /password/i })
      .last()
      .click();
  };
  await page.goto('/reset-password');
  await expect(page.getByRole('alert')).toContainText('No reset token found in the URL.');

  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto('/reset-password?token=garbled%22%3E');
  await choose('a long enough secret', 'another long secret');
  await expect(page.getByText('Passwords do not match.')).toBeVisible();
  expect(calls).not.toContain('/api/v1/auth/reset-password');
  await choose('a long enough secret', 'a long enough secret');
  await expect(page.getByRole('alert')).toContainText('Invalid or expired reset token.');
});

test('email verification with a missing or invalid token fails with the reason', async ({ page }) => {
  await page.goto('/verify-email');
  await expect(page.getByText('No verification token found in the URL.')).toBeVisible();
  await page.goto('/verify-email?token=garbled');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email Verification Failed');
  await expect(page.getByText('Invalid or expired verification token.')).toBeVisible();
});

test('a failed checkout shows an error and leaves the plans on screen', async ({ page }) => {
  await page.route(`${API}/billing/create-checkout-session`, (route) => route.fulfill(broken));
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Get Pro' }).first().click();
  await expect(page.getByRole('alert')).toContainText('Out of order.');
  await expect(page.getByRole('button', { name: 'Get Pro' }).first()).toBeEnabled();
});

signedIn('the header of a public page ends a session that the server rejects', async ({ page }) => {
  const refused = { status: 401, json: { detail: 'No.', code: 'unauthorized', request_id: 'r' } };
  await page.route(`${API}/auth/users/me`, (route) => route.fulfill(refused));
  await page.route(`${API}/auth/refresh`, (route) => route.fulfill(refused));
  await page.goto('/pricing');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
});

signedIn(
  'a call over the plan limit opens the upgrade dialog, which links to the plans',
  async ({ page }) => {
    await page.route(`${API}/project-duplicate-stats*`, (route) => route.fulfill(limited));
    await page.route(`${API}/issue-duplicates?*`, (route) => route.fulfill(limited));
    await page.goto('/console');
    const dialog = page.getByRole('dialog', { name: 'Upgrade Your Plan' });
    await expect(dialog).toContainText(
      'You have exceeded the usage limits of your current plan. Please upgrade to continue using this feature.',
    );
    await dialog.getByRole('link', { name: 'View Plans' }).click();
    await expect(page).toHaveURL('/console/pricing');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('listitem').filter({ hasText: 'Ultra' })).toContainText('$200/mo');
    await page.getByText('Yearly').click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Ultra' })).toContainText('$2,000/yr');
    await expect(page.getByText('This installation takes no payments')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Your plan' })).toContainText('Enterprise');
    await expect(page.getByRole('button', { name: /^Get / })).toHaveCount(0);
  },
);

signedIn(
  'an unverified user can resend the email or dismiss the notice permanently',
  async ({ page, account }) => {
    await page.goto('/console');
    const notice = page.getByRole('note').filter({ hasText: account.email });
    await notice.getByRole('button', { name: 'Resend' }).click();
    await expect(page.getByText('the email with a new link is in the outbox')).toBeVisible();
    await page.reload();
    await notice.getByRole('button', { name: 'Do not show this again' }).click();
    await expect(notice).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
    await expect(notice).toHaveCount(0);
  },
);
