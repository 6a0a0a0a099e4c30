import { pairPanel, pairRows } from '@winnow/tools/browser/similarity.ts';
import { addModel } from '../fixtures/models.ts';
import { expect, withOwnSample as test } from '../fixtures/test.ts';

test('a model’s verdict is in the list and beside the texts, with the model’s name', async ({
  page,
  account,
  models,
}) => {
  models.answerAll(() => ({
    text: JSON.stringify({
      decision: 'unrelated',
      confidence: 0.73,
      reason: 'One is about bread, the other is not.',
    }),
  }));
  await addModel(account, models, 'Our own');
  await page.goto('/console/issues');
  const judged = pairRows(page).filter({ hasText: 'Unrelated' }).first();
  await expect(judged).toBeVisible();
  await expect(judged).toContainText('Our own');
  await judged.click();
  await expect(pairPanel(page)).toContainText('Our own');
  await expect(pairPanel(page)).toContainText('73% confidence');
  await expect(pairPanel(page)).toContainText('One is about bread, the other is not.');
});

test('the reason why the model did not judge is beside the verdict', async ({ page, account, models }) => {
  models.answerAll(() => ({ fails: 401, says: 'Who are you?' }));
  await addModel(account, models, 'Our own');
  await page.goto('/console/issues');
  await pairRows(page).filter({ hasNotText: 'Identical' }).first().click();
  const review = pairPanel(page).getByRole('region', { name: 'AI Review' });
  await expect(review).toContainText('Built-in analyst');
  await expect(review).toContainText(/Our own .+, so the built-in analyst was used instead\./);
});
