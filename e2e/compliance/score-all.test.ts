import { issueRows, openScores } from '@winnow/tools/browser/compliance.ts';
import { connectAcme } from '../fixtures/github.ts';
import { addModel } from '../fixtures/models.ts';
import { expect, signedIn } from '../fixtures/test.ts';

const CRITERIA = ['goal', 'acceptance', 'scope', 'dependencies', 'approach', 'estimable'];
const ANSWER = {
  text: JSON.stringify({
    criteria: CRITERIA.map((id) => ({ id, score: 0.5, note: 'Half of it.', quotes: [], fix: null })),
    reason: 'Half of it is specified.',
    suggestion: null,
    points: null,
  }),
};

/** Creates issues with distinct texts. */
function issuesOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    title: `Wish ${index + 1} of the till`,
    body: `As a cashier I want thing ${index + 1}, so that the line is short.`,
  }));
}

/**
 * The browser of a user who has connected a GitHub with two projects. Issues of the projects have
 * no scores.
 */
const withProjects = signedIn.extend<{ projects: undefined }>({
  projects: async ({ account }, use) => {
    const { emulator } = await connectAcme(account, { till: issuesOf(24), web: issuesOf(14) });
    await use(undefined);
    await emulator.close();
  },
});

withProjects(
  'whole projects are scored, and scoring continues while the page is closed',
  async ({ page, projects: _ }) => {
    withProjects.slow();
    await openScores(page);
    const chart = page.getByRole('region', { name: 'Definition of Ready per project' });
    const till = chart.getByRole('button', { name: /^till/ });
    await expect(chart).toContainText('10 of 38 issues scored');
    const begun = page.waitForResponse('**/api/v1/issue_compliance_runs');
    await chart.getByRole('button', { name: /^Score all issues of till, \d+ left$/ }).click();
    expect((await begun).status()).toBe(202);
    await page.goto('/console/trackers');
    await openScores(page);
    await expect(till).toContainText('24 of 24 scored', { timeout: 20_000 });
    await expect(chart.getByRole('button', { name: /^Score all issues of till/ })).toHaveCount(0);

    // Scores the remaining projects.
    const all = chart.getByRole('button', { name: 'Score all', exact: true });
    await all.click();
    await expect(chart).toContainText('38 of 38 issues scored', { timeout: 20_000 });
    await expect(all).toBeEnabled();
  },
);

withProjects(
  'scoring with a language model shows the number of calls first and can be stopped',
  async ({ page, account, models, projects: _ }) => {
    withProjects.slow();
    const held: (() => void)[] = [];
    let isHeld = false;
    models.answerAll(async () => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return ANSWER;
    });
    await addModel(account, models, 'Our model');
    await openScores(page);
    const chart = page.getByRole('region', { name: 'Definition of Ready per project' });
    await expect(chart).toContainText('10 of 38 issues scored');
    const asked = models.requests.length;
    await chart.getByRole('button', { name: 'Score all', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Score all' });
    await expect(dialog).toContainText('28 issues have no current score.');
    await expect(dialog).toContainText('Our model is called once per issue: 28 calls.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    expect(models.requests.length).toBe(asked);

    isHeld = true;
    await chart.getByRole('button', { name: 'Score all', exact: true }).click();
    await dialog.getByRole('button', { name: 'Make 28 calls' }).click();
    await expect(dialog).toBeHidden();
    await expect(chart.getByRole('status').first()).toContainText(/Scoring: \d+ of \d+/);
    await page.reload();
    await chart.getByRole('button', { name: 'Stop scoring', exact: true }).click();
    await expect(chart.getByRole('button', { name: 'Score all', exact: true })).toBeVisible();
    isHeld = false;
    for (const release of held) release();
    await expect(issueRows(page)).toHaveCount(10);
    await expect(chart).not.toContainText('38 of 38 issues scored');
  },
);
