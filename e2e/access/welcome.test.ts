import { freshName, newAccount, signedInState } from '@winnow/tools/browser/account.ts';
import { expect, test } from '../fixtures/test.ts';
import { chooseAndComplete, invite } from '../screens/welcome.ts';

const PASSWORD = 'a long enough secret';

test('a link without an email address shows no form and points to support', async ({ page }) => {
  for (const address of ['/welcome', '/welcome?username=ada&token=abc', '/welcome?email=nobody&token=abc']) {
    await page.goto(address);
    await expect(page.getByRole('alert')).toHaveText(
      'Could not retrieve your details. Please contact support.',
    );
    await expect(page.getByRole('textbox')).toHaveCount(0);
  }
});

test('an invited address alone does not open the form', async ({ page, product }) => {
  const name = freshName('mallory');
  await invite(product, `${name}@example.com`);
  await page.goto(`/welcome?username=${name}&email=${name}@example.com`);
  await expect(page.getByRole('alert')).toContainText('Open the link in your email again');

  await page.goto(`/welcome?username=${name}&email=${name}@example.com&token=guessed`);
  await chooseAndComplete(page, { password: PASSWORD });
  await expect(page.getByRole('alert')).toContainText('Invalid or expired onboarding link.');
  await expect(page).toHaveURL(/\/welcome/);
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect(page).toHaveURL('/forgot-password');
});

test('a short password is reported at its field, and nothing is sent', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto('/welcome?username=ada&email=ada@example.com&token=abc');
  await chooseAndComplete(page, { password: 'seven77' });
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAccessibleDescription(
    /Password must be at least 8 characters long\./,
  );
  expect(calls).not.toContain('/api/v1/auth/complete-onboarding');
});

test('without a response the form reports the failure and keeps its values', async ({ page }) => {
  await page.route('**/api/v1/auth/complete-onboarding', (route) => route.abort());
  await page.goto('/welcome?username=ada&email=ada@example.com&token=abc');
  await chooseAndComplete(page, { password: PASSWORD });
  await expect(page.getByRole('alert')).toContainText('Failed to complete onboarding.');
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue(PASSWORD);
});

test('an invited user sets a name and password once and lands in the console', async ({
  page,
  context,
  account,
  product,
}) => {
  const username = freshName('grace');
  const email = `${username}+invited@example.com`;
  const link = await invite(product, email);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Welcome to Winnow', level: 1 })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Email')).toHaveAttribute('readonly');
  await expect(page, 'the secret is removed from the address').not.toHaveURL(/token/);
  await page.reload();
  await expect(page.getByLabel('Email'), 'reloading keeps it').toHaveValue(email);

  await chooseAndComplete(page, { username: account.username, password: PASSWORD });
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription('This username is taken.');

  await chooseAndComplete(page, { username, password: PASSWORD });
  await expect(page).toHaveURL('/console');
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: new RegExp(`^Account ${username}`) })).toBeVisible();
  expect(await page.evaluate(() => [localStorage.accessToken, localStorage.refreshToken])).toEqual([
    expect.stringMatching(/./),
    expect.stringMatching(/./),
  ]);

  const later = await context.newPage();
  await later.goto(link);
  await chooseAndComplete(later, { username: freshName('grace'), password: 'another long secret' });
  await expect(later.getByRole('alert')).toContainText('Invalid or expired onboarding link.');
});

test('an invitation opened in another user’s browser replaces their session and return address', async ({
  browser,
  product,
}) => {
  const somebody = await newAccount(product.url);
  const state = signedInState(product.url, somebody.api);
  state.origins[0]?.localStorage.push({ name: 'loginRedirectPath', value: '/console/trackers' });
  await using context = await browser.newContext({ baseURL: product.url, storageState: state });
  const page = await context.newPage();
  const username = freshName('joan');
  await page.goto(await invite(product, `${username}@example.com`));
  await chooseAndComplete(page, { password: PASSWORD });
  await expect(page).toHaveURL('/console');
  await expect(page.getByRole('button', { name: new RegExp(`^Account ${username}`) })).toBeVisible();
  const answer = await fetch(`${product.url}/api/v1/auth/users/me`, {
    headers: { authorization: `Bearer ${somebody.api.accessToken}` },
  });
  expect(answer.status, 'the replaced session has ended').toBe(401);
});
