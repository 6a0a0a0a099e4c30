import { expect, test } from 'vitest';
import { IDE_NAMES, piecesOf, snippetFor } from './snippet.ts';

const ORIGIN = 'https://winnow.acme.test:8443';

test('Claude Code is the first tab, and gets one command with the bearer header', () => {
  expect(IDE_NAMES).toEqual(['claude-code', 'cursor', 'windsurf']);
  expect(snippetFor('claude-code', ORIGIN)).toBe(
    `claude mcp add --transport http winnow \\
  https://winnow.acme.test:8443/mcp \\
  --header "Authorization: Bearer $WINNOW_API_KEY"`,
  );
});

test('Cursor reads the address from `url`, Windsurf from `serverUrl`, both with the bearer header', () => {
  const headers = { Authorization: 'Bearer $' + '{env:WINNOW_API_KEY}' };
  const endpoint = `${ORIGIN}/mcp`;
  expect(JSON.parse(snippetFor('cursor', ORIGIN))).toEqual({
    mcpServers: { winnow: { url: endpoint, headers } },
  });
  expect(JSON.parse(snippetFor('windsurf', ORIGIN))).toEqual({
    mcpServers: { winnow: { serverUrl: endpoint, headers } },
  });
});

test.each(IDE_NAMES)('coloring the snippet of %s changes none of it', (ide) => {
  const snippet = snippetFor(ide, ORIGIN);
  const pieces = piecesOf(snippet);
  expect(pieces.map(({ text }) => text).join('')).toBe(snippet);
  expect(new Set(pieces.map(({ kind }) => kind)).size).toBeGreaterThan(2);
});

test('names are told from values', () => {
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
