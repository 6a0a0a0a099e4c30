import { aiModel } from '@winnow/contract/ai-model';
import { pairPanel, pairRows } from '@winnow/tools/browser/similarity.ts';
import { expect, withOwnSample as test } from '../fixtures/test.ts';

test('a model’s verdict stands in the list and beside the texts, under its name', async ({
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
  const fields = {
    name: 'Our own',
    provider_name: 'custom',
    model_identifier: 'local',
    api_url: models.urlOf('custom'),
  };
  await account.api.send('POST', '/ai-models', fields, aiModel);
  await page.goto('/console/issues');
  const judged = pairRows(page).filter({ hasText: 'Unrelated' }).first();
  await expect(judged).toBeVisible();
  await judged.click();
  await expect(pairPanel(page)).toContainText('Our own');
  await expect(pairPanel(page)).toContainText('73% confidence');
  await expect(pairPanel(page)).toContainText('One is about bread, the other is not.');
});
