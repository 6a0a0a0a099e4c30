import { test as base, expect, type Page } from '@playwright/test';
import { changeList, resolutionResult } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { type Account, newAccount, signedInState, whenCompared } from '@winnow/tools/browser/account.ts';
import { openNewTracker, organizationLine, trackerCard } from '@winnow/tools/browser/trackers.ts';
import { type GitLabEmulator, startGitLabEmulator } from '@winnow/tools/emulators/gitlab/emulator.ts';
import { type JiraEmulator, startJiraEmulator } from '@winnow/tools/emulators/jira/emulator.ts';
import { eventually } from '@winnow/tools/product/api.ts';
import { type ServerProcess, startServer } from '@winnow/tools/product/server-process.ts';

const TITLE = 'Sync stops after the laptop wakes up';
const TEXT = 'The client says "connected", but nothing is uploaded until it is started again.';
const GITLAB_TOKEN = 'glpat-0123456789abcdefghij';
const JIRA_TOKEN = 'NjE4OTU0NzU2MTU3Oq4x5mA0Vd2kHn7sYt3rBq9w';

interface Parts {
  titles: string[];
  product: ServerProcess;
  account: Account;
  gitlab: GitLabEmulator;
  jira: JiraEmulator;
}

const test = base.extend<Parts>({
  titles: [TITLE, TITLE],
  gitlab: async ({ titles }, use) => {
    const issues = titles.map((title) => ({ title, description: TEXT }));
    const emulator = await startGitLabEmulator({
      seed: {
        users: [{ username: 'ada' }],
        groups: [{ full_path: 'acme', name: 'Acme', members: { ada: 'maintainer' } }],
        projects: [{ path_with_namespace: 'acme/app', issues }],
        tokens: [{ token: GITLAB_TOKEN, username: 'ada' }],
      },
    });
    await use(emulator);
    await emulator.close();
  },
  jira: async ({ titles }, use) => {
    const issues = titles.map((summary) => ({ summary, description: TEXT }));
    const emulator = await startJiraEmulator({
      deployment: 'data_center',
      seed: {
        users: [{ name: 'ada' }],
        tokens: [{ token: JIRA_TOKEN, user: 'ada' }],
        projects: [{ key: 'WIN', name: 'Winnow', issues }],
      },
    });
    await use(emulator);
    await emulator.close();
  },
  product: async ({ gitlab, jira }, use) => {
    const hosts = [gitlab, jira].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const product = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: hosts } });
    await use(product);
    await product.remove();
  },
  account: async ({ product }, use) => use(await newAccount(product.url)),
  storageState: async ({ product, account }, use) => use(signedInState(product.url, account.api)),
  baseURL: async ({ product }, use) => use(product.url),
});
test.slow();

async function add(page: Page, name: string, type: string, url: string, token: string, organization: string) {
  await page.goto('/console/trackers');
  const dialog = await openNewTracker(page);
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: type }).click();
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByRole('textbox', { name: 'API Key' }).fill(token);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect(dialog).toHaveAccessibleName('Configure Project Scope');
  await organizationLine(dialog, organization).click();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(trackerCard(page, name)).toContainText(type);
}

/** Closes the newer issue of the one pair there is, and answers both keys. */
async function closeTheDuplicate({ api }: Account): Promise<string[]> {
  const [pair] = (await api.get('/issue-duplicates?status=opened', pairList)).duplicates;
  if (pair === undefined) throw new Error('There is no pair.');
  const payload = { issue1_id: pair.issue1.id, issue2_id: pair.issue2.id, resolution: 'close_b' };
  await api.send('PATCH', '/issue-duplicates/execute-resolution', payload, resolutionResult);
  await eventually(
    async () => {
      const { changes } = await api.get('/changes?status=applied', changeList);
      return changes.length > 0 ? true : null;
    },
    { timeoutMs: 30_000 },
  );
  return [pair.issue1.key, pair.issue2.key];
}

test('a GitLab is added, its duplicate closed, and GitLab shows it closed', async ({
  page,
  account,
  gitlab,
}) => {
  await add(page, 'Work', 'GitLab', gitlab.url, GITLAB_TOKEN, 'Acme');
  await whenCompared(account);
  expect((await closeTheDuplicate(account)).toSorted()).toEqual(['acme/app#1', 'acme/app#2']);
  const states = gitlab.state().projects.flatMap(({ items }) => items.map(({ state }) => state));
  expect(states.toSorted()).toEqual(['closed', 'opened']);
});

test('a Jira is added, its duplicate closed, and Jira shows it done', async ({ page, account, jira }) => {
  await add(page, 'Office', 'Jira', jira.siteUrl, JIRA_TOKEN, `127.0.0.1:${jira.port}`);
  await whenCompared(account);
  expect((await closeTheDuplicate(account)).toSorted()).toEqual(['WIN-1', 'WIN-2']);
  const done = jira.issues('WIN').filter(({ resolution }) => resolution !== null);
  expect(done).toHaveLength(1);
});
