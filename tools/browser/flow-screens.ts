import type { Page } from '@playwright/test';
import type { ScreenState } from './every-screen.ts';
import { presetCard, runFromForm } from './flows.ts';
import { samplePairs } from './similarity.ts';

async function openPreset(page: Page, name: string): Promise<void> {
  await page.goto('/console/flows/new');
  await presetCard(page, name).click();
  await page.getByRole('button', { name: 'Create', exact: true }).waitFor();
}

async function createOf(page: Page, name: string): Promise<void> {
  await openPreset(page, name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Update' }).waitFor();
}

/** States of the screens for flows, the form for flows, and executions. */
export const flowScreens: readonly ScreenState[] = [
  {
    name: 'flows-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/flows');
      await page.getByText('You have no flows yet').waitFor();
      await page.getByRole('link', { name: 'Clone Readiness gate' }).waitFor();
    },
  },
  {
    name: 'flow-presets',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/flows/new');
      await presetCard(page, 'Readiness gate').waitFor();
    },
  },
  {
    name: 'flow-form',
    viewer: 'newcomer',
    async open(page) {
      await openPreset(page, 'Triage new issues');
      await page.getByText('on a past event or an issue').click();
      await page.getByRole('button', { name: 'Preview' }).waitFor();
      await page.locator('summary').filter({ hasText: 'winnow' }).click();
      await page.getByRole('combobox', { name: 'Policy for winnow/comment_on_issue' }).waitFor();
    },
  },
  {
    name: 'flow-refused',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/flows/new?preset_id=none');
      await page.getByRole('button', { name: 'Add Filters' }).click();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('Enter a name.').waitFor();
    },
  },
  {
    name: 'flows',
    viewer: 'decider',
    shares: 'flows',
    async open(page) {
      await createOf(page, 'Flag duplicates on arrival');
      await runFromForm(page, samplePairs.identical.newer);
      await page.locator('dl').getByText('Succeeded').waitFor();
      await page.goto('/console/flows');
      await page.getByRole('table', { name: 'Your flows' }).waitFor();
    },
  },
  {
    name: 'flow-run',
    viewer: 'decider',
    shares: 'flows',
    async open(page) {
      await createOf(page, 'Readiness gate');
      await page.getByRole('button', { name: 'Run now', exact: true }).click();
      await page.getByRole('dialog', { name: 'Run Readiness gate' }).waitFor();
    },
  },
  {
    name: 'flow-executions-empty',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/flows/executions');
      await page.getByText('No flow has run yet').waitFor();
    },
  },
  {
    name: 'flow-executions',
    viewer: 'decider',
    shares: 'flows',
    async open(page) {
      await createOf(page, 'Weekly backlog report');
      await runFromForm(page, samplePairs.identical.newer);
      await page.locator('dl').getByText('Succeeded').waitFor();
      await page.goto('/console/flows/executions');
      await page.getByRole('table', { name: 'Flow executions' }).waitFor();
    },
  },
  {
    name: 'flow-execution',
    viewer: 'decider',
    shares: 'flows',
    async open(page) {
      await createOf(page, 'Triage new issues');
      await runFromForm(page, samplePairs.identical.newer);
      await page.locator('dl').getByText('Succeeded').waitFor();
      await page.getByRole('log').locator('summary').nth(1).click();
      await page
        .getByRole('button', { name: /^Approve/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'flow-execution-gone',
    viewer: 'newcomer',
    async open(page) {
      await page.goto('/console/flows/executions/11111111-1111-4111-8111-111111111111');
      await page.getByText('Execution not found').waitFor();
    },
  },
];
