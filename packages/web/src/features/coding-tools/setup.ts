import { MCP_PATH, MCP_SERVER_NAME } from '@winnow/contract/mcp-address';

/**
 * Environment variable that contains the API key. Setups refer to this variable, so that no key is
 * stored in a shared file.
 */
const KEY_VARIABLE = 'WINNOW_API_KEY';

/** Returns a shell command that exports an API key to the tools started from that shell. */
export function exportOf(key: string): string {
  return `export ${KEY_VARIABLE}=${key}`;
}

interface CodingTool {
  name: string;
  /** Destination of the setup: the path of a file, or the terminal. */
  place: string;
  /** Instructions for providing the API key to the coding tool. */
  key: string;
  /** Returns the command or file content for the given MCP endpoint. */
  setup: (endpoint: string) => string;
}

const IN_SHELL = `Set ${KEY_VARIABLE} to your API key in your shell.`;

/** Coding tools and how to connect each to the MCP endpoint. */
export const CODING_TOOLS = {
  'claude-code': {
    name: 'Claude Code',
    place: 'Terminal',
    key: IN_SHELL,
    setup: (endpoint) =>
      [
        `claude mcp add --transport http ${MCP_SERVER_NAME} \\`,
        `  ${endpoint} \\`,
        `  --header "Authorization: Bearer $${KEY_VARIABLE}"`,
      ].join('\n'),
  },
  cursor: {
    name: 'Cursor',
    place: '.cursor/mcp.json',
    key: `Set ${KEY_VARIABLE} to your API key in the shell that starts Cursor.`,
    setup: (endpoint) => servers('mcpServers', { url: endpoint, headers: bearer(`\${env:${KEY_VARIABLE}}`) }),
  },
  windsurf: {
    name: 'Windsurf',
    place: '~/.codeium/windsurf/mcp_config.json',
    key: `Set ${KEY_VARIABLE} to your API key in the shell that starts Windsurf.`,
    setup: (endpoint) =>
      servers('mcpServers', { serverUrl: endpoint, headers: bearer(`\${env:${KEY_VARIABLE}}`) }),
  },
  'vs-code': {
    name: 'VS Code',
    place: '.vscode/mcp.json',
    key: 'VS Code asks for your API key when the server starts, and stores it.',
    setup: (endpoint) =>
      json({
        inputs: [{ type: 'promptString', id: 'winnow-key', description: 'Winnow API key', password: true }],
        servers: {
          [MCP_SERVER_NAME]: { type: 'http', url: endpoint, headers: bearer('$' + '{input:winnow-key}') },
        },
      }),
  },
  codex: {
    name: 'Codex',
    place: '~/.codex/config.toml',
    key: IN_SHELL,
    setup: (endpoint) =>
      [
        `[mcp_servers.${MCP_SERVER_NAME}]`,
        `url = "${endpoint}"`,
        `bearer_token_env_var = "${KEY_VARIABLE}"`,
      ].join('\n'),
  },
  'gemini-cli': {
    name: 'Gemini CLI',
    place: '~/.gemini/settings.json',
    key: IN_SHELL,
    setup: (endpoint) => servers('mcpServers', { httpUrl: endpoint, headers: bearer(`$${KEY_VARIABLE}`) }),
  },
} as const satisfies Record<string, CodingTool>;
export type CodingToolId = keyof typeof CODING_TOOLS;

/** Coding tools with a tab on the landing page, in order. The first tab is open initially. */
export const IDE_NAMES = ['claude-code', 'cursor', 'windsurf'] as const satisfies readonly CodingToolId[];
export type Ide = (typeof IDE_NAMES)[number];

/**
 * Returns the command or file content that connects a coding tool to the MCP endpoint of `origin`.
 */
export function setupFor(tool: CodingToolId, origin: string): string {
  return CODING_TOOLS[tool].setup(`${origin}${MCP_PATH}`);
}

function bearer(key: string) {
  return { Authorization: `Bearer ${key}` };
}

function servers(name: string, server: Record<string, unknown>): string {
  return json({ [name]: { [MCP_SERVER_NAME]: server } });
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Part of a setup with its syntax kind, for highlighting. */
export interface SetupPiece {
  kind: 'key' | 'string' | 'punctuation' | 'plain';
  text: string;
}

const HIGHLIGHTED_PART =
  /(?<key>"[^"]*"(?=:)|--[a-z-]+)|(?<string>"[^"]*"|https?:\/\/\S+)|(?<punctuation>[{}:,]+)/g;

/** Splits a setup into parts for highlighting. Concatenating the parts restores the setup. */
export function piecesOf(setup: string): SetupPiece[] {
  const pieces: SetupPiece[] = [];
  let end = 0;
  const addPlain = (to: number) => {
    if (to > end) pieces.push({ kind: 'plain', text: setup.slice(end, to) });
  };
  for (const { 0: text, index, groups } of setup.matchAll(HIGHLIGHTED_PART)) {
    addPlain(index);
    const kind = groups?.key ? 'key' : groups?.string ? 'string' : 'punctuation';
    pieces.push({ kind, text });
    end = index + text.length;
  }
  addPlain(setup.length);
  return pieces;
}
