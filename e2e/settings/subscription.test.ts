import type { Page } from '@playwright/test';
import { customerOfShop, inShop } from '../fixtures/shop.ts';
import { expect } from '../fixtures/test.ts';
import { linkOf } from '../screens/mail.ts';

const DECLINED = '4000 0000 0000 0002';

function currentPlan(page: Page) {
  return page.getByRole('region', { name: 'Current plan' });
}

/** Gets a first plan on the emulated Stripe's payment page, which leads back. */
async function buyPro(page: Page): Promise<void> {
  await page.goto('/console/settings/subscription');
  await page.getByRole('button', { name: 'Get Pro' }).click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(currentPlan(page)).toContainText('Pro');
}

customerOfShop('a plan is bought on Stripe’s page, which leads back to it', async ({ page }) => {
  await page.goto('/console/settings/subscription');
  await expect(currentPlan(page)).toContainText('You are currently on the Free plan.');
  await expect(page.getByRole('list', { name: 'Plans' }).getByRole('heading')).toHaveText(['Pro', /^Ultra/]);
  await page.getByText('Yearly', { exact: true }).click();
  await expect(page.getByText('$200/yr')).toBeVisible();
  await page.getByRole('button', { name: 'Get Pro' }).click();
  await expect(page.getByText('$200 per year')).toBeVisible();

  await page.getByLabel('Card number').fill(DECLINED);
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(currentPlan(page)).toContainText('You are currently on the Free plan.');

  await page.getByText('Yearly', { exact: true }).click();
  await page.getByRole('button', { name: 'Get Pro' }).click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText('Thank you. Your payment went through.')).toBeVisible();
  await expect(currentPlan(page)).toContainText(/Pro\s*active/);
  await expect(currentPlan(page)).toContainText(/Renews on .* · \$200\/yr/);
  await expect(page.getByRole('list', { name: 'Plans' }).getByRole('heading')).toHaveText([/^Ultra/]);
});

customerOfShop(
  'a paid plan is changed after it was asked, without another payment page',
  async ({ page }) => {
    await buyPro(page);
    await page.getByRole('button', { name: 'Get Ultra' }).click();
    const question = page.getByRole('dialog', { name: 'Change to Ultra' });
    await expect(question).toContainText('The Ultra plan costs $200/mo.');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(currentPlan(page)).toContainText('Pro');
    await page.getByRole('button', { name: 'Get Ultra' }).click();
    await question.getByRole('button', { name: 'Change plan' }).click();
    await expect(page.getByText('You are on the Ultra plan now.')).toBeVisible();
    await expect(currentPlan(page)).toContainText('Ultra');
    await page.goto('/console/pricing');
    const ultra = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Ultra/ }) });
    await expect(ultra).toContainText('Your plan');
    await expect(page.getByRole('button', { name: 'Get Pro' })).toBeVisible();
  },
);

customerOfShop(
  'what is done in Stripe shows: cancelled with the period, and a payment that fails',
  async ({ page, stripe, account }) => {
    await buyPro(page);
    await page.getByRole('button', { name: 'Manage in Stripe' }).click();
    await page.getByRole('button', { name: 'Cancel plan' }).click();
    await page.getByRole('link', { name: 'Return' }).click();
    await expect(currentPlan(page)).toContainText('Pending cancellation');
    await expect(currentPlan(page)).toContainText(/Cancels on \w+ \d+, \d+/);

    const customer = stripe.customers().find(({ email }) => email === account.email);
    const [paid] = stripe.subscriptions(customer?.id);
    if (customer === undefined || paid === undefined) throw new Error('Stripe knows nothing of the account.');
    stripe.resume(paid.id);
    // Nobody loads the page again: what Stripe tells reaches it.
    await expect(currentPlan(page)).toContainText('Renews on');
    stripe.setCard(customer.id, 'declined');
    stripe.passPeriod(paid.id);
    await expect(currentPlan(page)).toContainText('past_due');
    await expect(currentPlan(page)).toContainText('The last payment failed');
  },
);

customerOfShop(
  'what is not in the plan opens the upgrade dialog, which leads to the plans',
  async ({ page }) => {
    await page.goto('/console/settings/ai-models');
    await page.getByRole('button', { name: 'Add Model' }).first().click();
    const dialog = page.getByRole('dialog', { name: /Model/ });
    await dialog.getByLabel('Name', { exact: true }).fill('Ours');
    await dialog.getByRole('textbox', { name: 'API Key' }).fill('sk-ours');
    await dialog.getByRole('button', { name: /^(Add|Save|Create)/ }).click();
    const upgrade = page.getByRole('dialog', { name: 'Upgrade Your Plan' });
    await expect(upgrade).toContainText(
      'You have exceeded the usage limits of your current plan. Please upgrade to continue using this feature.',
    );
    await upgrade.getByRole('link', { name: 'View Plans' }).click();
    await expect(page).toHaveURL('/console/pricing');
    await expect(page.getByRole('button', { name: 'Get Pro' })).toBeVisible();
  },
);

inShop('a visitor pays first and gets an account by the link in the mail', async ({ page, product }) => {
  const payer = `payer-${Date.now()}@example.com`;
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Get Pro' }).first().click();
  await page.getByLabel('Email').fill(payer);
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page).toHaveURL(/\/welcome\?checkout=done$/);
  await expect(page.getByText('Check your mail')).toBeVisible();

  const { pathname, search } = new URL(await linkOf(product.dataDir, 'onboarding', payer));
  expect(pathname).toBe('/welcome');
  await page.goto(`${pathname}${search}`);
  await page.getByLabel('Username').fill(`payer${Date.now()}`);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Complete Registration' }).click();
  await page.waitForURL('**/console');
  await page.goto('/console/settings/subscription');
  await expect(currentPlan(page)).toContainText(/Pro\s*active/);
});
