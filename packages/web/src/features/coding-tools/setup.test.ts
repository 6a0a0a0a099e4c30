import { AGENT_TOOLS, MCP_TOOLS } from '@winnow/contract/mcp';
import { SITE_ORIGIN } from '@winnow/contract/site';
import { expect, test } from 'vitest';
import docs from '../../../public/content/docs.md?raw';
import { CODING_TOOLS, type CodingToolId, exportOf, IDE_NAMES, piecesOf, setupFor } from './setup.ts';

const ALL = Object.keys(CODING_TOOLS) as CodingToolId[];

const ORIGIN = 'https://winnow.acme.test:8443';

test('shows Claude Code in the first tab, with one command that sets the bearer header', () => {
  expect(IDE_NAMES).toEqual(['claude-code', 'cursor', 'windsurf']);
  expect(setupFor('claude-code', ORIGIN)).toBe(
    `claude mcp add --transport http winnow \\
  https://winnow.acme.test:8443/mcp \\
  --header "Authorization: Bearer $WINNOW_API_KEY"`,
  );
});

test('sets the address as `url` for Cursor and as `serverUrl` for Windsurf, with the bearer header', () => {
  const headers = { Authorization: 'Bearer $' + '{env:WINNOW_API_KEY}' };
  const endpoint = `${ORIGIN}/mcp`;
  expect(JSON.parse(setupFor('cursor', ORIGIN))).toEqual({
    mcpServers: { winnow: { url: endpoint, headers } },
  });
  expect(JSON.parse(setupFor('windsurf', ORIGIN))).toEqual({
    mcpServers: { winnow: { serverUrl: endpoint, headers } },
  });
});

test.each(ALL)('preserves the text when highlighting the setup of %s', (ide) => {
  const setup = setupFor(ide, ORIGIN);
  const pieces = piecesOf(setup);
  expect(pieces.map(({ text }) => text).join('')).toBe(setup);
  expect(new Set(pieces.map(({ kind }) => kind)).size).toBeGreaterThan(1);
});

test('highlights keys and values of a setup differently', () => {
  expect(piecesOf('{ "url": "https://a.test/mcp" }')).toEqual([
    { kind: 'punctuation', text: '{' },
    { kind: 'plain', text: ' ' },
    { kind: 'key', text: '"url"' },
    { kind: 'punctuation', text: ':' },
    { kind: 'plain', text: ' ' },
    { kind: 'string', text: '"https://a.test/mcp"' },
    { kind: 'plain', text: ' ' },
    { kind: 'punctuation', text: '}' },
  ]);
});

test.each(ALL)('documents the setup of %s', (tool) => {
  const { name, place, key } = CODING_TOOLS[tool];
  const [, section = ''] = docs.split(`### ${name}\n`);
  const [text = '', block] = section.split('```');
  expect(text).toContain(place === 'Terminal' ? 'terminal' : `\`${place}\``);
  expect(text?.replace(/\s+/g, ' ')).toContain(key);
  expect(block?.replace(/^\w*\n/, '').trimEnd()).toBe(setupFor(tool, SITE_ORIGIN));
});

test('documents how to export the key, and links to no other site', () => {
  expect(docs).toContain(`\`\`\`\n${exportOf('wnw_…')}\n\`\`\``);
  expect(docs).not.toMatch(/https?:\/\/winnow\./);
});

test('documents every tool with its required scopes', () => {
  for (const name of AGENT_TOOLS) {
    const { scopes, description } = MCP_TOOLS[name];
    expect(docs).toContain(`| \`${name}\` | ${scopes.join(' or ')} | ${description} |`);
  }
});
