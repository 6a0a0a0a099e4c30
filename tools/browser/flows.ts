import type { Locator, Page } from '@playwright/test';
import { type Flow, type FlowCreate, type FlowExecution, flow, flowExecution } from '@winnow/contract/flow';
import { eventually } from '../product/api.ts';
import type { Account } from './account.ts';

/** Maximum duration in milliseconds of an execution without a language model, on a busy machine. */
const ENDED_WITHIN_MS = 60_000;

/** Returns the button that creates a flow from the preset with this name. */
export function presetCard(page: Page, name: string): Locator {
  return page.getByRole('list', { name: 'Presets' }).getByRole('button', { name });
}

/** Creates a flow over the API. */
export function newFlow({ api }: Account, body: Partial<FlowCreate>): Promise<Flow> {
  return api.send('POST', '/flows', body, flow);
}

/** Runs a flow on an issue over the API. */
export function runOnIssue({ api }: Account, flowId: string, issueKey: string): Promise<FlowExecution> {
  return api.send('POST', `/flows/${flowId}/run`, { issue_key: issueKey }, flowExecution);
}

/** Waits until the execution has ended. */
export function whenEnded({ api }: Account, executionId: string): Promise<FlowExecution> {
  return eventually(
    async () => {
      const execution = await api.get(`/flows/executions/${executionId}`, flowExecution);
      return execution.end_time === null ? null : execution;
    },
    { timeoutMs: ENDED_WITHIN_MS },
  );
}

/** Runs the open flow on an issue with its form, and waits until the execution has ended. */
export async function runFromForm(page: Page, issueKey: string): Promise<void> {
  await page.getByRole('button', { name: 'Run now', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Run / });
  await dialog.getByRole('combobox', { name: 'Issue' }).fill(issueKey);
  await dialog.getByRole('button', { name: 'Run now' }).click();
  await page.waitForURL(/\/console\/flows\/executions\/[0-9a-f-]{36}$/);
}
