import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { change, changeList, resolutionResult } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { issuesCount } from '@winnow/contract/issue';
import { type GitLabEmulator, startGitLabEmulator } from '@winnow/emulators/gitlab/emulator';
import { type JiraEmulator, startJiraEmulator } from '@winnow/emulators/jira/emulator';
import type { JiraDeployment } from '@winnow/emulators/jira/seed';
import { type ServerProcess, startServer } from '@winnow/server/src/testing/server-process.ts';
import { type Account, newAccount, signedInState, whenCompared } from '@winnow/tools/browser/account.ts';
import {
  openNewTracker,
  organizationLine,
  projectLine,
  trackerCard,
} from '@winnow/tools/browser/trackers.ts';
import { eventually } from '@winnow/tools/product/api.ts';

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
  /** Emulates Jira Cloud: users sign in with an email address, and texts are documents in JSON. */
  cloud: JiraEmulator;
}

async function useJira(
  deployment: JiraDeployment,
  titles: string[],
  use: (jira: JiraEmulator) => Promise<void>,
): Promise<void> {
  const issues = titles.map((summary) => ({ summary, description: TEXT }));
  const emulator = await startJiraEmulator({
    deployment,
    seed: {
      users: [{ name: 'ada', email: 'ada@example.com' }],
      tokens: [{ token: JIRA_TOKEN, user: 'ada' }],
      projects: [
        { key: 'WIN', name: 'Winnow', issues },
        { key: 'OPS', name: 'Operations', issues: [{ summary: 'Renew the certificate' }] },
      ],
    },
  });
  await use(emulator);
  await emulator.close();
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
  jira: ({ titles }, use) => useJira('data_center', titles, use),
  cloud: ({ titles }, use) => useJira('cloud', titles, use),
  product: async ({ gitlab, jira, cloud }, use) => {
    const hosts = [gitlab, jira, cloud].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const product = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: hosts } });
    await use(product);
    await product.remove();
  },
  account: async ({ product }, use) => use(await newAccount(product.url)),
  storageState: async ({ product, account }, use) => use(signedInState(product.url, account.api)),
  baseURL: async ({ product }, use) => use(product.url),
});
test.slow();

/** Values that a user enters to connect a tracker. */
interface Connection {
  name: string;
  type: string;
  url: string;
  username?: string;
  token: string;
}

/**
 * Fills in the connection (step 1) of a new tracker. Returns the dialog at the next step, the
 * scope.
 */
async function describeTracker(
  page: Page,
  { name, type, url, username, token }: Connection,
): Promise<Locator> {
  await page.goto('/console/trackers');
  const dialog = await openNewTracker(page);
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: type }).click();
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('URL').fill(url);
  if (username !== undefined) await dialog.getByLabel('Jira Username').fill(username);
  await dialog.getByRole('textbox', { name: 'API Key' }).fill(token);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect(dialog).toHaveAccessibleName('Configure Project Scope');
  return dialog;
}

async function add(page: Page, connection: Connection, organization: string): Promise<void> {
  const dialog = await describeTracker(page, connection);
  await organizationLine(dialog, organization).click();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(trackerCard(page, connection.name)).toContainText(connection.type);
}

/** Closes the newer issue of the only pair. Returns the keys of both issues. */
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

test('a GitLab is added, its duplicate is closed, and GitLab shows it as closed', async ({
  page,
  account,
  gitlab,
}) => {
  await add(page, { name: 'Work', type: 'GitLab', url: gitlab.url, token: GITLAB_TOKEN }, 'Acme');
  await whenCompared(account);
  expect((await closeTheDuplicate(account)).toSorted()).toEqual(['acme/app#1', 'acme/app#2']);
  const states = gitlab.state().projects.flatMap(({ items }) => items.map(({ state }) => state));
  expect(states.toSorted()).toEqual(['closed', 'opened']);
});

test('a Jira is added, its duplicate is closed, and Jira shows it as done', async ({
  page,
  account,
  jira,
}) => {
  const office = { name: 'Office', type: 'Jira', url: jira.siteUrl, token: JIRA_TOKEN };
  await add(page, office, `127.0.0.1:${jira.port}`);
  await whenCompared(account);
  expect((await closeTheDuplicate(account)).toSorted()).toEqual(['WIN-1', 'WIN-2']);
  const done = jira.issues('WIN').filter(({ resolution }) => resolution !== null);
  expect(done).toHaveLength(1);
});

test('a Jira Cloud project is selected and synced; its duplicate is closed there and reopened by undo', async ({
  page,
  account,
  cloud,
}) => {
  const connection = { name: 'Cloud', type: 'Jira', url: cloud.siteUrl, token: JIRA_TOKEN };
  const dialog = await describeTracker(page, { ...connection, username: 'ada@example.com' });
  await organizationLine(dialog, `127.0.0.1:${cloud.port}`).click();
  await projectLine(dialog, 'Operations').click();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(trackerCard(page, 'Cloud').getByText(/^Up to date/)).toBeVisible();
  await whenCompared(account);
  expect((await account.api.get('/issues-count', issuesCount)).total_issues).toBe(2);

  expect((await closeTheDuplicate(account)).toSorted()).toEqual(['WIN-1', 'WIN-2']);
  const closed = () => cloud.issues('WIN').filter(({ category }) => category === 'done');
  expect(closed()).toHaveLength(1);
  expect(closed().flatMap(({ links }) => links)).toEqual([expect.stringMatching(/^duplicates WIN-\d$/)]);

  const [decided] = (await account.api.get('/changes?status=applied', changeList)).changes;
  await account.api.send('POST', `/changes/${decided?.id}/undo`, undefined, change);
  await expect.poll(closed).toEqual([]);
});
