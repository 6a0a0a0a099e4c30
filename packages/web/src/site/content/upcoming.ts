/**
 * What the site speaks of and this release does not have yet, one note each. When a part comes, its line goes, and the
 * compiler shows where the note stood.
 */
export const UPCOMING = {
  mcp: 'The MCP endpoint and API keys arrive with a later release.',
} as const satisfies Record<string, string>;
