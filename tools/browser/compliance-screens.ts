import type { Page } from '@playwright/test';
import {
  choosePrompt,
  improveDialog,
  issueMap,
  issuePanel,
  issueRow,
  managePrompts,
  openMap,
  openScores,
  sampleIssues,
} from './compliance.ts';
import type { ScreenState } from './every-screen.ts';

async function openImprove(page: Page): Promise<void> {
  await openScores(page);
  await issueRow(page, sampleIssues.vague).getByRole('button', { name: 'Improve', exact: true }).click();
  await improveDialog(page)
    .getByRole('heading', { name: /^1 write to/ })
    .waitFor();
}

async function openPrompts(page: Page): Promise<void> {
  await openScores(page);
  await managePrompts(page);
}

/**
 * States of the screens Issue Compliance, Issues Dashboard and Assignments, and of their dialogs.
 */
export const complianceScreens: readonly ScreenState[] = [
  {
    name: 'compliance-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/issues/compliance');
      await page.getByText('No projects found. Did you add a tracker?').waitFor();
    },
  },
  { name: 'compliance', viewer: 'reader', open: (page) => openScores(page) },
  {
    name: 'compliance-no-match',
    viewer: 'reader',
    async open(page) {
      await page.goto('/console/issues/compliance?query=%22no%20issue%20says%20this%22&status=all');
      await page.getByText('Your search did not return any issues.').waitFor();
    },
  },
  {
    name: 'compliance-failed',
    viewer: 'reader',
    async open(page) {
      const failed = { status: 500, json: {} };
      await page.route('**/issue_compliance/batch', (route) => route.fulfill(failed));
      await page.route('**/issue_compliance_stats?*', (route) => route.fulfill(failed));
      await page.goto('/console/issues/compliance');
      await page.getByText('Scores could not be loaded').waitFor();
      await page.getByText('Scores per project could not be loaded').waitFor();
    },
  },
  {
    name: 'compliance-loading',
    viewer: 'reader',
    async open(page) {
      await page.route('**/api/v1/search?*', () => undefined);
      await page.route('**/issue_compliance_stats?*', () => undefined);
      await page.goto('/console/issues/compliance');
      await page.getByRole('button', { name: 'Filters' }).waitFor();
    },
  },
  {
    name: 'compliance-scoring',
    viewer: 'reader',
    async open(page) {
      await page.route('**/issue_compliance/batch', () => undefined);
      await page.goto('/console/issues/compliance');
      await page.getByText('0 of 10 scored').waitFor();
    },
  },
  {
    name: 'compliance-issue',
    viewer: 'reader',
    async open(page) {
      await openScores(page);
      await choosePrompt(page, 'Complexity');
      await issueRow(page, sampleIssues.complete).click();
      await issuePanel(page).getByRole('list', { name: 'Criteria' }).getByRole('button').first().click();
      await issuePanel(page).locator('mark').first().waitFor();
    },
  },
  {
    name: 'compliance-map',
    viewer: 'reader',
    async open(page) {
      await openMap(page);
      await issueMap(page).press('ArrowRight');
    },
  },
  {
    name: 'compliance-map-region',
    viewer: 'reader',
    async open(page) {
      await openMap(page, '&color=score&query=link&region=-0.5,-0.6,1,0.7');
      await page.getByText(/issues match the search/).waitFor();
    },
  },
  {
    name: 'compliance-map-loading',
    viewer: 'reader',
    async open(page) {
      await page.route('**/api/v1/embeddings?*', () => undefined);
      await openScores(page, '?view=map');
    },
  },
  {
    name: 'compliance-map-being-made',
    viewer: 'reader',
    async open(page) {
      const early = { data: [], clusters: [], missing: 12, capped_at: null };
      await page.route('**/api/v1/embeddings?*', (route) => route.fulfill({ json: early }));
      await openScores(page, '?view=map');
      await page.getByText('Preparing the map').waitFor();
    },
  },
  {
    name: 'compliance-map-failed',
    viewer: 'reader',
    async open(page) {
      await page.route('**/api/v1/embeddings?*', (route) => route.fulfill({ status: 409, json: {} }));
      await openScores(page, '?view=map');
      await page.getByText('The map could not be loaded').waitFor();
    },
  },
  { name: 'improve-dialog', viewer: 'reader', open: openImprove },
  {
    name: 'improve-dialog-diff',
    viewer: 'reader',
    async open(page) {
      await openImprove(page);
      await improveDialog(page).getByRole('button', { name: 'Show the diff' }).click();
      await improveDialog(page).locator('ins').first().waitFor();
    },
  },
  {
    name: 'improve-dialog-failed',
    viewer: 'reader',
    async open(page) {
      const failed = { status: 500, json: {} };
      await page.route('**/issue_compliance_suggestion/*', (route) => route.fulfill(failed));
      await openScores(page);
      await issueRow(page, sampleIssues.vague).getByRole('button', { name: 'Improve', exact: true }).click();
      await improveDialog(page).getByText('Failed to load suggestion.').waitFor();
    },
  },
  { name: 'prompts-dialog', viewer: 'reader', open: openPrompts },
  {
    name: 'prompt-refused',
    viewer: 'reader',
    async open(page) {
      await openPrompts(page);
      await page.getByRole('button', { name: 'New prompt' }).click();
      await page.getByRole('button', { name: 'Add criterion' }).click();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('Describe what a full score requires.').first().waitFor();
    },
  },
  {
    name: 'issues-dashboard',
    viewer: 'reader',
    async open(page) {
      await page.goto('/console/issues/duplicates');
      await page.getByRole('list', { name: 'Issues that have duplicates' }).waitFor();
    },
  },
  {
    name: 'issues-dashboard-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/issues/duplicates');
      await page.getByText('No duplicate issues found.').waitFor();
    },
  },
  {
    name: 'assignments',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/issues/assignments');
      await page.getByText('Coming Soon').waitFor();
    },
  },
];
