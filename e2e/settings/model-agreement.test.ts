import { pairList } from '@winnow/contract/duplicate';
import { pairPanel } from '@winnow/tools/browser/similarity.ts';
import { addModel } from '../fixtures/models.ts';
import { expect, OPEN_PAIRS, withOwnSample as test } from '../fixtures/test.ts';

const MODELS = '/console/settings/ai-models';

test('a model is asked about an unlikely pair on request, and Models shows its agreement with people', async ({
  page,
  account,
  models,
}) => {
  const reason = 'They name different screens.';
  models.answerAll(() => ({ text: JSON.stringify({ decision: 'unrelated', confidence: 0.9, reason }) }));
  const { duplicates } = await account.api.get(
    '/issue-duplicates?status=opened&order_by=probability&limit=100',
    pairList,
  );
  const unlikely = duplicates.find(({ probability }) => probability < 0.1);
  expect(unlikely).toBeDefined();
  await addModel(account, models, 'Ours');
  await page.goto(MODELS);
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Ours' }) });
  await expect(row).toContainText('Agreement with people is unknown');

  await page.goto(`${OPEN_PAIRS}&selectedPair=${unlikely?.id}`);
  const panel = pairPanel(page);
  await expect(panel).toContainText(
    'Ours is asked about very unlikely and very likely pairs only on request',
  );
  await panel.getByRole('button', { name: 'Ask Ours' }).click();
  await expect(panel).toContainText(reason);
  await expect(panel.getByRole('button', { name: 'Ask Ours' })).toHaveCount(0);
  const stored = page.waitForResponse(/\/judgment$/);
  await panel.getByRole('button', { name: /^Different/ }).click();
  await stored;

  await page.goto(MODELS);
  await expect(row).toContainText('Agrees with people on 1 of 1 pair they judged.');
  await expect(row).toContainText(/The built-in analyst agrees on [01] of them\./);
});
