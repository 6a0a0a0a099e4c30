import { test as base, expect, type Page } from '@playwright/test';
import { TEST_TRACKERS, type TestTracker } from '@winnow/emulators/testing/test-trackers';
import { type ServerProcess, startServer } from '@winnow/server/src/testing/server-process.ts';
import {
  type Account,
  connect,
  newAccount,
  signedInState,
  whenCompared,
} from '@winnow/tools/browser/account.ts';
import { pairRow, searchPairs, toast } from '@winnow/tools/browser/similarity.ts';

/** Two identical issues for each title. */
const TITLES = ['Export stops', 'Printing hangs', 'Login loops', 'Search is empty'].flatMap((title) => [
  title,
  title,
]);

interface Parts {
  kind: string;
  testTracker: TestTracker;
  product: ServerProcess;
  account: Account;
}

const test = base.extend<Parts>({
  kind: ['', { option: true }],
  testTracker: async ({ kind }, use) => {
    const testTracker = await TEST_TRACKERS[kind]?.(TITLES);
    if (testTracker === undefined) throw new Error(`There is no ${kind}.`);
    await use(testTracker);
    await testTracker.close();
  },
  product: async ({ testTracker }, use) => {
    const product = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: testTracker.host } });
    await use(product);
    await product.remove();
  },
  account: async ({ product, testTracker, kind }, use) => {
    const account = await newAccount(product.url);
    await connect(account, { name: kind, ...testTracker.connection });
    await whenCompared(account);
    await use(account);
  },
  storageState: async ({ product, account }, use) => use(signedInState(product.url, account.api)),
  baseURL: async ({ product }, use) => use(product.url),
});
test.slow();

/** Opens the pair with the issue number `first` and the next higher number. */
async function choose(page: Page, testTracker: TestTracker, first: number) {
  const keys = { older: testTracker.keyOf(first), newer: testTracker.keyOf(first + 1) };
  await page.goto('/console/issues');
  await searchPairs(page, TITLES[first - 1] ?? '');
  const row = pairRow(page, keys);
  await expect(row).toBeVisible({ timeout: 20_000 });
  await row.focus();
  return keys;
}

/**
 * Undoes the last decision. Expects both issues of the pair to be in the state before the decision.
 */
async function expectUndone(
  page: Page,
  testTracker: TestTracker,
  first: number,
  before: unknown,
): Promise<void> {
  await page.keyboard.press('z');
  await expect(toast(page, /^Undone: /)).toBeVisible({ timeout: 15_000 });
  expect(both(testTracker, first)).toEqual(before);
}

const both = (testTracker: TestTracker, first: number) =>
  [testTracker.inspect(first), testTracker.inspect(first + 1)] as const;

/**
 * Returns the issue of the pair whose state has changed. Both were created at the same time, so
 * Winnow may close the first or the second.
 */
function closedOf(testTracker: TestTracker, first: number, before: ReturnType<typeof both>) {
  return both(testTracker, first).filter(({ state }, index) => state !== before[index]?.state);
}

for (const kind of Object.keys(TEST_TRACKERS)) {
  test.describe(kind, () => {
    test.use({ kind });

    test('a pair is closed, merged, deconflicted and marked as unrelated, and each decision is undone completely', async ({
      page,
      testTracker,
    }) => {
      await test.step('close as duplicate', async () => {
        const before = both(testTracker, 1);
        await choose(page, testTracker, 1);
        await page.keyboard.press('d');
        const dialog = page.getByRole('dialog', { name: /Close as Duplicate/ });
        await expect(dialog.getByRole('button', { name: 'Close as Duplicate' })).toBeEnabled();
        await page.keyboard.press('Control+Enter');
        await expect(toast(page, /^Closed .* as duplicate of /)).toBeVisible();
        expect(closedOf(testTracker, 1, before)).toHaveLength(1);
        await expectUndone(page, testTracker, 1, before);
      });

      await test.step('merge', async () => {
        const before = both(testTracker, 3);
        await choose(page, testTracker, 3);
        await page.keyboard.press('m');
        const dialog = page.getByRole('dialog', { name: /Merge Issues/ });
        await dialog.getByLabel('Title').fill('One title for both');
        await expect(dialog.getByRole('button', { name: 'Resolve by Merging' })).toBeEnabled();
        await page.keyboard.press('Control+Enter');
        await expect(toast(page, /^Merged /)).toBeVisible();
        const [closed] = closedOf(testTracker, 3, before);
        expect(both(testTracker, 3).filter((look) => look.title === 'One title for both')).toHaveLength(1);
        expect(closed?.title).toBe(before[0].title);
        await expectUndone(page, testTracker, 3, before);
      });

      await test.step('deconflict', async () => {
        const before = both(testTracker, 5);
        const { older, newer } = await choose(page, testTracker, 5);
        await page.keyboard.press('x');
        const dialog = page.getByRole('dialog', { name: /Deconflict Issues/ });
        await dialog.getByLabel(`Title of ${older}`).fill('Login loops on Linux');
        await dialog.getByLabel(`Description of ${newer}`).fill('Only on **Windows**.');
        await expect(dialog.getByRole('button', { name: 'Resolve by Deconflicting' })).toBeEnabled();
        await page.keyboard.press('Control+Enter');
        await expect(toast(page, /^Deconflicted /)).toBeVisible();
        const [first, second] = both(testTracker, 5);
        expect([first.title, first.state]).toEqual(['Login loops on Linux', before[0].state]);
        expect(JSON.stringify(second.text)).toContain('Windows');
        expect(second.state).toBe(before[1].state);
        await expectUndone(page, testTracker, 5, before);
      });

      await test.step('unrelated', async () => {
        const before = both(testTracker, 7);
        await choose(page, testTracker, 7);
        await page.keyboard.press('u');
        await expect(toast(page, /as unrelated\./)).toBeVisible();
        expect(both(testTracker, 7)).toEqual(before);
        await expectUndone(page, testTracker, 7, before);
      });
    });
  });
}
