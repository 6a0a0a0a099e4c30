import { pairPanel, pairRow, recentDecisions, searchPairs, toast } from '@winnow/tools/browser/similarity.ts';
import {
  fillConnection,
  openNewTracker,
  organizationLine,
  trackerCard,
} from '@winnow/tools/browser/trackers.ts';
import { type Backlog, connectSmall, type GitHub } from '../fixtures/github.ts';
import { expect, signedIn } from '../fixtures/test.ts';

const keysOf = ({ owner, repo, duplicate }: Backlog) => ({
  older: `${owner}/${repo}#${duplicate.older}`,
  newer: `${owner}/${repo}#${duplicate.newer}`,
});
const issueOf = ({ emulator }: GitHub, { owner, repo }: Backlog, number: number) =>
  emulator.issue(owner, repo, number);

signedIn(
  'a tracker is added, synced visibly, and a true duplicate is closed there and reopened',
  async ({ page, github }) => {
    // The test is slow, because the product reads, embeds and compares three hundred reports.
    signedIn.slow();
    const { large, emulator } = github;
    const { older, newer } = keysOf(large);
    const numbers = [large.duplicate.older, large.duplicate.newer];
    const before = numbers.map((number) => issueOf(github, large, number).comments);
    // Delays the pages, so that the progress is visible.
    emulator.faults.add({
      match: { method: 'GET', path: `/repos/${large.owner}/${large.repo}/issues\\?` },
      times: 3,
      action: { kind: 'delay', delayMs: 700 },
    });
    await page.goto('/console/trackers');
    const dialog = await openNewTracker(page);
    await fillConnection(dialog, { name: 'Reports', url: emulator.url, token: large.token });
    await organizationLine(dialog, large.owner).click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    const card = trackerCard(page, 'Reports');
    const progress = large.severalPages
      ? /^[1-9]\d* (of \d+ issues|issues so far)$/
      : /^(Waiting to sync|Reading from the tracker)$/;
    await expect(card.getByText(progress)).toBeVisible();
    await expect(card.getByText(/^Up to date/)).toBeVisible({ timeout: 20_000 });

    await page.getByRole('link', { name: /^Similarity/ }).click();
    const row = pairRow(page, { older, newer });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('radiogroup', { name: 'Issue Status' }).getByRole('radio', { name: 'All' }).check();
    for (const [group, name] of [
      ['Resolution Status', 'All'],
      ['Probability', 'Any'],
    ] as const) {
      await page.getByRole('radiogroup', { name: group }).getByRole('radio', { name, exact: true }).check();
    }
    await page.getByRole('button', { name: 'Apply' }).click();
    await searchPairs(page, newer);
    await expect(row).toBeVisible({ timeout: 20_000 });
    await row.getByRole('button', { name: 'Resolve' }).click();
    const resolve = page.getByRole('dialog', { name: /Resolve Similar Issues/ });
    await resolve.getByRole('button', { name: 'Close as Duplicate' }).click();
    await expect(resolve.getByText('Both issues are unchanged since you opened them')).toBeVisible();
    await resolve.getByRole('button', { name: 'Close as Duplicate' }).click();
    await expect(toast(page, `Closed ${newer} as duplicate of ${older}.`)).toBeVisible();
    await expect(row.getByText('Closed', { exact: true })).toBeVisible();

    expect(issueOf(github, large, large.duplicate.newer)).toMatchObject({
      state: 'closed',
      state_reason: 'duplicate',
      duplicate_of: older,
    });
    expect(issueOf(github, large, large.duplicate.newer).comments.at(-1)?.body).toContain(
      `#${large.duplicate.older}`,
    );
    expect(issueOf(github, large, large.duplicate.older)).toMatchObject({ state: 'open' });
    expect(issueOf(github, large, large.duplicate.older).comments.at(-1)?.body).toContain(
      `#${large.duplicate.newer}`,
    );

    // Undoes the decision in the list of recent decisions, because the toast may have disappeared.
    await recentDecisions(page).getByRole('button', { name: /^Undo/ }).click();
    await expect(toast(page, /^Undone: Closed/)).toBeVisible();
    await expect(row.getByRole('button', { name: 'Resolve' })).toBeVisible();
    expect(issueOf(github, large, large.duplicate.newer).state).toBe('open');
    expect(numbers.map((number) => issueOf(github, large, number).comments)).toEqual(before);
  },
);

signedIn(
  'an issue that changed in the tracker is not overwritten, and its new text is shown',
  async ({ page, account, github }) => {
    const { small, emulator } = github;
    const { older, newer } = keysOf(small);
    await connectSmall(account, github);
    await page.goto('/console/issues');
    await pairRow(page, { older, newer }).click();
    await pairPanel(page).getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog', { name: /Resolve Similar Issues/ });
    await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();
    await expect(dialog.getByText('Both issues are unchanged since you opened them')).toBeVisible();

    const before = issueOf(github, small, small.duplicate.newer);
    emulator.editAs('tomasz-r', small.owner, small.repo, small.duplicate.newer, {
      title: 'Items vanish: now with a video',
    });
    await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();
    await expect(dialog.getByText('Nothing was written', { exact: true })).toBeVisible();
    await expect(
      dialog.getByText(`${newer} has changed since you saw it. Look at it again, then decide.`),
    ).toBeVisible();
    await expect(dialog.getByText('Items vanish: now with a video')).toBeVisible();
    expect(issueOf(github, small, small.duplicate.newer)).toMatchObject({
      state: 'open',
      comments: before.comments,
    });

    // The dialog shows the current text of the issue. The user can therefore press the same button
    // again.
    await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();
    await expect(toast(page, `Closed ${newer} as duplicate of ${older}.`)).toBeVisible();
    expect(issueOf(github, small, small.duplicate.newer).state).toBe('closed');
  },
);
