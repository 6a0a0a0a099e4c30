import type { Page } from '@playwright/test';
import { pairList } from '@winnow/contract/duplicate';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { type Account, connect, whenCompared } from '@winnow/tools/browser/account.ts';
import { pressDeliberately } from '@winnow/tools/browser/press-deliberately.ts';
import { pairPanel, pairRows, searchPairs, toast } from '@winnow/tools/browser/similarity.ts';
import { expect, OPEN_PAIRS, signedIn } from '../fixtures/test.ts';

const OWNER = 'ada';
const TOKEN = 'queue-token';
const THINGS = [
  ['calendar', 'loses the time zone of shared events after daylight saving'],
  ['printer', 'cuts the right margin of landscape pages on thick paper'],
  ['importer', 'stops at the first quoted semicolon of a spreadsheet'],
  ['thermostat', 'drifts two degrees upward overnight while heating rests'],
  ['camera', 'flickers green when the ambient lamp dims slowly'],
  ['scanner', 'rotates receipts upside down without asking anybody'],
  ['keyboard', 'repeats vowels when typed quickly in Portuguese'],
  ['mailer', 'forgets attachments larger than nine megabytes'],
  ['router', 'drops the guest network each Thursday evening'],
  ['editor', 'indents pasted bullet lists with stray tabulators'],
  ['player', 'skips the last second of mono recordings'],
  ['balance', 'shows negative weights for humid flour'],
] as const;
const SERIES = ['Danish', 'Finnish', 'Greek', 'Hungarian'];

const SECOND_PAGE = `${OPEN_PAIRS}&page=2`;

/** Returns issues that different people reported twice, and a series of issues by one author. */
function seedIssues(): GitHubSeedIssue[] {
  const reports = ['first', 'second'].flatMap((reader, copy) =>
    THINGS.map(([thing, fault], at) => ({
      title: `The ${thing} ${fault}`,
      body: `Our ${thing} ${fault}. Seen by a ${reader} reader.`,
      user: copy === 0 ? OWNER : 'grace',
      created_at: new Date(Date.UTC(2026, copy, at + 1)).toISOString(),
    })),
  );
  const series = SERIES.map((language, at) => ({
    title: `Translate the settings of the whole application into ${language}`,
    body: 'Part of #1. All texts of the settings are translated, reviewed and released.',
    user: OWNER,
    created_at: new Date(Date.UTC(2026, 3, at + 1)).toISOString(),
  }));
  return [...reports, ...series];
}

/** Connects an emulated tracker with the seeded issues, and waits until their pairs are known. */
async function withQueue(
  account: Account,
  use: () => Promise<void>,
  issues: readonly GitHubSeedIssue[] = seedIssues(),
): Promise<void> {
  const emulator = await startGitHubEmulator({
    seed: {
      users: [{ login: OWNER }, { login: 'grace' }],
      tokens: [{ token: TOKEN, login: OWNER }],
      repos: [{ owner: OWNER, name: 'house', issues: [...issues] }],
    },
  });
  try {
    await connect(account, {
      name: 'House',
      type: 'github',
      url: emulator.url,
      api_key: TOKEN,
      scope_rules: [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: OWNER }],
      config: {},
    });
    await whenCompared(account);
    await use();
  } finally {
    await emulator.close();
  }
}

/**
 * Returns the number of resolved pairs in the account. The page displays a decision before it is
 * stored, so tests check this number.
 */
async function countResolved({ api }: Account): Promise<number> {
  const path = '/issue-duplicates?status=all&resolution=resolved&scope=account';
  return (await api.get(path, pairList)).total;
}

/** Returns the link to the queue in the sidebar. The link shows the number of pairs to decide. */
const inSidebar = (page: Page) => page.getByRole('link', { name: /^Similarity/ });

signedIn('ten quick decisions at the end of a page decide ten pairs', async ({ page, account }) => {
  await withQueue(account, async () => {
    await page.goto('/console/issues');
    await expect(pairRows(page)).toHaveCount(10);
    await expect(inSidebar(page)).toHaveText(/\d/);
    const total = Number(/\d+/.exec((await inSidebar(page).textContent()) ?? '')?.[0]);
    expect(total).toBeGreaterThan(11);
    await pairRows(page).nth(7).focus();
    for (let press = 0; press < 10; press += 1) await pressDeliberately(page, 'u');
    await expect(inSidebar(page)).toHaveText(new RegExp(`^Similarity${total - 10} pairs? to decide$`));
    await expect(pairRows(page)).toHaveCount(total - 10);
    await expect.poll(() => countResolved(account)).toBe(10);
  });
});

signedIn('keys pressed after the last decision decide about nothing', async ({ page, account }) => {
  await withQueue(account, async () => {
    await page.goto('/console/issues');
    await expect(inSidebar(page)).toHaveText(/\d/);
    const total = Number(/\d+/.exec((await inSidebar(page).textContent()) ?? '')?.[0]);
    await page.goto('/console/issues?page=2');
    await pairRows(page).first().focus();
    for (let press = 0; press < total + 3; press += 1) await pressDeliberately(page, 'u');
    await expect(inSidebar(page)).toHaveText(/^Similarity$/);
    await page.getByRole('button', { name: /^To decide/ }).click();
    // The decided pairs are on the first page.
    await page.getByRole('link', { name: 'Next page' }).click();
    const open = pairRows(page).filter({ has: page.getByRole('button', { name: 'Resolve' }) });
    await open.first().click();
    await expect(pairPanel(page).getByRole('article')).toHaveCount(2);
    await expect(pairPanel(page).getByRole('button', { name: 'Resolve' })).toBeEnabled();
    await expect.poll(() => countResolved(account)).toBe(total);
  });
});

signedIn('a series is one row, and is dismissed and listed again as a whole', async ({ page, account }) => {
  await withQueue(account, async () => {
    // The twelve pairs of equal reports are on the first page.
    await page.goto(SECOND_PAGE);
    const row = pairRows(page).filter({ hasText: 'Series of 4' });
    await expect(row).toHaveCount(1);
    await expect(row).toContainText('Translate the settings of the whole application into …');
    await row.click();
    const note = pairPanel(page).getByRole('note').filter({ hasText: 'Series of 4 issues' });
    await expect(note).toContainText('“Translate the settings of the whole application into …”');
    await expect(note).toContainText('Dismissing that pair dismisses the series.');
    await pairPanel(page).getByRole('button', { name: 'Dismiss the series' }).click();
    await expect(row).toHaveCount(0);
    const dismissed = toast(page, 'Dismissed the series');
    await dismissed.getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, 'Restored the series')).toBeVisible();
    await expect(row).toHaveCount(1);

    // Decides by key and undoes that decision. The earlier decision must stay unchanged.
    await row.focus();
    await pressDeliberately(page, 'e');
    await expect(row).toHaveCount(0);
    await pressDeliberately(page, 'z');
    await expect(toast(page, 'Restored the series')).toBeVisible();
    await expect(row).toHaveCount(1);

    await row.getByRole('checkbox').check();
    await pressDeliberately(page, 'e');
    await page
      .getByRole('button', { name: /^Dismiss/ })
      .last()
      .click();
    await expect(row).toHaveCount(0);
    await page.reload();
    await expect(pairRows(page).first()).toBeVisible();
    await expect(row).toHaveCount(0);
    await page.goto(`${OPEN_PAIRS}&dismissed=true`);
    await row.getByRole('button', { name: 'Restore the series' }).click();
    await expect(toast(page, 'Restored the series')).toBeVisible();
    await page.goto(SECOND_PAGE);
    await expect(row).toHaveCount(1);
  });
});

signedIn('the panel gives the reasons of a probability', async ({ page, account }) => {
  await withQueue(account, async () => {
    await page.goto('/console/issues');
    await pairRows(page).first().click();
    const probability = pairPanel(page).getByRole('region', { name: 'Probability' });
    await expect(probability).toContainText(/Probability\d+%/);
    await expect(probability.getByRole('list', { name: 'Raises the probability' })).toContainText(
      /is open\./,
    );
    await expect(probability.getByText(/^[+−]\d+ points?$/).first()).toBeVisible();
    await expect(pairPanel(page).getByText(/^One line differs: | has one extra line: /)).toBeHidden();
  });
});

signedIn('texts that differ in one line name that line', async ({ page, account }) => {
  const [, fault] = THINGS[0];
  const report = (version: string, month: number): GitHubSeedIssue => ({
    title: `The calendar ${fault}`,
    body: `Our calendar ${fault}.\n\nIt began after the update.\n\nVersion ${version}`,
    user: OWNER,
    created_at: new Date(Date.UTC(2026, month, 1)).toISOString(),
  });
  const use = async () => {
    await page.goto(OPEN_PAIRS);
    await pairRows(page).first().click();
    const sentence = 'One line differs: ada/house#1 says “Version 4.1”, ada/house#2 says “Version 4.2”.';
    await expect(pairPanel(page).getByText(sentence)).toBeVisible();
  };
  await withQueue(account, use, [report('4.1', 0), report('4.2', 1)]);
});

signedIn('a badge keeps its verdict while another list is being judged', async ({ page, account }) => {
  await withQueue(account, async () => {
    await page.goto('/console/issues');
    const row = pairRows(page).filter({ hasText: 'The printer' });
    await expect(row.getByText('Duplicate', { exact: true })).toBeVisible();
    // Requests for the verdicts of the next list never get a response.
    await page.route(/issue-duplicates\/check-batch$/, () => undefined);
    const asked = page.waitForRequest(/issue-duplicates\/check-batch$/);
    await searchPairs(page, 'printer');
    await asked;
    await expect(pairRows(page)).toHaveCount(1);
    await expect(row.getByText('Duplicate', { exact: true })).toBeVisible();
  });
});

signedIn(
  'pairs are judged by button and by key, and a second press removes the judgment',
  async ({ page, account }) => {
    await withQueue(account, async () => {
      await page.goto('/console/issues');
      await pairRows(page).first().click();
      const own = pairPanel(page).getByRole('region', { name: 'Your judgment' });
      await own.getByRole('button', { name: 'Related' }).click();
      await expect(own.getByRole('button', { name: 'Related' })).toHaveAttribute('aria-pressed', 'true');
      await expect(pairRows(page).first()).toContainText('Related');
      await own.getByRole('button', { name: 'Related' }).click();
      await expect(own.getByRole('button', { name: 'Related' })).toHaveAttribute('aria-pressed', 'false');
      await page.keyboard.press('Escape');

      // Pressing the key judges the current pair and moves to the next pair.
      await pairRows(page).first().focus();
      const toDecide = async () => Number(/\d+/.exec((await inSidebar(page).textContent()) ?? '')?.[0]);
      const before = await toDecide();
      for (const key of ['1', '2', '3']) await pressDeliberately(page, key);
      for (const [at, label] of ['Same', 'Related'].entries()) {
        await expect(pairRows(page).nth(at)).toContainText(label);
      }
      // A pair judged as different leaves the queue and the sidebar count. The pair returns when
      // the judgment is undone.
      await expect.poll(toDecide).toBe(before - 1);
      await expect(pairRows(page).filter({ hasText: 'Different' })).toHaveCount(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(toDecide).toBe(before);
      await page.reload();
      await expect(pairRows(page).nth(1)).toContainText('Related');
    });
  },
);

signedIn(
  'the minimum probability of the account decides what the queue and the sidebar count',
  async ({ page, account }) => {
    await withQueue(account, async () => {
      await page.goto('/console/issues');
      await expect(inSidebar(page)).toHaveText(/\d/);
      const before = Number(/\d+/.exec((await inSidebar(page).textContent()) ?? '')?.[0]);
      await page.getByRole('button', { name: 'Filters' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Filters' });
      await dialog.getByRole('combobox', { name: 'Minimum probability of the queue' }).selectOption('10%');
      await expect(dialog.getByRole('radio', { name: 'Same as the queue (10% or more)' })).toBeChecked();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(inSidebar(page)).toHaveText(new RegExp(`^Similarity${before + 1} pairs to decide$`));
      await expect(page.getByText(/with a probability of 10% or more\./)).toBeVisible();
      await page.reload();
      await expect(page.getByRole('button', { name: `To decide: ${before + 1}` })).toBeVisible();
    });
  },
);
