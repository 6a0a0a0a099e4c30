import { freshName } from '@winnow/tools/browser/account.ts';
import { expect, test } from '../fixtures/test.ts';
import { signIn } from '../screens/access.ts';

test('a wrong password and an unknown user name give the same error', async ({ page, account }) => {
  await page.goto('/login');
  await signIn(page, { username: account.username, password: 'not the password' });
  await expect(page.getByRole('alert')).toHaveText('Invalid username or password');
  await expect(page.getByText(/^If you have not confirmed your email address yet/)).toBeVisible();

  await page.reload();
  await signIn(page, { username: freshName('nobody'), password: account.password });
  await expect(page.getByRole('alert')).toHaveText('Invalid username or password');
  await expect(page).toHaveURL('/login');
});

test('empty sign-in fields are marked, and nothing is sent', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Enter your username.')).toBeVisible();
  await expect(page.getByText('Enter your password.')).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Enter your username.');
  expect(calls).not.toContain('/api/v1/auth/token/json');
});

test('registration marks each invalid field and sends nothing', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto('/register');
  await page.getByLabel('Username').fill('a b');
  await page.getByLabel('Email').fill('nobody');
  await page.getByRole('textbox', { name: 'Password' }).fill('short');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Use only letters, digits, and _ . -')).toBeVisible();
  await expect(page.getByText('This is not an email address.')).toBeVisible();
  await expect(page.getByText('Password must be at least 8 characters long.')).toBeVisible();
  expect(calls).not.toContain('/api/v1/auth/register');
});

test('a taken username is reported at its field, and the form values stay', async ({ page, account }) => {
  await page.goto('/register');
  await page.getByLabel('Username').fill(account.username);
  await page.getByLabel('Email').fill(`${freshName('eve')}@example.com`);
  await page.getByRole('textbox', { name: 'Password' }).fill('a long enough secret');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Failed to create an account')).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Username')).toHaveValue(account.username);
});

test('too many wrong passwords show how long to wait', async ({ page, account, product }) => {
  const wrong = { username: account.username, password: 'not the password' };
  const attempts = Array.from({ length: 10 }, () =>
    fetch(`${product.url}/api/v1/auth/token/json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wrong),
    }),
  );
  await Promise.all(attempts);
  await page.goto('/login');
  await signIn(page, wrong);
  await expect(page.getByRole('alert')).toContainText('Too many attempts');
  await expect(page.getByRole('alert')).toContainText(/Wait \d+ minutes?/);
  const send = page.getByRole('button', { name: 'Sign in' });
  await expect(send).toBeDisabled();
  const username = page.getByLabel('Username');
  await username.fill('somebody-else');
  await expect(send, 'another username does not have to wait').toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await username.fill(account.username);
  await expect(send).toBeDisabled();
});

test('a new user registers, gets one confirmation, and signs in to the console', async ({ page }) => {
  const username = freshName('grace');
  const password = 'a long enough secret';
  await page.goto('/login');
  await page.getByRole('link', { name: 'Sign up' }).click();
  // The registration page must appear first. Both pages have a username field, and text typed into
  // the first page would be lost.
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.com`);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();

  const confirmation = page.getByText('Your account has been created successfully. Please sign in.');
  await expect(confirmation).toBeVisible();
  await expect(page, 'the flag is removed from the address').toHaveURL('/login');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(confirmation).toBeHidden();

  await signIn(page, { username, password });
  await expect(page).toHaveURL('/console');
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: new RegExp(`^Account ${username}`) })).toBeVisible();
});

test('an email address works for sign-in as well as the username', async ({ page, account }) => {
  await page.goto('/login');
  await signIn(page, { username: account.email, password: account.password });
  await expect(page).toHaveURL('/console');
});

test('the password can be shown and hidden while typing', async ({ page }) => {
  await page.goto('/login');
  const field = page.getByRole('textbox', { name: 'Password' });
  await field.fill('a long enough secret');
  await expect(field).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: /password/i }).click();
  await expect(field).toHaveAttribute('type', 'text');
});
