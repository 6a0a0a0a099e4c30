import { flowCreate } from '@winnow/contract/flow';
import { expect, test } from 'vitest';
import { offeredTools } from './offered-tools.ts';

const outside = (server: string, name: string) => ({
  server,
  name,
  title: null,
  description: 'Does it.',
  inputSchema: { type: 'object' },
  readOnly: false,
});
const definition = (changes: object) =>
  flowCreate.parse({ name: 'A flow', allowed_mcp_servers: ['winnow', 'Wiki'], ...changes });

test('gives every tool a unique name that all providers accept', () => {
  const strange = ['é', '1 – two', 'x'.repeat(200), `${'x'.repeat(200)}y`, 'a.b', 'a b', 'a/b'];
  const tools = offeredTools(
    definition({}),
    strange.map((name) => outside('9 Wikis', name)),
  );
  const names = tools.map(({ offered }) => offered.name);
  for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('winnow__update_issue');
});

test('omits denied tools, decide_change, and tools of servers that the flow does not use', () => {
  const tools = offeredTools(
    definition({ tool_policies: { 'winnow/create_issue': 'deny', 'Wiki/write': 'deny' } }),
    [outside('Wiki', 'read'), outside('Wiki', 'write')],
  );
  const names = tools.map(({ server, name }) => `${server}/${name}`);
  expect(names).toContain('Wiki/read');
  for (const name of ['winnow/create_issue', 'winnow/decide_change', 'Wiki/write']) {
    expect(names).not.toContain(name);
  }
  expect(offeredTools(definition({ allowed_mcp_servers: [] }), [])).toEqual([]);
});

test('attributes descriptions of external tools to their server', () => {
  const tools = offeredTools(definition({}), [outside('Wiki', 'read')]);
  const described = ({ server }: { server: string }) =>
    tools.filter((tool) => tool.server === server).map(({ offered }) => offered.description);
  expect(described({ server: 'Wiki' })).toEqual([
    'Tool of the external server Wiki, described by it as: Does it.',
  ]);
  expect(described({ server: 'winnow' }).join()).not.toContain('external server');
});

test('does not offer the idempotency key to models', () => {
  const create = offeredTools(definition({}), []).find(({ name }) => name === 'create_issue');
  expect(create?.offered.inputSchema.properties).not.toHaveProperty('idempotency_key');
});
