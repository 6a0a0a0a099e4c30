import type { Page } from '@playwright/test';
import { expectNoViolations } from '../accessibility/no-violations.ts';
import { customerOfShop, inShop } from '../fixtures/shop.ts';
import { expect, signedIn } from '../fixtures/test.ts';
import { emailedLink } from '../screens/mail.ts';

const DECLINED = '4000 0000 0000 0002';

function currentPlan(page: Page) {
  return page.getByRole('region', { name: 'Current plan' });
}

/**
 * Buys the first plan of an account on the emulated payment page of Stripe, which redirects back.
 */
async function buy(page: Page, plan: 'Pro' | 'Ultra'): Promise<void> {
  await page.goto('/console/settings/subscription');
  await page.getByRole('button', { name: `Get ${plan}` }).click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(currentPlan(page)).toContainText(`${plan}active`);
}

/** Returns the card of a plan on the screen with all plans. */
function cardOf(page: Page, plan: string) {
  return page
    .getByRole('list', { name: 'Plans' })
    .locator('> li')
    .filter({ has: page.getByRole('heading', { name: new RegExp(`^${plan}`) }) });
}

customerOfShop('a plan is bought on Stripe’s page, which redirects back', async ({ page }) => {
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

customerOfShop('changing a paid plan asks for confirmation and opens no payment page', async ({ page }) => {
  await buy(page, 'Pro');
  await page.getByRole('button', { name: 'Get Ultra' }).click();
  const question = page.getByRole('dialog', { name: 'Change to Ultra' });
  await expect(question).toContainText('The Ultra plan costs $200/mo.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(currentPlan(page)).toContainText('Pro');
  await page.getByRole('button', { name: 'Get Ultra' }).click();
  await question.getByRole('button', { name: 'Change plan' }).click();
  await expect(page.getByText('You are now on the Ultra plan.')).toBeVisible();
  await expect(currentPlan(page)).toContainText('Ultra');
  await page.getByRole('link', { name: 'Compare plans' }).click();
  await expect(cardOf(page, 'Ultra')).toContainText('Your plan');
  await expect(page.getByRole('button', { name: 'Get Pro' })).toBeVisible();
});

customerOfShop('the current plan is switched to yearly payment', async ({ page }) => {
  await buy(page, 'Pro');
  await page.goto('/console/pricing');
  await expect(cardOf(page, 'Pro')).toContainText('Your plan');
  await page.getByText('Yearly', { exact: true }).click();
  await expect(cardOf(page, 'Pro')).not.toContainText('Your plan');
  await cardOf(page, 'Pro').getByRole('button', { name: 'Switch to yearly' }).click();
  const question = page.getByRole('dialog', { name: 'Switch to yearly' });
  await expect(question).toContainText('The Pro plan costs $200/yr. Yearly billing starts immediately');
  await question.getByRole('button', { name: 'Change plan' }).click();
  await expect(cardOf(page, 'Pro')).toContainText('Your plan');
  await page.getByText('Monthly', { exact: true }).click();
  await expect(cardOf(page, 'Pro').getByRole('button', { name: 'Switch to monthly' })).toBeVisible();
});

customerOfShop(
  'a downgrade starts at the end of the paid period, lists what is lost, and can be undone',
  async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'system'));
    await buy(page, 'Ultra');
    await page.goto('/console/pricing');
    await page.getByRole('button', { name: 'Get Pro' }).click();
    const question = page.getByRole('dialog', { name: 'Change to Pro' });
    await expect(question).toContainText(/starts on \w+ \d+, \d+, when the paid period ends/);
    await expect(question).toContainText('Nothing is charged or credited now.');
    await expect(question.getByRole('listitem')).toHaveText([
      'API calls / month: from unlimited to 10,000',
      'AI calls / month: from 1,000 to 100',
      'Issues ingested / month: from 10,000 to 1,000',
      'Custom AI models: not included',
    ]);
    await expectNoViolations(page);
    await question.getByRole('button', { name: 'Downgrade' }).click();
    await expect(page.getByText(/^The Pro plan starts on \w+ \d+, \d+\.$/)).toBeVisible();
    await expect(cardOf(page, 'Ultra')).toContainText(/Your plan.*Changes to Pro on \w+ \d+, \d+/);
    await expect(cardOf(page, 'Pro')).toContainText(/Starts on \w+ \d+, \d+/);
    await expectNoViolations(page);
    await cardOf(page, 'Ultra').getByRole('button', { name: 'Keep Ultra' }).click();
    await expect(page.getByText('You keep the Ultra plan.')).toBeVisible();
    await expect(cardOf(page, 'Ultra')).not.toContainText('Changes to Pro');
  },
);

customerOfShop(
  'a cancellation is shown on every affected card and undone there or by choosing another plan',
  async ({ page, stripe, account }) => {
    await buy(page, 'Pro');
    const customer = stripe.customers().find(({ email }) => email === account.email);
    const [paid] = stripe.subscriptions(customer?.id);
    if (paid === undefined) throw new Error('Stripe knows nothing of the account.');
    await page.goto('/console/pricing');
    await expect(cardOf(page, 'Free').getByRole('button', { name: 'Cancel in Stripe' })).toBeVisible();
    stripe.cancelWithPeriod(paid.id);
    await expect(cardOf(page, 'Pro')).toContainText(/Cancels on \w+ \d+, \d+/);
    await expect(cardOf(page, 'Free')).toContainText(/Starts on \w+ \d+, \d+/);
    await expect(page.getByRole('button', { name: 'Cancel in Stripe' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Get Ultra' }).click();
    const question = page.getByRole('dialog', { name: 'Change to Ultra' });
    await expect(question).toContainText('The cancellation of the Pro plan is withdrawn.');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.goto('/console/settings/subscription');
    await expect(currentPlan(page)).toContainText('Cancels on');
    await currentPlan(page).getByRole('button', { name: 'Keep Pro' }).click();
    await expect(currentPlan(page)).toContainText('Renews on');
    await expect(currentPlan(page).getByRole('button', { name: 'Keep Pro' })).toHaveCount(0);
  },
);

customerOfShop(
  'a plan chosen on the public price page is confirmed before it is charged',
  async ({ page }) => {
    await buy(page, 'Pro');
    await page.goto('/pricing');
    await page.getByRole('button', { name: 'Get Ultra' }).first().click();
    const question = page.getByRole('dialog', { name: 'Change to Ultra' });
    await expect(question).toContainText('The Ultra plan costs $200/mo.');
    await expect(page).toHaveURL('/console/pricing?plan=ultra&interval=month');
    await expect(cardOf(page, 'Pro')).toContainText('Your plan');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL('/console/pricing');
    await page.goto('/pricing');
    await page.getByText('Yearly').click();
    await page.getByRole('button', { name: 'Get Ultra' }).first().click();
    await expect(question).toContainText('The Ultra plan costs $2,000/yr.');
    await question.getByRole('button', { name: 'Change plan' }).click();
    await expect(page.getByText('You are now on the Ultra plan.')).toBeVisible();
    await expect(page).toHaveURL('/console/pricing');
  },
);

/**
 * Leaves for Stripe, and then simulates the Back button. The browser restores the page in the state
 * in which the user left it.
 */
async function comeBackFrom(page: Page, leave: () => Promise<void>): Promise<void> {
  const asked = page.waitForRequest((request) => request.isNavigationRequest());
  await leave();
  await asked;
  await page.evaluate(() => {
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
}

customerOfShop(
  'after Back from Stripe’s pages, the user can open them again',
  async ({ page, stripe, account }) => {
    await page.route(`${stripe.url}/**`, (route) => route.fulfill({ status: 204 }));
    for (const screen of ['/pricing', '/console/settings/subscription']) {
      await page.goto(screen);
      const pro = page.getByRole('button', { name: 'Get Pro' }).first();
      for (const _time of [1, 2]) await comeBackFrom(page, () => pro.click());
      await expect(page.getByRole('button', { name: 'Get Ultra' }).first()).toBeEnabled();
    }
    await page.unrouteAll();
    await buy(page, 'Pro');
    await page.route(`${stripe.url}/**`, (route) => route.fulfill({ status: 204 }));
    const manage = page.getByRole('button', { name: 'Manage in Stripe' });
    for (const _time of [1, 2]) await comeBackFrom(page, () => manage.click());
    const customer = stripe.customers().find(({ email }) => email === account.email);
    stripe.setCard(customer?.id ?? '', 'asks');
    const question = page.getByRole('dialog', { name: 'Change to Ultra' });
    for (const _time of [1, 2]) {
      await page.getByRole('button', { name: 'Get Ultra' }).click();
      await comeBackFrom(page, () => question.getByRole('button', { name: 'Change plan' }).click());
      await expect(question).toBeHidden();
    }
    await expect(page.getByText('You are now on the Ultra plan.')).toHaveCount(0);
  },
);

customerOfShop('usage is shown beside the plan', async ({ page }) => {
  await page.goto('/console/settings/subscription');
  await expect(page.getByRole('list', { name: 'Used this month' }).getByRole('listitem')).toHaveText([
    '0 of 1,000 API calls',
    '0 of 10 AI calls',
    '0 of 100 issues ingested',
  ]);
});

customerOfShop('a plan without a monthly price is sold by the year only', async ({ page }) => {
  const features = {
    api_calls_monthly: -1,
    ai_calls_monthly: -1,
    issues_ingested_monthly: -1,
    custom_ai_models_enabled: true,
    custom_compliance_metrics_enabled: true,
  };
  const acme = { id: 'acme', name: 'Acme', price_monthly: null, price_annually: 9_000, features };
  await page.route('**/billing/custom-plans', (route) => route.fulfill({ json: [acme] }));
  for (const screen of ['/console/settings/subscription', '/console/pricing']) {
    await page.goto(screen);
    await expect(cardOf(page, 'Acme')).toContainText('Sold yearly');
    await expect(cardOf(page, 'Acme').getByRole('button')).toHaveCount(0);
    await page.getByText('Yearly', { exact: true }).click();
    await expect(cardOf(page, 'Acme')).toContainText('$9,000/yr');
    await expect(cardOf(page, 'Acme').getByRole('button', { name: 'Get Acme' })).toBeVisible();
  }
});

customerOfShop('the interval control is large enough for touch on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/console/settings/subscription');
  const box = await page.getByText('Yearly', { exact: true }).locator('xpath=ancestor::label').boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(40);
});

const broken = { status: 500, json: { detail: 'Broken.', code: 'broken', request_id: 'r-1' } };

for (const [call, sentence] of [
  ['subscription', 'Failed to load subscription details.'],
  ['plans', 'Failed to load public plans.'],
  ['custom-plans', 'Failed to load custom plans.'],
] as const) {
  customerOfShop(`a failure to load ${call} shows an error, and Retry loads it`, async ({ page }) => {
    let isBroken = true;
    await page.route(`**/api/v1/billing/${call}`, (route) =>
      isBroken ? route.fulfill(broken) : route.continue(),
    );
    await page.goto('/console/settings/subscription');
    await expect(page.getByRole('alert')).toContainText(sentence);
    isBroken = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(currentPlan(page)).toContainText('You are currently on the Free plan.');
  });
}

customerOfShop('a change that waits for its payment can be paid or canceled', async ({ page }) => {
  const waiting = { plan_id: 'ultra', interval: 'month', until: '2030-01-11T12:00:00.000Z' };
  let isCanceled = false;
  const json = () => ({
    id: 'sub_1',
    plan_id: 'pro',
    status: 'active',
    interval: 'month',
    current_period_start: '2030-01-10T12:00:00.000Z',
    current_period_end: '2030-02-10T12:00:00.000Z',
    cancel_at_period_end: false,
    pending_change: null,
    waiting_change: isCanceled ? null : waiting,
  });
  await page.route('**/billing/subscription', (route) => route.fulfill({ json: json() }));
  await page.route('**/billing/cancel-waiting-change', (route) => {
    isCanceled = true;
    return route.fulfill({ json: { status: 'success' } });
  });
  await page.goto('/console/settings/subscription');
  const note = currentPlan(page).getByRole('status').filter({ hasText: 'Waiting for your payment' });
  await expect(note).toContainText('The change to Ultra, paid monthly, begins when you pay its invoice.');
  await expect(note.getByRole('button', { name: 'Pay in Stripe' })).toBeVisible();
  await note.getByRole('button', { name: 'Cancel the change' }).click();
  await expect(note).toBeHidden();
});

customerOfShop('errors and missing data from Stripe are reported beside the button', async ({ page }) => {
  await page.route('**/billing/sync-subscription', (route) => route.fulfill(broken));
  await page.route('**/billing/subscription', (route) =>
    route.fulfill({
      json: {
        id: 'sub_1',
        plan_id: 'pro',
        status: 'unpaid',
        interval: 'month',
        current_period_start: '2030-01-10T12:00:00.000Z',
        current_period_end: '2030-02-10T12:00:00.000Z',
        cancel_at_period_end: false,
        pending_change: null,
        waiting_change: null,
      },
    }),
  );
  await page.goto('/console/settings/subscription');
  await expect(currentPlan(page)).toContainText(
    'Stripe is not reachable at the moment. The data may be outdated.',
  );
  await expect(currentPlan(page)).toContainText(
    'The plan is not paid, so the limits of the Free plan apply. Pay or enter another card in Stripe.',
  );
  const manage = page.getByRole('button', { name: 'Manage in Stripe' });
  await page.route('**/billing/create-portal-session', (route) => route.fulfill(broken));
  await manage.click();
  await expect(currentPlan(page).getByRole('alert')).toHaveText('Broken.');
  await page.route('**/billing/create-portal-session', (route) =>
    route.fulfill({ json: { url: 'javascript:alert(1)' } }),
  );
  await manage.click();
  await expect(currentPlan(page).getByRole('alert')).toHaveText(
    'Could not retrieve the subscription management URL.',
  );
  await page.route('**/billing/create-checkout-session', (route) =>
    route.fulfill({ json: { action: 'redirect', url: 'javascript:alert(1)' } }),
  );
  await page.getByRole('button', { name: 'Get Ultra' }).click();
  const question = page.getByRole('dialog', { name: 'Change to Ultra' });
  await expect(question).toContainText('Stripe first collects the overdue payment.');
  await question.getByRole('button', { name: 'Change plan' }).click();
  await expect(question.getByRole('alert')).toHaveText('Failed to process subscription change.');
});

signedIn('without payments the operator chooses the plan', async ({ page }) => {
  await page.goto('/console/settings/subscription');
  await expect(currentPlan(page)).toContainText('Your administrator chose this plan. There is no charge.');
  await expect(page.getByRole('button', { name: 'Manage in Stripe' })).toHaveCount(0);
});

customerOfShop(
  'changes made in Stripe appear: a cancellation at period end and a failed payment',
  async ({ page, stripe, account }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'system'));
    await buy(page, 'Pro');
    await page.getByRole('button', { name: 'Manage in Stripe' }).click();
    await page.getByRole('button', { name: 'Cancel plan' }).click();
    await page.getByRole('link', { name: 'Return' }).click();
    await expect(currentPlan(page)).toContainText('Pending cancellation');
    await expect(currentPlan(page)).toContainText(/Cancels on \w+ \d+, \d+/);

    const customer = stripe.customers().find(({ email }) => email === account.email);
    const [paid] = stripe.subscriptions(customer?.id);
    if (customer === undefined || paid === undefined) throw new Error('Stripe knows nothing of the account.');
    stripe.resume(paid.id);
    // A webhook of Stripe must update the page without reloading it.
    await expect(currentPlan(page)).toContainText('Renews on');
    stripe.setCard(customer.id, 'declined');
    stripe.passPeriod(paid.id);
    await expect(currentPlan(page)).toContainText('past_due');
    await expect(currentPlan(page)).toContainText('The last payment failed');
    await expectNoViolations(page);
  },
);

customerOfShop(
  'a plan without custom models says so immediately and links to the plans that have them',
  async ({ page }) => {
    await page.goto('/console/settings/ai-models');
    await expect(page.getByText('Custom AI models come with Ultra and Enterprise.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add model' })).toHaveCount(0);
    await page.getByRole('link', { name: 'View Plans' }).click();
    await expect(page).toHaveURL('/console/pricing');
    await expect(page.getByRole('button', { name: 'Get Pro' })).toBeVisible();
  },
);

inShop(
  'a visitor pays first and gets an account through the link in the email',
  async ({ page, product }) => {
    const payer = `payer-${Date.now()}@example.com`;
    await page.goto('/pricing');
    await page.getByRole('button', { name: 'Get Pro' }).first().click();
    await page.getByLabel('Email').fill(payer);
    await page.getByRole('button', { name: 'Pay' }).click();
    await expect(page).toHaveURL(/\/welcome\?checkout=done$/);
    await expect(page.getByText('Check your email')).toBeVisible();

    const { pathname, search } = new URL(await emailedLink(product.dataDir, 'onboarding', payer));
    expect(pathname).toBe('/welcome');
    await page.goto(`${pathname}${search}`);
    await page.getByLabel('Username').fill(`payer${Date.now()}`);
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Complete Registration' }).click();
    await page.waitForURL('**/console');
    await page.goto('/console/settings/subscription');
    await expect(currentPlan(page)).toContainText(/Pro\s*active/);
  },
);
