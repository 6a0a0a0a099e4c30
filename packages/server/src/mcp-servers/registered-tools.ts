import { createHash } from 'node:crypto';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import { conflict } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { callTool, listTools } from './client.ts';
import type { ExternalResult, ExternalTool, ExternalTools } from './external-tools.ts';
import { McpServerError } from './mcp-server-error.ts';
import type { SessionOptions } from './session.ts';
import { findNamed } from './store.ts';
import { storedConnection } from './stored-secret.ts';

/**
 * Returns the hashes of the servers' addresses, by server name. Omits names that are not
 * registered.
 */
export async function addressesOf(
  db: Db,
  accountId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await findNamed(db, accountId, names);
  // Only a hash is returned, because an address may contain a secret.
  return new Map(
    rows.map(({ name, url }) => [name, createHash('sha256').update(url).digest('base64url')] as const),
  );
}

export interface RegisteredToolsOptions extends SessionOptions {
  db: Db;
  secrets: Secrets;
}

/** Implements {@link ExternalTools} by calling the registered servers. */
export class RegisteredTools implements ExternalTools {
  readonly #options: RegisteredToolsOptions;

  constructor(options: RegisteredToolsOptions) {
    this.#options = options;
  }

  async list(accountId: string, serverNames: readonly string[]): Promise<ExternalTool[]> {
    const { db, secrets } = this.#options;
    const names = [...new Set(serverNames)].filter((name) => name !== MCP_SERVER_NAME);
    const rows = await findNamed(db, accountId, names);
    const connections = names.map((name) => {
      const row = rows.find((candidate) => candidate.name === name);
      if (!row) throw notRegistered(name);
      const reading = row.tools.filter((tool) => tool.read_only).map((tool) => tool.name);
      return { connection: storedConnection(secrets, row), reading };
    });
    const listings = await Promise.all(
      connections.map(async ({ connection, reading }) => {
        const { tools } = await listTools(connection, this.#options);
        return tools.map((tool) => {
          return { server: connection.name, ...tool, readOnly: tool.readOnly && reading.includes(tool.name) };
        });
      }),
    );
    return listings.flat();
  }

  async addressOf(accountId: string, server: string): Promise<string> {
    const address = (await addressesOf(this.#options.db, accountId, [server])).get(server);
    if (!address) throw conflict('mcp_server_gone', `MCP server ${server} not found.`);
    return address;
  }

  async call(
    accountId: string,
    server: string,
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ExternalResult> {
    const { db, secrets } = this.#options;
    const [row] = await findNamed(db, accountId, [server]);
    try {
      if (!row) throw notRegistered(server);
      return await callTool(storedConnection(secrets, row), this.#options, tool, args, signal);
    } catch (error) {
      if (error instanceof McpServerError) return { text: error.detail, isError: true };
      throw error;
    }
  }
}

function notRegistered(name: string): McpServerError {
  return new McpServerError(
    `MCP server ${name} not found. Add it in the settings, or remove it from the flow.`,
  );
}
