import type { Page } from '@playwright/test';
import { pairList } from '@winnow/contract/duplicate';
import { PASSWORD } from '../product/api.ts';
import { createKey, openNewKey } from './api-keys.ts';
import { changePanel, changeRows } from './changes.ts';
import { clusterPanel, clusterRows, openClusters } from './clusters.ts';
import { complianceScreens } from './compliance-screens.ts';
import { whenScanned } from './dependencies.ts';
import { flowScreens } from './flow-screens.ts';
import { addServer, fillServer, openNewServer } from './mcp-servers.ts';
import { addModel, fillModel, openNewModel } from './models.ts';
import { pairPanel, pairRow, pairRows, recentDecisions, samplePairs, toast } from './similarity.ts';
import {
  fillConnection,
  openEditTracker,
  openNewTracker,
  organizationLine,
  projectLine,
  trackerCard,
} from './trackers.ts';

/**
 * User who views a screen: an anonymous visitor, a user without a tracker (`newcomer`), or a user
 * with a compared sample backlog (`reader`, `decider`).
 */
export type ScreenViewer = 'visitor' | 'newcomer' | 'reader' | 'decider';

/** A tracker to connect. The fields contain its address and tokens. */
interface Connection {
  url: string;
  token: string;
  /** A read-only token. The tracker does not report its permissions. */
  readOnlyToken: string;
  organization: string;
  project: string;
}

/** A screen or dialog in a certain state. */
export interface ScreenState {
  /** Unique name of the state, valid as a file name, such as `similarity-filters`. */
  name: string;
  /**
   * User who views the state. A `decider` changes the account and needs a separate one. A `reader`
   * does not change it.
   */
  viewer: ScreenViewer;
  /**
   * States with the same value can share a `decider` account. They are opened in the listed order
   * and do not affect each other.
   */
  shares?: 'flows' | 'proposals' | 'settings';
  /** True if the state exists only at phone width. */
  narrowOnly?: boolean;
  /**
   * Opens the state and waits until it is visible. The page must already have at least its final
   * width.
   */
  open(page: Page, connection: Connection): Promise<void>;
}

/** All screens and dialogs. The accessibility checks and the screenshots visit each of them. */
export const everyScreen: readonly ScreenState[] = [
  { name: 'sign-in', viewer: 'visitor', open: (page) => openHeading(page, '/login', 'Sign in') },
  {
    name: 'sign-in-refused',
    viewer: 'visitor',
    async open(page) {
      await openHeading(page, '/login', 'Sign in');
      await page.getByLabel('Username').fill('nobody');
      await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Invalid username or password').waitFor();
    },
  },
  {
    name: 'register',
    viewer: 'visitor',
    open: (page) => openHeading(page, '/register', 'Create your account'),
  },
  {
    name: 'register-refused',
    viewer: 'visitor',
    async open(page) {
      await openHeading(page, '/register', 'Create your account');
      await page.getByRole('button', { name: 'Sign up' }).click();
      await page.getByText('Enter your email address.').waitFor();
    },
  },
  {
    name: 'overview-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console');
      await page.getByText('No projects found.').waitFor();
    },
  },
  {
    name: 'trackers-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/trackers');
      await page.getByText('Connect your first tracker').waitFor();
    },
  },
  {
    name: 'tracker-dialog-refused',
    viewer: 'newcomer',
    async open(page, { url }) {
      await page.goto('/console/trackers');
      const dialog = await openNewTracker(page);
      await fillConnection(dialog, { name: 'Kitchen', url, token: 'ghp_mistyped' });
      await dialog.getByRole('alert').waitFor();
    },
  },
  {
    name: 'tracker-dialog-scope',
    viewer: 'newcomer',
    async open(page, { url, token, organization, project }) {
      await page.goto('/console/trackers');
      const dialog = await openNewTracker(page);
      await fillConnection(dialog, { name: 'Kitchen', url, token });
      await organizationLine(dialog, organization).click();
      await projectLine(dialog, project).click();
    },
  },
  {
    name: 'api-keys-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/api-keys');
      await page.getByText('No API keys yet').waitFor();
    },
  },
  {
    name: 'api-key-dialog',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/api-keys');
      await openNewKey(page);
    },
  },
  {
    name: 'api-key-created',
    viewer: 'decider',
    shares: 'settings',
    async open(page) {
      await page.goto('/console/settings/api-keys');
      await createKey(page, 'Build server');
    },
  },
  {
    name: 'api-key-left',
    viewer: 'decider',
    shares: 'settings',
    async open(page) {
      await page.goto('/console/settings/api-keys');
      const { shown } = await createKey(page, 'Build server');
      await shown.getByRole('button', { name: 'Close' }).click();
      await shown.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'api-keys',
    viewer: 'decider',
    shares: 'settings',
    async open(page) {
      await page.goto('/console/settings/api-keys');
      const { shown } = await createKey(page, 'Laptop');
      await shown.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('table', { name: 'API keys' }).waitFor();
    },
  },
  {
    name: 'api-usage-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/api-usage');
      await page.getByText('No requests yet').waitFor();
    },
  },
  {
    name: 'api-usage',
    viewer: 'decider',
    shares: 'settings',
    async open(page) {
      await page.goto('/console/settings/api-keys');
      const { key } = await createKey(page, 'Build server');
      const headers = { authorization: `Bearer ${key}` };
      for (const path of ['search', 'projects', 'issues/none']) {
        await page.request.get(`/api/v1/${path}`, { headers });
      }
      await page.goto('/console/api-usage');
      await page.getByRole('table', { name: 'Endpoints' }).waitFor();
    },
  },
  {
    name: 'api-usage-refused',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/api-usage?range=custom&from=2020-01-01&to=2024-01-01');
      await page.getByText('Choose at most 400.').waitFor();
    },
  },
  {
    name: 'models-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/ai-models');
      await page.getByText('The built-in analyst works without a key').waitFor();
    },
  },
  {
    name: 'models',
    viewer: 'decider',
    shares: 'settings',
    async open(page, { url }) {
      await page.goto('/console/settings/ai-models');
      await addModel(page, { name: 'Our own model', url: `${url}/v1` });
      await page.getByRole('table', { name: 'Models' }).waitFor();
    },
  },
  {
    name: 'model-dialog-refused',
    viewer: 'newcomer',
    async open(page, { url }) {
      await page.goto('/console/settings/ai-models');
      const dialog = await openNewModel(page);
      await fillModel(dialog, { name: 'Our own model', url: `${url}/v1` });
      await dialog.getByRole('button', { name: 'Test' }).click();
      await dialog.getByRole('alert').waitFor();
    },
  },
  {
    name: 'mcp-servers-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/mcp-servers');
      await page.getByText('Flows can use tools of other servers too').waitFor();
    },
  },
  {
    name: 'mcp-servers',
    viewer: 'decider',
    shares: 'settings',
    async open(page, { url }) {
      await page.goto('/console/settings/mcp-servers');
      await page.getByRole('table', { name: 'MCP servers' }).waitFor();
      await addServer(page, { name: 'Wiki', url: `${url}/mcp` });
      await page.getByRole('button', { name: /tools of winnow$/ }).click();
      await page.getByRole('region', { name: 'Tools' }).waitFor();
    },
  },
  {
    name: 'mcp-server-dialog-refused',
    viewer: 'newcomer',
    async open(page, { url }) {
      await page.goto('/console/settings/mcp-servers');
      const dialog = await openNewServer(page);
      await fillServer(dialog, { name: 'Wiki', url: `${url}/mcp` });
      await dialog.getByRole('button', { name: 'Test' }).click();
      await dialog.getByRole('alert').waitFor();
    },
  },
  {
    name: 'similarity-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/issues');
      await page.getByText('No projects found. Did you add a tracker?').waitFor();
    },
  },
  {
    name: 'overview',
    viewer: 'reader',
    async open(page) {
      await page.goto('/console');
      await page
        .getByRole('region', { name: 'Similar Issues per Project' })
        .getByRole('listitem')
        .first()
        .waitFor();
      await page
        .getByRole('region', { name: 'Similar Issue Suggestions' })
        .getByRole('listitem')
        .first()
        .waitFor();
    },
  },
  { name: 'trackers', viewer: 'reader', open: openTrackers },
  {
    name: 'tracker-dialog-edit-sample',
    viewer: 'reader',
    async open(page) {
      await openTrackers(page);
      await openEditTracker(page, 'Sample backlog');
    },
  },
  {
    name: 'tracker-delete',
    viewer: 'reader',
    async open(page) {
      await openTrackers(page);
      await page.getByRole('button', { name: 'Delete Sample backlog' }).click();
      await page.getByRole('dialog', { name: 'Confirm Deletion' }).waitFor();
    },
  },
  { name: 'similarity', viewer: 'reader', open: (page) => openPairs(page) },
  {
    name: 'similarity-filtered',
    viewer: 'reader',
    open: (page) => openPairs(page, '?status=all&resolution=all&probability=0&page=2'),
  },
  {
    name: 'similarity-within-one-project',
    viewer: 'reader',
    open: (page) => openPairs(page, '?scope=project&probability=0&query=link'),
  },
  {
    name: 'similarity-no-match',
    viewer: 'reader',
    async open(page) {
      await page.goto('/console/issues?query=nothing-has-this-name');
      await page.getByText('No duplicate issues found for the current filters.').waitFor();
    },
  },
  {
    name: 'similarity-failed',
    viewer: 'reader',
    async open(page) {
      await page.route('**/api/v1/issue-duplicates?*', (route) => route.fulfill({ status: 500, json: {} }));
      await page.goto('/console/issues');
      await page.getByRole('button', { name: 'Retry' }).waitFor();
    },
  },
  {
    name: 'similarity-loading',
    viewer: 'reader',
    async open(page) {
      await page.route('**/api/v1/issue-duplicates?*', () => undefined);
      await page.route('**/api/v1/project-duplicate-stats*', () => undefined);
      await page.goto('/console/issues');
      await page.getByRole('button', { name: 'Filters' }).waitFor();
    },
  },
  { name: 'pair', viewer: 'reader', open: openPair },
  {
    name: 'pair-loading',
    viewer: 'reader',
    async open(page) {
      await openPairs(page);
      await page.route(/issue-duplicates\/[0-9a-f-]{36}$/, () => undefined);
      await pairRow(page, samplePairs.consoleError).click();
      await page.getByRole('heading', { name: 'Issue Pair Details' }).waitFor();
    },
  },
  {
    name: 'filters-dialog',
    viewer: 'reader',
    async open(page) {
      await openPairs(page);
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('checkbox', { name: 'Skua Web' }).waitFor();
    },
  },
  { name: 'resolve-dialog', viewer: 'reader', open: (page) => openResolve(page) },
  {
    name: 'resolve-dialog-close',
    viewer: 'reader',
    async open(page) {
      await openResolve(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Close as Duplicate' }).click();
      await page.getByRole('heading', { name: /^3 writes to/ }).waitFor();
    },
  },
  {
    name: 'resolve-dialog-merge',
    viewer: 'reader',
    async open(page) {
      await openResolve(page);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Merge Issues/ })
        .click();
      await page.getByRole('heading', { name: /^4 writes to/ }).waitFor();
    },
  },
  {
    name: 'resolve-dialog-deconflict',
    viewer: 'reader',
    async open(page) {
      await openResolve(page);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: /^Deconflict Issues/ }).click();
      await page.getByRole('heading', { name: /^2 writes to/ }).waitFor();
      await dialog.getByRole('button', { name: 'Side by side' }).click();
      await dialog.getByRole('article').first().waitFor();
    },
  },
  {
    name: 'pair-resolved',
    viewer: 'decider',
    async open(page) {
      await openResolve(page, OPEN_PAIRS);
      await page.getByRole('button', { name: 'Mark as Unrelated' }).click();
      await toast(page, /^Marked/).waitFor();
      await pairRow(page, samplePairs.consoleError).click();
      await pairPanel(page).getByRole('region', { name: 'What was decided' }).waitFor();
    },
  },
  {
    name: 'similarity-decided',
    viewer: 'decider',
    async open(page) {
      await openPairs(page, OPEN_PAIRS);
      await pairRow(page, samplePairs.identical).getByRole('button', { name: 'Dismiss' }).click();
      await toast(page, /^Dismissed/).waitFor();
      for (const pair of [samplePairs.reworded, samplePairs.consoleError]) {
        await pairRow(page, pair).getByRole('button', { name: 'Resolve' }).click();
        await page.getByRole('button', { name: 'Mark as Unrelated' }).click();
        await toast(page, `Marked ${pair.older}`).waitFor();
      }
      await page.keyboard.press('z');
      await toast(page, /^Undone: Marked/).waitFor();
      await recentDecisions(page).getByRole('button', { name: 'Show more decisions' }).click();
      await recentDecisions(page).getByText('Undone', { exact: true }).waitFor();
    },
  },
  {
    name: 'pair-closed',
    viewer: 'decider',
    async open(page) {
      await openPairs(page, '?status=all&resolution=all&query=ERR_CHUNK_DIGEST', 1);
      await pairRow(page, samplePairs.sameError).getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();
      await page.getByRole('heading', { name: /^3 writes to/ }).waitFor();
      await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();
      await toast(page, /^Closed/).waitFor();
      await pairRow(page, samplePairs.sameError).click();
      await pairPanel(page).getByRole('region', { name: 'What was decided' }).waitFor();
    },
  },
  {
    name: 'similarity-selected',
    viewer: 'reader',
    async open(page) {
      await openPairs(page);
      await selectTwo(page);
    },
  },
  {
    name: 'bulk-dialog',
    viewer: 'reader',
    async open(page) {
      await openPairs(page);
      await selectTwo(page);
      await page.keyboard.press('d');
      await page.getByRole('button', { name: 'Close 2 issues' }).and(page.locator(':enabled')).waitFor();
    },
  },
  {
    name: 'bulk-left-out',
    viewer: 'reader',
    async open(page) {
      await openPairs(page, `${OPEN_PAIRS}&query=${encodeURIComponent('skua/sync#1236')}`, 2);
      for (const box of await page.getByRole('checkbox', { name: /^Select .* and / }).all())
        await box.check();
      await page.keyboard.press('d');
      await page.getByRole('list', { name: 'Left out' }).waitFor();
      await page
        .getByRole('button', { name: /^Close \d/ })
        .and(page.locator(':enabled'))
        .waitFor();
    },
  },
  {
    name: 'clusters-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/issues/clusters');
      await page.getByText('No projects found.').waitFor();
    },
  },
  {
    name: 'clusters',
    viewer: 'reader',
    async open(page) {
      await openClusters(page);
      await clusterRows(page).first().click();
      await clusterPanel(page).getByRole('heading', { name: 'Graph' }).waitFor();
    },
  },
  {
    name: 'clusters-loading',
    viewer: 'reader',
    async open(page) {
      await page.route('**/api/v1/clusters?*', () => undefined);
      await page.goto('/console/issues/clusters');
      await page.getByRole('combobox', { name: 'Order' }).waitFor();
    },
  },
  {
    name: 'clusters-failed',
    viewer: 'reader',
    async open(page) {
      await page.route('**/api/v1/clusters?*', (route) => route.fulfill({ status: 500, json: {} }));
      await page.goto('/console/issues/clusters');
      await page.getByRole('button', { name: 'Retry' }).waitFor();
    },
  },
  {
    name: 'cluster-merge-dialog',
    viewer: 'reader',
    async open(page) {
      await openClusters(page);
      await clusterRows(page).first().focus();
      await page.keyboard.press('m');
      await page.getByRole('dialog', { name: 'Merge another cluster' }).waitFor();
    },
  },
  {
    name: 'clusters-bulk',
    viewer: 'reader',
    async open(page) {
      await openClusters(page);
      await page.keyboard.press('a');
      const dialog = page.getByRole('dialog', { name: 'Resolve Several Clusters' });
      await dialog.getByRole('textbox', { name: 'Minimum probability' }).fill('40');
      await dialog
        .getByRole('button', { name: /^Close \d/ })
        .and(page.locator(':enabled'))
        .waitFor();
    },
  },
  {
    name: 'clusters-review',
    viewer: 'decider',
    async open(page) {
      await openClusters(page);
      await page.keyboard.press('b');
      await page.getByRole('heading', { name: 'Graph' }).waitFor();
    },
  },
  {
    name: 'dependencies-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/issues/dependencies');
      await page.getByText('Select a Project').waitFor();
    },
  },
  {
    name: 'dependencies',
    viewer: 'reader',
    async open(page) {
      await page.goto('/console/issues/dependencies');
      await whenScanned(page);
    },
  },
  {
    name: 'dependencies-graph',
    viewer: 'reader',
    async open(page) {
      await page.goto('/console/issues/dependencies?view=graph');
      await page.getByRole('table', { name: 'Dependencies' }).waitFor();
    },
  },
  ...complianceScreens,
  ...flowScreens,
  {
    name: 'changes-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/changes');
      await page.getByText('Nothing has been decided yet').waitFor();
    },
  },
  {
    name: 'changes-no-match',
    viewer: 'reader',
    async open(page) {
      await page.goto('/console/changes?status=failed');
      await page.getByText('No changes found for the current filters.').waitFor();
    },
  },
  {
    name: 'changes-failed',
    viewer: 'reader',
    async open(page) {
      await page.route('**/api/v1/changes?*', (route) => route.fulfill({ status: 500, json: {} }));
      await page.goto('/console/changes');
      await page.getByRole('button', { name: 'Retry' }).waitFor();
    },
  },
  {
    name: 'changes-loading',
    viewer: 'reader',
    async open(page) {
      await page.route('**/api/v1/changes?*', () => undefined);
      await page.goto('/console/changes');
      await page.getByRole('combobox', { name: 'Status' }).waitFor();
    },
  },
  {
    name: 'changes',
    viewer: 'decider',
    shares: 'proposals',
    async open(page) {
      await openProposals(page);
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'change-proposed',
    viewer: 'decider',
    shares: 'proposals',
    async open(page) {
      await openProposals(page);
      await changeRows(page).first().click();
      await changePanel(page).getByRole('button', { name: 'Approve' }).waitFor();
    },
  },
  {
    name: 'overview-proposals',
    viewer: 'decider',
    shares: 'proposals',
    async open(page) {
      await openProposals(page);
      await page.goto('/console');
      await page.getByRole('region', { name: 'Waiting for approval' }).waitFor();
    },
  },
  {
    name: 'change-undone',
    viewer: 'decider',
    shares: 'proposals',
    async open(page) {
      await openProposals(page);
      await changeRows(page).first().click();
      const panel = changePanel(page);
      await panel.getByRole('button', { name: 'Approve' }).click();
      await panel.getByRole('button', { name: 'Undo' }).click();
      await panel.getByText('Everything that was written has been undone.').waitFor();
    },
  },
  {
    name: 'plans',
    viewer: 'newcomer',
    async open(page) {
      await openHeading(page, '/console/pricing', 'Plans');
      await page.getByText('$200/mo').waitFor();
    },
  },
  {
    name: 'keyboard-shortcuts',
    viewer: 'reader',
    async open(page) {
      await openPairs(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'command-palette',
    viewer: 'reader',
    async open(page) {
      await openPairs(page);
      await page.keyboard.press('Control+K');
      await page
        .getByRole('button', { name: /Skua Web/ })
        .last()
        .waitFor();
    },
  },
  {
    name: 'command-palette-issue',
    viewer: 'reader',
    async open(page) {
      await openPalette(page, 'sync#1236');
      await page.getByRole('button', { name: 'Open issue skua/sync#1236' }).waitFor();
    },
  },
  {
    name: 'command-palette-nothing',
    viewer: 'reader',
    async open(page) {
      await openPalette(page, 'PAY-12');
      await page.getByText('Issue PAY-12 not found.').waitFor();
    },
  },
  {
    name: 'user-menu',
    viewer: 'reader',
    async open(page) {
      await openTrackers(page);
      await page.getByRole('button', { name: /^Account/ }).click();
      await page.getByRole('menuitem', { name: 'Sign Out' }).waitFor();
    },
  },
  {
    name: 'theme-menu',
    viewer: 'reader',
    async open(page) {
      await openTrackers(page);
      await page.getByRole('button', { name: /^Theme/ }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'navigation-drawer',
    viewer: 'reader',
    narrowOnly: true,
    async open(page) {
      await openTrackers(page);
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await page.getByRole('dialog', { name: 'Navigation' }).waitFor();
    },
  },
  {
    name: 'upgrade-dialog',
    viewer: 'reader',
    async open(page) {
      const refusal = { detail: 'Too much.', code: 'plan_limit', request_id: 'req-1' };
      await page.route('**/api/v1/issues-count', (route) => route.fulfill({ status: 429, json: refusal }));
      await page.goto('/console');
      await page.getByRole('dialog', { name: 'Upgrade Your Plan' }).waitFor();
    },
  },
  {
    name: 'profile',
    viewer: 'reader',
    async open(page) {
      await page.goto('/console/settings/profile');
      await page.getByRole('textbox', { name: 'Full name' }).waitFor();
    },
  },
  {
    name: 'account-delete',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/profile');
      await page.getByRole('button', { name: 'Delete account…' }).click();
      await page.getByRole('button', { name: 'Delete everything' }).click();
      await page.getByText('Enter your current password.').waitFor();
    },
  },
  {
    name: 'security',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/security');
      await page.getByRole('button', { name: 'Change Password' }).click();
      await page.getByText('Enter your current password.').waitFor();
    },
  },
  {
    name: 'security-add-authenticator',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/security');
      await page.getByRole('button', { name: 'Add authenticator app' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Current Password', { exact: true }).fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByRole('img', { name: /^QR code/ }).waitFor();
    },
  },
  {
    name: 'members',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/members');
      await page.getByRole('table', { name: 'Members' }).waitFor();
    },
  },
  {
    name: 'members-invite',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/members');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Send invitation' }).click();
      await dialog.getByText('Enter your email address.').waitFor();
    },
  },
  {
    name: 'audit-log',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/audit-log');
      await page.getByRole('list', { name: 'Audit log' }).waitFor();
    },
  },
  {
    name: 'join-invalid',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/join?token=unknown');
      await page.getByText('This invitation cannot be accepted').waitFor();
    },
  },
  {
    name: 'workspace-menu',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/members');
      await page.getByRole('button', { name: /^Workspace/ }).click();
      await page.getByRole('menuitem', { name: 'Create a workspace' }).waitFor();
    },
  },
  {
    name: 'subscription',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/settings/subscription');
      await page.getByRole('region', { name: 'Current plan' }).waitFor();
    },
  },
  {
    name: 'appearance',
    viewer: 'reader',
    async open(page) {
      await page.goto('/console/settings/appearance');
      await page.getByRole('radio', { name: 'System' }).waitFor();
    },
  },
  {
    name: 'trackers-writing-unchecked',
    viewer: 'decider',
    shares: 'settings',
    async open(page, { url, readOnlyToken, organization }) {
      await openTrackers(page);
      const dialog = await openNewTracker(page);
      await fillConnection(dialog, { name: 'Kitchen', url, token: readOnlyToken });
      await dialog.getByText(/cannot be checked/).waitFor();
      await organizationLine(dialog, organization).click();
      await dialog.getByRole('button', { name: 'Add' }).click();
      await trackerCard(page, 'Kitchen').getByText('Up to date, checks for changes regularly').waitFor();
    },
  },
  {
    name: 'page-not-found',
    viewer: 'visitor',
    open: (page) => openHeading(page, '/nowhere', 'Page not found'),
  },
  {
    name: 'not-found',
    viewer: 'reader',
    async open(page) {
      await page.goto('/console/nowhere?message=This_page_was_removed');
      await page.getByText('This page was removed').waitFor();
      await page.getByText('Page not found').waitFor();
    },
  },
];

async function openHeading(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
}

async function openTrackers(page: Page): Promise<void> {
  await page.goto('/console/trackers');
  await trackerCard(page, 'Sample backlog').waitFor();
}

/** Query string that lists all pairs of open issues within one project, whether decided or not. */
const OPEN_PAIRS = '?status=both_open&resolution=all&probability=0&scope=project';

async function openPairs(page: Page, search = '', rows = 10): Promise<void> {
  await page.goto(`/console/issues${search}`);
  await pairRows(page)
    .nth(rows - 1)
    .waitFor();
}

async function selectTwo(page: Page): Promise<void> {
  for (const pair of [samplePairs.identical, samplePairs.reworded]) {
    await pairRow(page, pair).getByRole('checkbox').check();
  }
  await page.getByRole('region', { name: 'Selected pairs' }).getByText('2 selected').waitFor();
}

/**
 * Opens the list of changes of a user with two proposals. One closes an issue, the other is a merge
 * that edits a text.
 */
async function openProposals(page: Page): Promise<void> {
  await page.goto('/console/changes');
  await page.getByText('Nothing has been decided yet').or(changeRows(page).first()).waitFor();
  if ((await changeRows(page).count()) > 0) return;
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const headers = { authorization: `Bearer ${token}` };
  const list = await page.request.get('/api/v1/issue-duplicates?limit=5', { headers });
  const { duplicates } = pairList.parse(await list.json());
  for (const [at, resolution] of ['close_b', 'merge_b_to_a'].entries()) {
    const pair = duplicates[at * 2];
    const edit =
      resolution === 'close_b' ? {} : { resulting_issue_1_title: `${pair?.issue1.title}, and again` };
    await page.request.patch('/api/v1/issue-duplicates/propose-resolution', {
      headers,
      data: {
        issue1_id: pair?.issue1.id,
        issue2_id: pair?.issue2.id,
        resolution,
        reason: 'Both describe the same fault.',
        ...edit,
      },
    });
  }
  await changeRows(page).nth(1).waitFor();
}

/** Opens a pair, with the preview of closing one issue as a duplicate. */
async function openPair(page: Page): Promise<void> {
  await openPairs(page);
  await pairRow(page, samplePairs.reworded).click();
  await pairPanel(page).getByRole('article').nth(1).waitFor();
  await pairPanel(page).getByText('3 writes', { exact: true }).waitFor();
}

async function openPalette(page: Page, typed: string): Promise<void> {
  await openPairs(page);
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: /^Go to/ }).fill(typed);
}

async function openResolve(page: Page, search = ''): Promise<void> {
  await openPairs(page, search);
  await pairRow(page, samplePairs.consoleError).getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('dialog', { name: 'Resolve Similar Issues' }).waitFor();
}
