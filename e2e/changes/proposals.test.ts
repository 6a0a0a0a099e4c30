import { change } from '@winnow/contract/change';
import { changePanel, changeRows, propose } from '@winnow/tools/browser/changes.ts';
import { pressDeliberately } from '@winnow/tools/browser/press-deliberately.ts';
import { pairPanel, pairRow, samplePairs, toast } from '@winnow/tools/browser/similarity.ts';
import { connectSmall } from '../fixtures/github.ts';
import { expect, OPEN_PAIRS, signedIn, withOwnSample } from '../fixtures/test.ts';

const { identical, sameError, reworded } = samplePairs;
const closes = ({ older, newer }: { older: string; newer: string }) =>
  `Close ${newer} as duplicate of ${older}`;

withOwnSample(
  'a proposal is approved together with its preview of writes, and undone from there',
  async ({ page, account }) => {
    await propose(account, sameError, 'merge_b_to_a', {
      reason: 'One error, two platforms.',
      resulting_issue_1_title: 'ERR_CHUNK_DIGEST (4012) when uploading from a shared network drive',
    });
    await page.goto('/console');
    const waiting = page.getByRole('region', { name: 'Waiting for approval' });
    await expect(waiting).toContainText('1');
    await waiting.getByRole('link', { name: 'Review' }).click();
    await expect(page).toHaveURL('/console/changes?status=proposed');
    await expect(page.getByRole('link', { name: 'Changes 1 waiting for approval' })).toBeVisible();

    await changeRows(page).first().click();
    const panel = changePanel(page);
    await expect(panel).toContainText('One error, two platforms.');
    await expect(panel.getByText('Nothing is written yet')).toBeVisible();
    const steps = panel.getByRole('region', { name: 'Steps' }).getByRole('listitem');
    await expect(steps.first().getByRole('deletion')).toContainText('removed: mapped');
    await expect(steps.first().getByRole('insertion')).toContainText('added: shared');
    await panel.getByRole('button', { name: 'Approve' }).click();
    await expect(toast(page, /^Merged/)).toBeVisible();
    await expect(panel.getByText('Everything is written')).toBeVisible();
    await expect(panel).toContainText(`Approved by ${account.username}`);
    await expect(changeRows(page), 'it is not pending').toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Changes', exact: true })).toBeVisible();

    await panel.getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, /^Undone: Merged/)).toBeVisible();
    await expect(panel.getByText('Everything that was written has been undone.')).toBeVisible();
    await panel.getByRole('link', { name: 'A later change' }).click();
    await expect(panel).toContainText('Undo: Merged');
  },
);

withOwnSample(
  'proposals are reviewed by keyboard, and no decision is made before a proposal is displayed',
  async ({ page, account }) => {
    const older = await propose(account, identical, 'close_b');
    const newer = await propose(account, reworded, 'close_b');
    await page.goto('/console/changes?status=proposed');
    await expect(changeRows(page)).toHaveCount(2);
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    const panel = changePanel(page);
    await expect(panel, 'the first press opens it').toContainText(closes(reworded));
    expect((await account.api.get(`/changes/${newer.id}`, change)).status).toBe('proposed');
    await pressDeliberately(page, 'r');
    await expect(toast(page, `Rejected: ${closes(reworded)}.`)).toBeVisible();
    await expect(changeRows(page)).toHaveCount(1);
    await page.keyboard.press('j');
    await expect(panel, 'its replacement is selected next').toContainText(closes(identical));
    await expect(panel.getByRole('button', { name: 'Approve' })).toBeVisible();
    await pressDeliberately(page, 'a');
    await expect(toast(page, older.title)).toBeVisible();
    await expect(panel.getByText('Everything is written')).toBeVisible();
    await pressDeliberately(page, 'z');
    await expect(toast(page, `Undone: ${older.title}`)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
  },
);

withOwnSample(
  'a pair with a proposal shows it in the list, in its details and in the dialog',
  async ({ page, account }) => {
    await page.goto(OPEN_PAIRS);
    await expect(pairRow(page, identical)).toBeVisible();
    const { id } = await propose(account, identical, 'close_b');
    const badge = pairRow(page, identical).getByRole('link', { name: 'Proposed' });
    await expect(badge, 'without a reload').toBeVisible();
    await expect(page.getByRole('link', { name: 'Proposed' }), 'no other pair is marked').toHaveCount(1);

    await pairRow(page, identical).getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('note')).toContainText(closes(identical));
    await dialog.getByRole('button', { name: /^Close as Duplicate/ }).click();
    await expect(dialog.getByRole('note')).toContainText(`Proposed by ${account.username}`);
    await page.keyboard.press('Escape');

    await pairRow(page, identical).click();
    const note = pairPanel(page).getByRole('note');
    await expect(note).toContainText(closes(identical));
    await note.getByRole('link', { name: 'Review the proposal' }).click();
    await expect(page).toHaveURL(`/console/changes?selected=${id}`);
    await changePanel(page).getByRole('button', { name: 'Reject' }).click();
    await expect(changePanel(page).getByText('Rejected. Nothing was written.')).toBeVisible();
    await page.goto(OPEN_PAIRS);
    await expect(pairRow(page, identical)).toContainText('Identical');
    await expect(badge).toBeHidden();
  },
);

withOwnSample('proposals of others appear without reloading and are counted', async ({ page, account }) => {
  await page.goto('/console/changes');
  await expect(page.getByText('Nothing has been decided yet')).toBeVisible();
  await propose(account, identical, 'close_b');
  await expect(changeRows(page)).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Changes 1 waiting for approval' })).toBeVisible();
});

signedIn(
  'a proposal whose issue has changed is not written, and names that issue',
  async ({ page, account, github }) => {
    const { small, emulator } = github;
    const [older, newer] = [small.duplicate.older, small.duplicate.newer].map(
      (number) => `${small.owner}/${small.repo}#${number}`,
    );
    await connectSmall(account, github);
    const proposal = await propose(account, { older: older ?? '', newer: newer ?? '' }, 'close_b');
    await page.goto(`/console/changes?selected=${proposal.id}`);
    const panel = changePanel(page);
    await expect(panel.getByText('Nothing is written yet')).toBeVisible();
    emulator.editAs('tomasz-r', small.owner, small.repo, small.duplicate.newer, {
      body: 'Quite another text.',
    });
    const before = emulator.issue(small.owner, small.repo, small.duplicate.newer);
    await panel.getByRole('button', { name: 'Approve' }).click();
    const refusal = panel.getByRole('alert');
    await expect(refusal).toContainText('Nothing was written');
    await expect(refusal).toContainText(newer ?? '');
    await expect(panel.getByRole('link', { name: 'decide again' })).toBeVisible();
    expect(emulator.issue(small.owner, small.repo, small.duplicate.newer)).toEqual(before);
    await panel.getByRole('button', { name: 'Reject' }).click();
    await expect(panel.getByText('Rejected. Nothing was written.')).toBeVisible();
  },
);

signedIn(
  'a partly written change shows the remaining writes and resumes',
  async ({ page, account, github }) => {
    const { small, emulator } = github;
    const [older, newer] = [4, 6].map((number) => `${small.owner}/${small.repo}#${number}`);
    await connectSmall(account, github);
    emulator.faults.add({
      match: { method: 'PATCH', path: `/issues/6$` },
      times: 1,
      action: { kind: 'status', status: 403, body: { message: 'Must have admin rights to Repository.' } },
    });
    const proposal = await propose(account, { older: older ?? '', newer: newer ?? '' }, 'close_b');
    await page.goto(`/console/changes?selected=${proposal.id}`);
    const panel = changePanel(page);
    await panel.getByRole('button', { name: 'Approve' }).click();
    const left = panel.getByRole('note');
    await expect(left).toContainText('2 of 3 steps done. The rest could not be written.');
    await expect(left).toContainText('Must have admin rights to Repository.');
    await expect(left.getByRole('listitem')).toHaveCount(1);
    await expect(left.getByRole('listitem')).toContainText(/^Close .*#6\s+as a duplicate of .*#4$/);
    await expect(changeRows(page).first()).toContainText('Partly applied');
    await panel.getByRole('button', { name: 'Retry' }).click();
    await expect(panel.getByText('Everything is written')).toBeVisible();
    expect(emulator.issue(small.owner, small.repo, 6).state).toBe('closed');
    await panel.getByRole('button', { name: 'Undo' }).click();
    await expect(panel.getByText('Everything that was written has been undone.')).toBeVisible();
    expect(emulator.issue(small.owner, small.repo, 6).state).toBe('open');
  },
);
