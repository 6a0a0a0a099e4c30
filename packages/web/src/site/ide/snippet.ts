/** The coding tools whose set-up is shown, in the order of their tabs; the first one is open. */
export const IDES = {
  'claude-code': { name: 'Claude Code', place: 'Terminal' },
  cursor: { name: 'Cursor', place: '.cursor/mcp.json' },
  windsurf: { name: 'Windsurf', place: '~/.codeium/windsurf/mcp_config.json' },
} as const;
export type Ide = keyof typeof IDES;
export const IDE_NAMES = Object.keys(IDES).filter((name): name is Ide => name in IDES);

/** The environment variable the snippets take the API key from, so that no key stands in a file that is shared. */
export const KEY_VARIABLE = 'WINNOW_API_KEY';

/** What is typed or pasted to connect a coding tool to the MCP endpoint of the Winnow at `origin`. */
export function snippetFor(ide: Ide, origin: string): string {
  const endpoint = `${origin}/mcp`;
  switch (ide) {
    case 'claude-code':
      return [
        'claude mcp add --transport http winnow \\',
        `  ${endpoint} \\`,
        `  --header "Authorization: Bearer $${KEY_VARIABLE}"`,
      ].join('\n');
    case 'cursor':
      return configuration({ url: endpoint, headers: BEARER });
    case 'windsurf':
      return configuration({ serverUrl: endpoint, headers: BEARER });
  }
}

const BEARER = { Authorization: `Bearer \${env:${KEY_VARIABLE}}` };

function configuration(server: Record<string, unknown>): string {
  return JSON.stringify({ mcpServers: { winnow: server } }, null, 2);
}

/** A piece of a snippet and what it is, for its color. */
export interface SnippetPiece {
  kind: 'key' | 'string' | 'punctuation' | 'plain';
  text: string;
}

const MARKED = /(?<key>"[^"]*"(?=:)|--[a-z-]+)|(?<string>"[^"]*"|https?:\/\/\S+)|(?<punctuation>[{}:,]+)/g;

/** A snippet in pieces; together they are the snippet. */
export function piecesOf(snippet: string): SnippetPiece[] {
  const pieces: SnippetPiece[] = [];
  let end = 0;
  const addPlain = (to: number) => {
    if (to > end) pieces.push({ kind: 'plain', text: snippet.slice(end, to) });
  };
  for (const { 0: text, index, groups } of snippet.matchAll(MARKED)) {
    addPlain(index);
    const kind = groups?.key ? 'key' : groups?.string ? 'string' : 'punctuation';
    pieces.push({ kind, text });
    end = index + text.length;
  }
  addPlain(snippet.length);
  return pieces;
}
