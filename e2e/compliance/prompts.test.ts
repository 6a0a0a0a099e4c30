import { issueRows, issueTable, managePrompts, openScores } from '@winnow/tools/browser/compliance.ts';
import { choose } from '@winnow/tools/browser/models.ts';
import { expect, withOwnSample, withSample } from '../fixtures/test.ts';

withOwnSample('a custom prompt is created, tested, used, changed and deleted', async ({ page }) => {
  await openScores(page);
  const dialog = await managePrompts(page);
  await expect(dialog.getByText('Built-in prompts cannot be changed.')).toBeVisible();
  await dialog.getByRole('button', { name: 'New prompt' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('This is needed.').first()).toBeVisible();

  const nameOf = (within: typeof dialog) => within.getByRole('textbox', { name: 'Name', exact: true });
  await nameOf(dialog).first().fill('Ready for support');
  await dialog.getByRole('textbox', { name: 'Short name' }).fill('Support');
  const first = dialog.getByRole('group', { name: 'Criterion 1' });
  await nameOf(first).fill('A goal');
  await first
    .getByRole('textbox', { name: 'What a full score requires' })
    .fill('It says what should be different.');
  const looksFor = first.getByRole('combobox', { name: 'What the built-in analyst looks for' });
  await expect(looksFor, 'derived from the name').toHaveValue('A clear goal');
  await choose(dialog, 'What the built-in analyst looks for', 'A clear scope');
  await dialog.getByRole('button', { name: 'Try out' }).click();
  const tried = dialog.getByRole('list', { name: 'Scores for this prompt' });
  await expect(tried.getByRole('listitem')).toHaveCount(10);
  await expect(tried.getByRole('listitem').first()).toBeInViewport();
  await choose(dialog, 'What the built-in analyst looks for', 'A clear goal');
  await expect(dialog.getByText('These scores are for an earlier draft.')).toBeVisible();
  const chosen = dialog.getByRole('combobox', { name: 'Issues to try it on' });
  await chosen.press('Backspace');
  await chosen.press('Backspace');
  await chosen.fill('skuaignore');
  await page.getByRole('option', { name: 'Support a .skuaignore file' }).click();
  await dialog.getByRole('button', { name: 'Try out' }).click();
  await expect(tried.getByRole('listitem')).toHaveCount(9);
  await expect(tried.getByRole('listitem').last()).toContainText('Support a .skuaignore file');
  await expect(dialog.getByText('These scores are for an earlier draft.')).toBeHidden();

  await dialog.getByRole('button', { name: 'New prompt' }).click();

  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog.getByRole('alertdialog')).toHaveText(/Discard what you typed\?/);
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Created Ready for support.')).toBeVisible();
  await expect(page).toHaveURL(/[?&]prompt=[0-9a-f-]{36}/);
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Short name' }).fill('Help desk');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved Ready for support.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Nothing changed in Ready for support')).toBeVisible();
  const versions = dialog.getByRole('region', { name: 'Versions' });
  await expect(versions.getByRole('listitem')).toHaveCount(2);
  await versions.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Short name' })).toHaveValue('Support');
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('alertdialog')).toHaveText(/Discard what you typed\?/);
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(dialog).toBeHidden();
  await managePrompts(page);
  await dialog.getByRole('button', { name: /^Ready for support/ }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(issueTable(page).getByRole('columnheader', { name: 'Help desk' })).toBeVisible();
  await expect(issueTable(page).getByText(/^\d+%$/)).toHaveCount(10);

  await managePrompts(page);
  await dialog.getByRole('button', { name: /^Ready for support/ }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete prompt' }).getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByText('None yet')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('combobox', { name: 'Compliance type' })).toHaveValue('Definition of Ready');
  await expect(issueRows(page)).toHaveCount(10);
});

withSample(
  'a plan without custom prompts says so and links to the plans that have them',
  async ({ page }) => {
    const refusal = {
      detail: 'Your plan does not include custom prompts.',
      code: 'plan_limit',
      request_id: 'req-9',
    };
    await page.route('**/billing/subscription', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), plan_id: 'pro' } });
    });
    await page.route('**/issue_compliance_prompts/try', (route) =>
      route.fulfill({ status: 403, json: refusal }),
    );
    await openScores(page);
    const dialog = await managePrompts(page);
    await dialog.getByRole('button', { name: 'New prompt' }).click();
    await expect(dialog.getByRole('note')).toContainText('Your plan does not include custom prompts.');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Support');
    await dialog.getByRole('textbox', { name: 'Short name' }).fill('Support');
    const first = dialog.getByRole('group', { name: 'Criterion 1' });
    await first.getByRole('textbox', { name: 'Name', exact: true }).fill('Who asks');
    await first.getByRole('textbox', { name: 'What a full score requires' }).fill('It says who asks.');
    await dialog.getByRole('button', { name: 'Try out' }).click();
    const upgrade = page.getByRole('dialog', { name: 'Upgrade Your Plan' });
    await expect(upgrade).toContainText(refusal.detail);
    await page.keyboard.press('Escape');
    await expect(upgrade).toBeHidden();
    await expect(dialog.getByRole('alert')).toContainText(refusal.detail);
    await expect(dialog.getByRole('alert').getByRole('link', { name: 'See the plans' })).toHaveAttribute(
      'href',
      '/console/pricing',
    );
  },
);
