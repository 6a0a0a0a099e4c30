import { type FlowCreate, flowList } from '@winnow/contract/flow';
import { mcpServer, mcpServerList } from '@winnow/contract/mcp-server';
import { type McpEmulator, type Offer, startMcpServer } from '@winnow/emulators/mcp/emulator';
import { newFlow } from '@winnow/tools/browser/flows.ts';
import { addServer, fillServer, openNewServer } from '@winnow/tools/browser/mcp-servers.ts';
import { choose } from '@winnow/tools/browser/models.ts';
import { expect, signedIn } from '../fixtures/test.ts';

const SCREEN = '/console/settings/mcp-servers';
const SECRET = 'wiki-secret-0123456789';
const USES_WIKI = {
  name: 'Keep the wiki in step',
  builtin_actions: ['check_readiness'],
  allowed_mcp_servers: ['Wiki'],
} satisfies Partial<FlowCreate>;

const wiki: Offer = (server) => {
  server.registerTool(
    'search_wiki',
    { description: 'Searches the wiki.', annotations: { readOnlyHint: true } },
    async () => ({ content: [] }),
  );
  server.registerTool('edit_page', { title: 'Edit a page' }, async () => ({ content: [] }));
};

/** Fixtures for the product and an external MCP server with two tools. */
const test = signedIn.extend<{ server: McpEmulator }>({
  server: async ({ browserName: _browserName }, use) => {
    const server = await startMcpServer(wiki);
    await use(server);
    await server.close();
  },
});

test('the sidebar links to MCP Servers, where the built-in tools are listed and permanent', async ({
  page,
}) => {
  await page.goto('/console/settings/profile');
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'MCP Servers' }).click();
  await expect(page).toHaveURL(SCREEN);
  await expect(page.getByText('Flows can use tools of other servers too')).toBeVisible();
  const own = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'winnow' }) });
  await own.getByRole('button', { name: /^\d+ tools of winnow$/ }).click();
  await expect(page.getByRole('region', { name: 'Tools' })).toContainText('search_issues');
  await expect(page.getByRole('button', { name: /(Edit|Delete) winnow/ })).toHaveCount(0);
});

test('missing values are reported at their fields, and nothing is sent', async ({ page, account }) => {
  await page.goto(SCREEN);
  const dialog = await openNewServer(page);
  await fillServer(dialog, { name: 'a/b', url: 'mcp.example.com' });
  await choose(dialog, 'Authentication', 'Header');
  await dialog.getByRole('textbox', { name: 'Header' }).fill('Host');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  for (const message of [
    'A name may contain letters A to Z, digits, spaces, dots, dashes and underscores.',
    'Enter a web address such as https://mcp.example.com/mcp.',
    'The connection sets this header itself. Choose a different header.',
  ]) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await choose(dialog, 'Authentication', 'Bearer token');
  await fillServer(dialog, { name: 'Wiki', url: 'https://mcp.example.com/mcp' });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('Enter the secret.')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Token' })).toBeFocused();
  expect(await account.api.get('/mcp-servers', mcpServerList)).toHaveLength(1);
});

test('Test lists the tools of the server in the dialog, before the server has a name', async ({
  page,
  server,
}) => {
  server.expect('authorization', `Bearer ${SECRET}`);
  await page.goto(SCREEN);
  const dialog = await openNewServer(page);
  await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByRole('alert')).toContainText('requires authentication.');
  await choose(dialog, 'Authentication', 'Bearer token');
  await dialog.getByRole('textbox', { name: 'Token' }).fill(SECRET);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText(/has 2 tools\. It took/)).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Tools' })).toContainText('search_wiki');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://elsewhere.example/mcp');
  await expect(dialog.getByText(/has 2 tools/)).toHaveCount(0);
});

test('servers are added, tested, edited without their secret, and deleted by name', async ({
  page,
  account,
  server,
}) => {
  await page.goto(SCREEN);
  await addServer(page, { name: 'Wiki', url: server.url });
  await expect(page.getByRole('button', { name: 'Add server' })).toBeFocused();
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  await expect(row('Wiki').getByText('Connected')).toBeVisible();
  await row('Wiki').getByRole('button', { name: '2 tools of Wiki' }).click();
  const tools = page.getByRole('region', { name: 'Tools' }).getByRole('listitem');
  await expect(tools).toHaveText([/search_wiki.*Reads.*Searches the wiki\./s, /edit_page.*May write/s]);

  server.expect('authorization', `Bearer ${SECRET}`);
  await row('Wiki').getByRole('button', { name: 'Check Wiki' }).click();
  await expect(row('Wiki').getByText('Failing')).toBeVisible();
  await expect(page.getByText('Wiki requires authentication.')).toBeVisible();

  await row('Wiki').getByRole('button', { name: 'Edit Wiki' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit MCP Server' });
  await choose(dialog, 'Authentication', 'Bearer token');
  await dialog.getByRole('textbox', { name: 'Token' }).fill(SECRET);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row('Wiki').getByText('Connected')).toBeVisible();
  await row('Wiki').getByRole('button', { name: 'Edit Wiki' }).click();
  await expect(dialog.getByPlaceholder('Leave blank to keep the stored one')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row('Renamed').getByText('Connected')).toBeVisible();
  const [, stored] = await account.api.get('/mcp-servers', mcpServerList);
  expect(stored).toMatchObject({ name: 'Renamed', has_secret: true });

  await row('Renamed').getByRole('button', { name: 'Delete Renamed' }).click();
  const question = page.getByRole('dialog', { name: 'Delete MCP server' });
  await expect(question).toContainText('Are you sure you want to delete the MCP server "Renamed"?');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(row('Renamed')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add server' })).toBeFocused();
});

test('renaming or deleting a server names the affected flows', async ({ page, account, server }) => {
  await account.api.send('POST', '/mcp-servers', { name: 'Wiki', url: server.url }, mcpServer);
  await newFlow(account, { ...USES_WIKI, tool_policies: { 'Wiki/edit_page': 'allow' } });
  await newFlow(account, { ...USES_WIKI, name: 'Ask first' });
  await page.goto(SCREEN);
  await page.getByRole('button', { name: 'Edit Wiki' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit MCP Server' });
  const warning = dialog.getByText('Keep the wiki in step allows tools of this server. The permission does');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://elsewhere.example/mcp');
  await expect(warning).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(` ${server.url} `);
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Handbook');
  await expect(warning).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete Wiki' }).click();
  await expect(page.getByRole('dialog', { name: 'Delete MCP server' })).toContainText(
    /These flows use its tools: (Keep the wiki in step, Ask first|Ask first, Keep the wiki in step)\./,
  );
});

test('a flow opened before its server was renamed is saved with the new name', async ({
  page,
  account,
  server,
}) => {
  await account.api.send('POST', '/mcp-servers', { name: 'Wiki', url: server.url }, mcpServer);
  await newFlow(account, { ...USES_WIKI, is_preset: true });
  const form = page.locator('form');
  const sidebar = page.getByRole('navigation', { name: 'Console' });
  await page.goto('/console/flows');
  await expect(page.getByRole('link', { name: 'Clone Keep the wiki in step' })).toBeVisible();
  await page.getByRole('link', { name: 'Keep the wiki in step', exact: true }).click();
  await expect(form.getByText('Wiki', { exact: true })).toBeVisible();
  await sidebar.getByRole('link', { name: 'MCP Servers' }).click();
  await page.getByRole('button', { name: 'Edit Wiki' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit MCP Server' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Handbook');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);

  await sidebar.getByRole('link', { name: 'Flows' }).click();
  await page.getByRole('link', { name: 'Clone Keep the wiki in step' }).click();
  await expect(form.getByText('Handbook', { exact: true })).toBeVisible();
  await expect(form.getByText('Wiki', { exact: true })).toHaveCount(0);
  await sidebar.getByRole('link', { name: 'Flows' }).click();
  await page.getByRole('link', { name: 'Keep the wiki in step', exact: true }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Of the handbook.');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Updated Keep the wiki in step.')).toBeVisible();
  const [stored] = await account.api.get('/flows', flowList);
  expect(stored).toMatchObject({ description: 'Of the handbook.', allowed_mcp_servers: ['Handbook'] });
});

test('a list that fails to load shows an error, and Retry loads it', async ({ page }) => {
  let broken = true;
  await page.route('**/api/v1/mcp-servers', (route) =>
    broken
      ? route.fulfill({ status: 500, json: { detail: 'Broken.', code: 'broken', request_id: 'r-1' } })
      : route.continue(),
  );
  await page.goto(SCREEN);
  await expect(page.getByRole('alert')).toContainText('Failed to fetch MCP servers');
  broken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('rowheader', { name: 'winnow' })).toBeVisible();
});
