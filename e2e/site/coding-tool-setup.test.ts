import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from '@playwright/test';
import { createdApiKey } from '@winnow/contract/api-key';
import { AGENT_TOOLS } from '@winnow/contract/mcp';
import { expect, test } from '../fixtures/test.ts';

/** URL and `Authorization` header with which a coding tool connects. */
type Connection = { url: string; authorization: string };
type Variables = Readonly<Record<string, string>>;

const SERVER = { url: expect.any(String), headers: { Authorization: expect.any(String) } };

/**
 * Replaces the variables in a text. `pattern` matches the notation of a variable. Throws for an
 * unknown variable.
 */
function fillVariables(text: string, pattern: RegExp, variables: Variables): string {
  return text.replace(pattern, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`Nothing is known as ${name}.`);
    return value;
  });
}

const FROM_SHELL = /\$\{?(\w+)\}?/g;
const FROM_ENV = /\$\{env:(\w+)\}/g;
const FROM_INPUT = /\$\{input:([\w-]+)\}/g;

/** Splits a command into words like a shell does, and replaces variables within double quotes. */
function splitCommand(command: string, variables: Variables): string[] {
  return [...command.replaceAll('\\\n', ' ').matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) =>
    fillVariables(quoted ?? word, FROM_SHELL, variables),
  );
}

/**
 * Returns the only server under `name` in a JSON file. Its properties must be exactly the
 * properties of `server`.
 */
function jsonServer(setup: string, name: string, server: object) {
  const file = JSON.parse(setup);
  expect(file).toEqual({ [name]: { winnow: server } });
  return file[name].winnow;
}

/** Returns the tables of a TOML file that contains only strings. Throws for any other line. */
function parseTables(toml: string): Record<string, Record<string, string>> {
  const tables: Record<string, Record<string, string>> = {};
  let table: Record<string, string> = {};
  for (const line of toml.split('\n')) {
    const [, name] = /^\[([\w.]+)\]$/.exec(line) ?? [];
    const [, key, value] = /^(\w+) = "([^"\\]*)"$/.exec(line) ?? [];
    if (name !== undefined) tables[name] = table = {};
    else if (key !== undefined && value !== undefined) table[key] = value;
    else throw new Error(`Not understood: ${line}`);
  }
  return tables;
}

/**
 * Reads the configuration of each coding tool. Each reader uses the property names of its tool, and
 * throws for unknown properties.
 */
const READERS: Record<string, (setup: string, variables: Variables) => Connection> = {
  'Claude Code': (setup, variables) => {
    const words = splitCommand(setup, variables);
    const [url = '', , header = ''] = words.slice(6);
    const command = ['claude', 'mcp', 'add', '--transport', 'http', 'winnow', url, '--header', header];
    expect(words).toEqual(command);
    expect(header).toMatch(/^Authorization: /);
    return { url, authorization: header.replace('Authorization: ', '') };
  },
  Cursor: (setup, variables) => {
    const { url, headers } = jsonServer(setup, 'mcpServers', SERVER);
    return { url, authorization: fillVariables(headers.Authorization, FROM_ENV, variables) };
  },
  Windsurf: (setup, variables) => {
    const { url: serverUrl, headers } = SERVER;
    const server = jsonServer(setup, 'mcpServers', { serverUrl, headers });
    return {
      url: server.serverUrl,
      authorization: fillVariables(server.headers.Authorization, FROM_ENV, variables),
    };
  },
  'VS Code': (setup, variables) => {
    const { inputs, ...file } = JSON.parse(setup);
    const { url, headers } = jsonServer(JSON.stringify(file), 'servers', { type: 'http', ...SERVER });
    const id = expect.any(String);
    expect(inputs).toEqual([{ type: 'promptString', id, description: id, password: true }]);
    const typed = { [inputs[0].id]: Object.values(variables)[0] ?? '' };
    return { url, authorization: fillVariables(headers.Authorization, FROM_INPUT, typed) };
  },
  Codex: (setup, variables) => {
    const tables = parseTables(setup);
    const text = expect.any(String);
    expect(tables).toEqual({ 'mcp_servers.winnow': { url: text, bearer_token_env_var: text } });
    const { url = '', bearer_token_env_var: name = '' } = tables['mcp_servers.winnow'] ?? {};
    return { url, authorization: `Bearer ${fillVariables(`$${name}`, FROM_SHELL, variables)}` };
  },
  'Gemini CLI': (setup, variables) => {
    const { url: httpUrl, headers } = SERVER;
    const server = jsonServer(setup, 'mcpServers', { httpUrl, headers });
    return {
      url: server.httpUrl,
      authorization: fillVariables(server.headers.Authorization, FROM_SHELL, variables),
    };
  },
};

/** Returns the first code block after a heading of the documentation. */
async function codeAfter(page: Page, heading: string): Promise<string> {
  const code = page.getByRole('heading', { name: heading, exact: true }).locator('xpath=following::pre[1]');
  return (await code.textContent())?.trimEnd() ?? '';
}

/** Returns the variables that the export line in the documentation sets for this API key. */
function exportedVariables(line: string, key: string): Variables {
  const [, name, value = ''] = /^export (\w+)=(wnw_…)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`No key in this export line: ${line}`);
  return { [name]: value.replace('wnw_…', key) };
}

/** Connects like the coding tool would. Returns the number of tools that the server offers. */
async function countTools({ url, authorization }: Connection): Promise<number> {
  const client = new Client({ name: 'documentation reader', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization } },
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.length;
}

test('each documented setup connects exactly as printed', async ({ page, account }) => {
  const { key } = await account.api.send('POST', '/auth/api-keys', { name: 'agent' }, createdApiKey);
  await page.goto('/docs');
  const names = await page
    .locator('xpath=//h3[preceding::h2[1][@id="mcp"]][following::h3[@id="another-client"]]')
    .allTextContents();
  expect(names, 'every reader is tested').toEqual(Object.keys(READERS));
  const variables = exportedVariables(await codeAfter(page, 'MCP'), key);
  for (const [name, read] of Object.entries(READERS)) {
    const connection = read(await codeAfter(page, name), variables);
    expect(await countTools(connection), name).toBe(AGENT_TOOLS.length);
  }
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('each setup on the landing page connects exactly as printed', async ({ page, account }) => {
      const { key } = await account.api.send('POST', '/auth/api-keys', { name: 'agent' }, createdApiKey);
      await page.goto('/');
      for (const name of ['Claude Code', 'Cursor', 'Windsurf']) {
        if (javaScriptEnabled) await page.getByRole('tab', { name }).click();
        const panel = page.getByRole('tabpanel').filter({ hasText: `Before you start with ${name}` });
        await expect(panel).toBeVisible();
        const line = (await panel.locator('li code').textContent()) ?? '';
        const setup = (await panel.locator('pre').textContent()) ?? '';
        const connection = READERS[name]?.(setup, exportedVariables(line, key));
        expect(connection && (await countTools(connection)), name).toBe(AGENT_TOOLS.length);
      }
    });
  });
}
