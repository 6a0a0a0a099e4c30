import { BUILTIN_ACTIONS, COMMON_EVENTS, FLOW_EVENTS, flowList } from '@winnow/contract/flow';
import { newFlow, presetCard } from '@winnow/tools/browser/flows.ts';
import { choose } from '@winnow/tools/browser/models.ts';
import { samplePairs } from '@winnow/tools/browser/similarity.ts';
import { addModel } from '../fixtures/models.ts';
import { expect, signedIn as test, withOwnSample } from '../fixtures/test.ts';

const NEW = '/console/flows/new';

test('the sidebar links to Flows, whose welcome stays closed once dismissed', async ({ page }) => {
  await page.goto('/console');
  const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
  await expect(links.filter({ hasText: 'Flows' })).toBeVisible();
  await links.filter({ hasText: 'Flows' }).click();
  await expect(page.getByText('You have no flows yet')).toBeVisible();
  const welcome = page.getByRole('note').filter({ hasText: 'event-driven agentic flows' });
  await welcome.getByRole('button').click();
  await expect(welcome).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('You have no flows yet')).toBeVisible();
  await expect(welcome).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('flows-alert-dismissed'))).toBe('true');
});

test('the sidebar on the production host has no Flows', async ({ page }) => {
  await page.route('**/console', async (route) => {
    const response = await route.fetch();
    const { hostname } = new URL(response.url());
    const named = `<head><meta name="production-host" content="${hostname}">`;
    await route.fulfill({ response, body: (await response.text()).replace('<head>', named) });
  });
  await page.goto('/console');
  const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
  await expect(links.filter({ hasText: 'Trackers' })).toBeVisible();
  await expect(links.filter({ hasText: 'Flows' })).toHaveCount(0);
});

test('a flow can wait for a cluster that grows beyond a number of open issues', async ({ page, account }) => {
  await page.goto(`${NEW}?preset_id=none`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Pile');
  const size = page.getByRole('textbox', { name: 'Open Issues' });
  await choose(page.locator('form'), 'Event', 'Issue Opened');
  await expect(size).toHaveCount(0);
  await choose(page.locator('form'), 'Event', 'Cluster Grew');
  await size.fill('1');
  await page.getByRole('checkbox', { name: BUILTIN_ACTIONS.report_backlog.label }).check();
  const create = page.getByRole('button', { name: 'Create', exact: true });
  await create.click();
  await expect(page.getByText('At least 2 issues.')).toBeVisible();
  await size.fill('12');
  await create.click();
  await expect(page).not.toHaveURL(/flows\/new/);
  const flows = await account.api.get('/flows', flowList);
  expect(flows).toMatchObject([{ trigger_event_type: 'cluster_grew', trigger_cluster_size: 12 }]);
});

withOwnSample('a preview on an issue shows which filters it passes', async ({ page }) => {
  await page.goto(`${NEW}?preset_id=none`);
  for (const [index, word] of ['journal', 'no such word'].entries()) {
    await page.getByRole('button', { name: 'Add Filters' }).click();
    await page.getByRole('textbox', { name: `Value of filter ${index + 1}` }).fill(word);
  }
  await page.getByText('on a past event or an issue').click();
  await page.getByText('An issue', { exact: true }).click();
  const key = page.getByRole('combobox', { name: 'Issue' });
  await key.fill(samplePairs.identical.newer);
  await key.press('Enter');
  await expect(page.getByText('The filters do not match.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Matches', exact: true })).toHaveCount(1);
  await expect(page.getByRole('img', { name: 'Does not match' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove filter 2' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('The filters match.', { exact: true })).toBeVisible();
});

test('missing and invalid values are reported beside their fields, and nothing is stored', async ({
  page,
  account,
}) => {
  await page.goto(NEW);
  await page.getByRole('button', { name: 'Create from Scratch' }).click();
  const create = page.getByRole('button', { name: 'Create', exact: true });
  await create.click();
  await expect(page.getByText('Enter a name.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Name' }).fill('Broken');
  await choose(page.locator('form'), 'Event', 'Other');
  await page.getByRole('combobox', { name: 'Custom Event' }).fill('issue_opend');
  await page.getByRole('button', { name: 'Add Filters' }).click();
  await page.getByRole('combobox', { name: 'Operator of filter 1' }).selectOption('matches');
  await page.getByRole('textbox', { name: 'Max Iterations' }).fill('-5');
  const budget = page.getByRole('textbox', { name: 'Max Budget' });
  await budget.fill('0.5');
  await create.click();
  await expect(budget).toHaveValue('$0.50');
  await expect(page.getByText('At least 1 iteration.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Max Iterations' }).fill('5');
  await expect(page.getByText('Event not found.')).toBeVisible();
  await expect(page.getByText('Enter a value.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Custom Event' }).fill('issue_opened');
  await page.getByRole('textbox', { name: 'Value of filter 1' }).fill('(');
  await create.click();
  // These two errors come from the server. Only the server can compile the pattern and check
  // whether the flow has an action.
  await expect(page.getByText('Not saved. Check the fields marked below.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Value of filter 1' })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await expect(page.getByText('Choose actions for the built-in analyst')).toBeVisible();
  expect(await account.api.get('/flows', flowList)).toEqual([]);
});

test('two braces open a keyboard-operated list of event facts', async ({ page, account, models }) => {
  await addModel(account, models, 'Ours');
  await page.goto(`${NEW}?preset_id=none`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Prompted');
  await choose(page.locator('form'), 'AI Model', 'Ours');
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.pressSequentially('Look at {{issue.t');
  const names = page.getByRole('listbox', { name: 'Event data' });
  await expect(names.getByRole('option')).toHaveText([/issue\.title/, /issue\.type/]);
  await prompt.press('ArrowDown');
  await prompt.press('Enter');
  await expect(prompt).toHaveValue('Look at {{issue.type}}');
  await expect(names).toHaveCount(0);
  await prompt.pressSequentially(' {{nothing.like_it}}');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(prompt).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(/nothing\.like_it/).last()).toBeVisible();

  await choose(page.locator('form'), 'AI Model', 'Built-in analyst');
  await page.getByRole('checkbox', { name: BUILTIN_ACTIONS.flag_duplicates.label }).check();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(prompt, 'a hidden prompt is validated as well').toBeFocused();
});

test('Enter opens the row that has the focus, but not while the key is held', async ({ page, account }) => {
  const flow = await newFlow(account, { name: 'Gate', builtin_actions: ['check_readiness'] });
  await page.goto('/console/flows');
  const row = page.getByRole('row').filter({ hasText: 'Gate' });
  await row.press('Enter');
  await expect(page).toHaveURL(`/console/flows/${flow.id}`);
  await page.goBack();
  await row.waitFor();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.down('Enter');
  await row.focus();
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await row.getByRole('button', { name: 'Run Gate now' }).click();
  await expect(page.getByRole('dialog', { name: 'Run Gate' })).toBeVisible();
  await expect(page).toHaveURL('/console/flows');
});

test('a flow is edited in place, and leaving with unsaved changes asks first', async ({ page, account }) => {
  const flow = await newFlow(account, {
    name: 'Gate',
    description: 'Asks.',
    builtin_actions: ['check_readiness'],
  });
  await page.goto('/console/flows');
  await page.getByRole('row').filter({ hasText: 'Gate' }).press('Enter');
  await expect(page).toHaveURL(`/console/flows/${flow.id}`);
  await page.getByRole('textbox', { name: 'Description' }).fill('');
  await page.getByRole('link', { name: 'Cancel' }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('switch', { name: 'Enabled' }).setChecked(false, { force: true });
  await page.getByRole('radio', { name: 'Apply' }).check();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Updated Gate.')).toBeVisible();
  await expect(page).toHaveURL(`/console/flows/${flow.id}`);
  const [stored] = await account.api.get('/flows', flowList);
  expect(stored).toMatchObject({ description: null, is_enabled: false, write_mode: 'apply' });
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/console/flows');

  await page.getByRole('link', { name: 'Gate', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Changed');
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete flow' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('You have no flows yet')).toBeVisible();
});

test('a custom preset is saved from a flow, cloned and removed; built-in presets stay', async ({ page }) => {
  await page.goto(NEW);
  await presetCard(page, 'Readiness gate').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Our gate');
  await page.getByRole('checkbox', { name: 'Save as Preset' }).check();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/console\/flows\/[0-9a-f-]{36}$/);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(1);
  await page.getByRole('link', { name: 'Clone Our gate' }).click();
  await expect(page.getByRole('checkbox', { name: 'Check readiness' })).toBeChecked();
  await page.goBack();
  await page.getByRole('button', { name: 'Remove Our gate' }).click();
  await page.getByRole('dialog', { name: 'Remove preset' }).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('link', { name: 'Clone Our gate' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Clone Readiness gate' })).toBeVisible();
});

test('an image becomes the icon, scaled down, and other files are refused', async ({ page, account }) => {
  await page.goto(`${NEW}?preset_id=none`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Pictured');
  await page.getByRole('checkbox', { name: 'Check readiness' }).check();
  const upload = page.getByLabel('Upload a picture');
  await upload.setInputFiles({
    name: 'icon.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg onload="alert(1)"/>'),
  });
  await expect(page.getByText('This picture cannot be read.')).toBeVisible();
  const large = await page.screenshot();
  await upload.setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: large });
  await expect(page.getByRole('radio', { name: 'Your picture' })).toBeChecked();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/console\/flows\/[0-9a-f-]{36}$/);
  const [stored] = await account.api.get('/flows', flowList);
  expect(stored?.icon).toMatch(/^data:image\/png;base64,/);
  const size = await page.evaluate(async (address) => {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    return [picture.naturalWidth, picture.naturalHeight];
  }, stored?.icon ?? '');
  expect(Math.max(...size)).toBe(96);
});

test('each tool shows whether it may be used', async ({ page, account }) => {
  const flow = await newFlow(account, { name: 'Careful', builtin_actions: ['check_readiness'] });
  await page.goto(`/console/flows/${flow.id}`);
  await page.locator('summary').filter({ hasText: 'winnow' }).click();
  await page.getByRole('combobox', { name: 'Policy for winnow/comment_on_issue' }).selectOption('Deny');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Updated Careful.')).toBeVisible();
  const [stored] = await account.api.get('/flows', flowList);
  expect(stored?.tool_policies).toEqual({ 'winnow/comment_on_issue': 'deny' });
});

test('a flow of any tracker offers the events that all trackers report', async ({ page }) => {
  await page.goto(NEW);
  await page.getByRole('button', { name: 'Create from Scratch' }).click();
  await page.getByRole('combobox', { name: 'Event', exact: true }).click();
  await expect(page.getByRole('option')).toHaveText([
    ...COMMON_EVENTS.map((event) => FLOW_EVENTS[event].label),
    'Other',
  ]);
});
