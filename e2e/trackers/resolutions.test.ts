import { test as base, expect, type Page } from '@playwright/test';
import { DESKS, type Desk } from '@winnow/emulators/testing/desks';
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
  desk: Desk;
  product: ServerProcess;
  account: Account;
}

const test = base.extend<Parts>({
  kind: ['', { option: true }],
  desk: async ({ kind }, use) => {
    const desk = await DESKS[kind]?.(TITLES);
    if (desk === undefined) throw new Error(`There is no ${kind}.`);
    await use(desk);
    await desk.close();
  },
  product: async ({ desk }, use) => {
    const product = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: desk.host } });
    await use(product);
    await product.remove();
  },
  account: async ({ product, desk, kind }, use) => {
    const account = await newAccount(product.url);
    await connect(account, { name: kind, ...desk.connection });
    await whenCompared(account);
    await use(account);
  },
  storageState: async ({ product, account }, use) => use(signedInState(product.url, account.api)),
  baseURL: async ({ product }, use) => use(product.url),
});
test.slow();

/** Opens the pair of an issue and the next one in the list. */
async function choose(page: Page, desk: Desk, first: number) {
  const keys = { older: desk.keyOf(first), newer: desk.keyOf(first + 1) };
  await page.goto('/console/issues');
  await searchPairs(page, TITLES[first - 1] ?? '');
  const row = pairRow(page, keys);
  await expect(row).toBeVisible({ timeout: 20_000 });
  await row.focus();
  return keys;
}

/** Undoes the last decision, and expects both issues of the tracker as they were. */
async function expectUndone(page: Page, desk: Desk, first: number, before: unknown): Promise<void> {
  await page.keyboard.press('z');
  await expect(toast(page, /^Undone: /)).toBeVisible({ timeout: 15_000 });
  expect(both(desk, first)).toEqual(before);
}

const both = (desk: Desk, first: number) => [desk.look(first), desk.look(first + 1)] as const;

/**
 * Returns the issue of the pair whose state changed. Both were created at the same time, so either
 * may be closed.
 */
function closedOf(desk: Desk, first: number, before: ReturnType<typeof both>) {
  return both(desk, first).filter(({ state }, index) => state !== before[index]?.state);
}

for (const kind of Object.keys(DESKS)) {
  test.describe(kind, () => {
    test.use({ kind });

    test('a pair is closed, merged, deconflicted and marked as unrelated, and each decision is undone completely', async ({
      page,
      desk,
    }) => {
      await test.step('close as duplicate', async () => {
        const before = both(desk, 1);
        await choose(page, desk, 1);
        await page.keyboard.press('d');
        const dialog = page.getByRole('dialog', { name: /Close as Duplicate/ });
        await expect(dialog.getByRole('button', { name: 'Close as Duplicate' })).toBeEnabled();
        await page.keyboard.press('Control+Enter');
        await expect(toast(page, /^Closed .* as duplicate of /)).toBeVisible();
        expect(closedOf(desk, 1, before)).toHaveLength(1);
        await expectUndone(page, desk, 1, before);
      });

      await test.step('merge', async () => {
        const before = both(desk, 3);
        await choose(page, desk, 3);
        await page.keyboard.press('m');
        const dialog = page.getByRole('dialog', { name: /Merge Issues/ });
        await dialog.getByLabel('Title').fill('One title for both');
        await expect(dialog.getByRole('button', { name: 'Resolve by Merging' })).toBeEnabled();
        await page.keyboard.press('Control+Enter');
        await expect(toast(page, /^Merged /)).toBeVisible();
        const [closed] = closedOf(desk, 3, before);
        expect(both(desk, 3).filter((look) => look.title === 'One title for both')).toHaveLength(1);
        expect(closed?.title).toBe(before[0].title);
        await expectUndone(page, desk, 3, before);
      });

      await test.step('deconflict', async () => {
        const before = both(desk, 5);
        const { older, newer } = await choose(page, desk, 5);
        await page.keyboard.press('x');
        const dialog = page.getByRole('dialog', { name: /Deconflict Issues/ });
        await dialog.getByLabel(`Title of ${older}`).fill('Login loops on Linux');
        await dialog.getByLabel(`Description of ${newer}`).fill('Only on **Windows**.');
        await expect(dialog.getByRole('button', { name: 'Resolve by Deconflicting' })).toBeEnabled();
        await page.keyboard.press('Control+Enter');
        await expect(toast(page, /^Deconflicted /)).toBeVisible();
        const [first, second] = both(desk, 5);
        expect([first.title, first.state]).toEqual(['Login loops on Linux', before[0].state]);
        expect(JSON.stringify(second.text)).toContain('Windows');
        expect(second.state).toBe(before[1].state);
        await expectUndone(page, desk, 5, before);
      });

      await test.step('unrelated', async () => {
        const before = both(desk, 7);
        await choose(page, desk, 7);
        await page.keyboard.press('u');
        await expect(toast(page, /as unrelated\./)).toBeVisible();
        expect(both(desk, 7)).toEqual(before);
        await expectUndone(page, desk, 7, before);
      });
    });
  });
}
