import { aiModelList, aiModelTestResult } from '@winnow/contract/ai-model';
import { newFlow } from '@winnow/tools/browser/flows.ts';
import { addModel, choose, fillModel, openNewModel } from '@winnow/tools/browser/models.ts';
import { addModel as storeModel } from '../fixtures/models.ts';
import { expect, signedIn as test } from '../fixtures/test.ts';

const SCREEN = '/console/settings/ai-models';

test('the sidebar links to Models, where the built-in analyst needs no key', async ({ page }) => {
  await page.goto('/console/settings/profile');
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Models' }).click();
  await expect(page).toHaveURL(new RegExp(`${SCREEN}$`));
  await expect(page.getByText('The built-in analyst works without a key')).toBeVisible();
});

test('a provider fills in its address and models, and Other accepts a custom model', async ({ page }) => {
  await page.goto(SCREEN);
  const dialog = await openNewModel(page);
  const url = dialog.getByRole('textbox', { name: 'API URL' });
  for (const [provider, address, models] of [
    [
      'Anthropic',
      'https://api.anthropic.com/v1',
      ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5-5'],
    ],
    [
      'Google',
      'https://generativelanguage.googleapis.com/v1beta',
      ['gemini-3.8-flash', 'gemini-2.5-flash', 'gemini-2.5-pro'],
    ],
    ['OpenAI', 'https://api.openai.com/v1', ['gpt-6.1-sol', 'gpt-6-luna', 'gpt-6-astra']],
  ] as const) {
    await choose(dialog, 'Provider', provider);
    await expect(url).toHaveValue(address);
    await dialog.getByRole('combobox', { name: 'Model', exact: true }).click();
    await expect(page.getByRole('option')).toHaveText([...models, 'Other']);
    await page.keyboard.press('Escape');
  }
  await choose(dialog, 'Model', 'Other');
  await dialog.getByRole('textbox', { name: 'Model name' }).fill('gpt-9');
  await choose(dialog, 'Provider', 'Custom');
  await expect(url).toHaveValue('');
  await expect(dialog.getByRole('combobox', { name: 'Model', exact: true })).toHaveCount(0);
});

test('missing values are reported at their fields, and nothing is sent', async ({ page, account }) => {
  await page.goto(SCREEN);
  const dialog = await openNewModel(page);
  await choose(dialog, 'Model', 'Other');
  await dialog.getByRole('textbox', { name: 'API URL' }).fill('api.openai.com');
  for (const button of ['Add', 'Test']) {
    await dialog.getByRole('button', { name: button, exact: true }).click();
    for (const message of [
      'Enter a name.',
      'Enter the name of the model.',
      'Enter a web address such as https://api.example.com/v1.',
      'Enter an API key.',
    ]) {
      await expect(dialog.getByText(message)).toBeVisible();
    }
    await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  }
  expect(await account.api.get('/ai-models', aiModelList)).toEqual([]);
});

test('Test reports in the dialog whether the model responds', async ({ page, models }) => {
  await page.goto(SCREEN);
  const dialog = await openNewModel(page);
  await fillModel(dialog, { name: 'Our own', url: models.urlOf('custom') });
  models.next({ fails: 401, says: 'Who are you?' });
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Our own refuses the API key: Who are you?');
  models.next({ text: '{"ok": true}' });
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText(/^Our own responded in/)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'API URL' }).fill('https://elsewhere.example/v1');
  await expect(dialog.getByText(/^Our own responded in/)).toHaveCount(0);
});

test('models are added, made the default, edited without their key, and deleted by name', async ({
  page,
  account,
  models,
}) => {
  const url = models.urlOf('custom');
  await page.goto(SCREEN);
  await addModel(page, { name: 'First', url });
  await expect(page.getByRole('button', { name: 'Add model' })).toBeFocused();
  await addModel(page, { name: 'Second', url });
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  await expect(row('Built-in analyst').getByText('Default', { exact: true })).toBeVisible();

  const use = page.getByRole('dialog', { name: 'Use Second for reviews and scores?' });
  const confirm = use.getByRole('button', { name: 'Use for reviews and scores' });
  models.next({ fails: 401, says: 'Who are you?' });
  await row('Second').getByRole('button', { name: 'Set as default: Second' }).click();
  await expect(use.getByRole('alert')).toHaveText('Second refuses the API key: Who are you?');
  await expect(confirm).toBeDisabled();
  await use.getByRole('button', { name: 'Cancel' }).click();
  models.next({ text: '{"ok": true}' });
  await row('Second').getByRole('button', { name: 'Set as default: Second' }).click();
  await expect(use).toContainText('Now: no calls.');
  await expect(use).toContainText('The price of this model is unknown.');
  await confirm.click();
  await expect(row('Second').getByText('Default', { exact: true })).toBeVisible();
  await expect(row('First').getByRole('button', { name: 'Set as default: First' })).toBeVisible();
  await row('Built-in analyst').getByRole('button').click();
  await expect(row('Built-in analyst').getByText('Default', { exact: true })).toBeVisible();

  await row('First').getByRole('button', { name: 'Edit First' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Model' });
  await dialog.getByRole('textbox', { name: 'API Key' }).fill('sk-our-key');
  // Clicks slowly. The button must not move before it is released.
  await dialog.getByRole('button', { name: 'Save' }).click({ delay: 300 });
  await expect(row('First').getByRole('button', { name: 'Edit First' })).toBeFocused();
  await row('First').getByRole('button', { name: 'Edit First' }).click();
  await expect(dialog.getByPlaceholder('Leave blank to keep existing key')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('second');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('A model with this name already exists.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row('Renamed')).toBeVisible();
  const list = await account.api.get('/ai-models', aiModelList);
  expect(list.find(({ name }) => name === 'Renamed')?.has_api_key).toBe(true);

  await row('Renamed').getByRole('button', { name: 'Delete Renamed' }).click();
  const question = page.getByRole('dialog', { name: 'Delete model' });
  await expect(question).toContainText('Are you sure you want to delete the model "Renamed"?');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(row('Renamed')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add model' })).toBeFocused();

  await row('Second').getByRole('button', { name: 'Delete Second' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('The built-in analyst works without a key')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add model' })).toBeFocused();
});

test('once the API key is entered, the models that the provider lists are offered', async ({
  page,
  models,
}) => {
  await page.goto(SCREEN);
  const dialog = await openNewModel(page);
  await fillModel(dialog, { name: 'Ours', url: models.urlOf('custom') });
  const choices = dialog.getByRole('combobox', { name: 'Model', exact: true });
  await expect(choices).toHaveCount(0);
  await dialog.getByRole('textbox', { name: 'API Key' }).fill('sk-our-key');
  await page.keyboard.press('Tab');
  await choices.click();
  await expect(page.getByRole('option', { name: 'gpt-4o', exact: true })).toBeVisible();
});

test('a model that the provider does not list is saved only after confirmation, with its price and limits', async ({
  page,
  account,
  models,
}) => {
  await page.goto(SCREEN);
  const dialog = await openNewModel(page);
  await fillModel(dialog, { name: 'Ours', url: models.urlOf('custom'), model: 'mine' });
  await dialog.getByText('Price and caps').click();
  await dialog.getByRole('textbox', { name: 'Input', exact: true }).fill('2');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('Enter both the input and the output price.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Output', exact: true }).fill('10');
  await dialog.getByRole('textbox', { name: 'Cost a month' }).fill('5');
  models.next({ text: '{"ok": true}' });
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByRole('checkbox', { name: 'Use for reviews and scores' }).check();
  await expect(dialog).toContainText('at most 20 calls an hour from lists');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('Custom does not list mine.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await account.api.get('/ai-models', aiModelList)).toMatchObject([
    {
      model_identifier: 'mine',
      is_default: true,
      monthly_call_cap: null,
      monthly_cost_cap: 5,
      price: { input: 2, output: 10, cached_input: null, source: 'custom' },
    },
  ]);
});

test('a failing model is reported in the list and on the overview until Try again succeeds', async ({
  page,
  account,
  models,
}) => {
  const model = await storeModel(account, models, 'Ours');
  const path = `/ai-models/${model.id}/resume`;
  models.next({ fails: 401, says: 'Who are you?' });
  await account.api.send('POST', path, {}, aiModelTestResult);
  await page.goto('/console');
  await expect(page.getByText('Ours failed once. Ours refuses the API key: Who are you?')).toBeVisible();
  await expect(page.getByText('The model has not answered yet.')).toBeVisible();
  await expect(page.getByText('The built-in analyst answers reviews and scores instead.')).toBeVisible();
  await page.getByRole('link', { name: 'Open Models' }).click();
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Ours' }) });
  await expect(row.getByText('Fails', { exact: true })).toBeVisible();
  models.next({ text: '{"ok": true}' });
  await row.getByRole('button', { name: 'Try again: Ours' }).click();
  await expect(row.getByText('Works', { exact: true })).toBeVisible();
  await expect(row).toContainText('This month:');
});

test('an open flow reports that its model was deleted', async ({ page, account, models }) => {
  const { id } = await storeModel(account, models, 'Ours');
  await newFlow(account, { name: 'Prompted', ai_model_id: id, prompt_template: 'Look at it.' });
  const sidebar = page.getByRole('navigation', { name: 'Console' });
  await page.goto('/console/flows');
  await expect(page.getByRole('row').filter({ hasText: 'Prompted' })).toBeVisible();
  await sidebar.getByRole('link', { name: 'Models' }).click();
  await page.getByRole('button', { name: 'Delete Ours' }).click();
  await page.getByRole('dialog', { name: 'Delete model' }).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('The built-in analyst works without a key')).toBeVisible();
  await sidebar.getByRole('link', { name: 'Flows' }).click();
  await expect(page.getByText('Its language model was removed.')).toBeVisible();
});

test('Escape closes only the upgrade dialog, and the form below keeps its values', async ({ page }) => {
  const detail = 'Custom AI models are not part of your plan Free. They come with another plan.';
  await page.route('**/api/v1/ai-models', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { detail, code: 'plan_limit', request_id: 'r-1' } })
      : route.continue(),
  );
  await page.goto(SCREEN);
  const dialog = await openNewModel(page);
  await fillModel(dialog, { name: 'Ours', url: 'https://models.example.com/v1' });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const upgrade = page.getByRole('dialog', { name: 'Upgrade Your Plan' });
  await expect(upgrade).toContainText(
    'You have exceeded the usage limits of your current plan. Please upgrade to continue using this feature.',
  );
  await expect(upgrade).toContainText(detail);
  await page.keyboard.press('Escape');
  await expect(upgrade).toBeHidden();
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Ours');
  const refusal = dialog.getByRole('alert');
  await expect(refusal).toContainText(detail);
  await expect(refusal).not.toContainText('Reference');
  await expect(refusal.getByRole('link', { name: 'See the plans' })).toHaveAttribute(
    'href',
    '/console/pricing',
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('a list that fails to load shows an error, and Retry loads it', async ({ page }) => {
  let broken = true;
  await page.route('**/api/v1/ai-models', (route) =>
    broken
      ? route.fulfill({ status: 500, json: { detail: 'Broken.', code: 'broken', request_id: 'r-1' } })
      : route.continue(),
  );
  await page.goto(SCREEN);
  await expect(page.getByRole('alert')).toContainText('Failed to fetch AI models');
  broken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('The built-in analyst works without a key')).toBeVisible();
});
