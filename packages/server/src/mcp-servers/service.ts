import { randomUUID } from 'node:crypto';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import {
  MCP_SERVER_LIMITS,
  type McpServerSave,
  type McpServerTest,
  type McpServerTestResult,
  type McpServerTool,
} from '@winnow/contract/mcp-server';
import { expectSignedIn, type SignedIn } from '../accounts/index.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import { truncate } from '../platform/text.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import { listTools } from './client.ts';
import type { McpConnection } from './connection.ts';
import { McpServerError } from './mcp-server-error.ts';
import type { SessionOptions } from './session.ts';
import * as store from './store.ts';
import { problemWithSecret, sealedSecret, storedConnection } from './stored-secret.ts';
import type { ListedTool, Listing } from './tool-list.ts';

/** Maximum length of a stored tool description, in UTF-16 code units. */
const MAX_STORED_DESCRIPTION_CHARS = 500;

/** A change of a server that affects the flows that use it. Flows refer to servers by name. */
export type ServerChange =
  | { name: string; became: 'renamed'; to: string }
  /** The server has a new address, so its name may now mean a different server. */
  | { name: string; became: 'moved' }
  | { name: string; became: 'removed' };

/**
 * Returns the names of the servers that flows may use: the built-in server first, then the
 * registered ones.
 */
export async function serverNames(db: Db, accountId: string): Promise<string[]> {
  return [MCP_SERVER_NAME, ...(await store.listNames(db, accountId))];
}

export interface McpServersOptions extends SessionOptions {
  db: Db;
  secrets: Secrets;
  now: () => Date;
  /** Called in the transaction that changes a server. */
  onChanged: (db: Db, accountId: string, change: ServerChange) => Promise<void>;
}

/** Manages the external MCP servers of an account. */
export class McpServers {
  readonly #options: McpServersOptions;

  constructor(options: McpServersOptions) {
    this.#options = options;
  }

  /**
   * Lists the registered servers of an account, oldest first. The built-in server is not included.
   */
  registered(accountId: string): Promise<store.McpServerRow[]> {
    return store.listServers(this.#options.db, accountId);
  }

  /**
   * Stores a server without contacting it.
   * @throws {AppError} `conflict` if the name is taken or the account has too many servers;
   * `invalid` if a required secret is missing
   */
  create(user: SignedIn, input: McpServerSave): Promise<store.McpServerRow> {
    const { secrets, now } = this.#options;
    const { accountId } = user;
    return this.#write(accountId, async (transaction) => {
      await expectSignedIn(transaction, user);
      const { length } = await store.listNames(transaction, accountId);
      if (length >= MCP_SERVER_LIMITS.servers) {
        throw conflict(
          'too_many_mcp_servers',
          `An account has at most ${MCP_SERVER_LIMITS.servers} MCP servers. Delete one you do not need.`,
        );
      }
      expectSecret(input, null);
      const id = randomUUID();
      return store.insertServer(transaction, {
        account_id: accountId,
        id,
        ...connectionOf(input),
        sealed_secret: sealedSecret(secrets, { accountId, id }, input, null),
        created_at: now(),
      });
    });
  }

  /**
   * Replaces the settings of a server. A blank secret leaves the stored secret unchanged.
   * @throws {AppError} `not_found` if unknown; `conflict` if the name is taken; `invalid` if a
   * required secret is missing
   */
  update(user: SignedIn, id: string, input: McpServerSave): Promise<store.McpServerRow> {
    const { accountId } = user;
    return this.#write(accountId, async (transaction) => {
      await expectSignedIn(transaction, user);
      const row = await store.findServer(transaction, accountId, id);
      if (!row) throw notFound();
      expectSecret(input, row);
      const values = {
        ...connectionOf(input),
        sealed_secret: sealedSecret(this.#options.secrets, { accountId, id }, input, row),
      };
      const isConnectionUnchanged =
        values.url === row.url &&
        values.auth_type === row.auth_type &&
        values.header_name === row.header_name &&
        values.sealed_secret === row.sealed_secret;
      const updated = await store.updateServer(transaction, accountId, id, {
        ...values,
        ...(isConnectionUnchanged
          ? {}
          : { status: 'unknown', status_message: null, checked_at: null, tools: '[]' }),
      });
      if (!updated) throw notFound();
      const { onChanged } = this.#options;
      if (values.url !== row.url)
        await onChanged(transaction, accountId, { name: row.name, became: 'moved' });
      if (values.name !== row.name) {
        await onChanged(transaction, accountId, { name: row.name, became: 'renamed', to: values.name });
      }
      return updated;
    });
  }

  /** Deletes a server and its secret. Flows that use the server then report the problem. */
  delete(accountId: string, serverId: string): Promise<void> {
    return this.#write(accountId, async (transaction) => {
      const name = await store.deleteServer(transaction, accountId, serverId);
      if (name === null) throw notFound();
      await this.#options.onChanged(transaction, accountId, { name, became: 'removed' });
    });
  }

  /**
   * Lists the tools of a server and stores the list. If the server fails, stores the failure
   * instead of throwing it.
   */
  async check(accountId: string, serverId: string): Promise<store.McpServerRow> {
    const { db, secrets, now } = this.#options;
    const row = await store.findServer(db, accountId, serverId);
    if (!row) throw notFound();
    const asked = await this.#ask(() => storedConnection(secrets, row));
    const checked = await store.noteChecked(db, row, {
      status: asked.problem === null ? 'ok' : 'error',
      status_message: asked.problem ?? (asked.notes.join(' ') || null),
      tools: JSON.stringify(asked.tools.map(storedTool)),
      checked_at: now(),
    });
    // If the connection was changed in the meantime, the result was not stored.
    const current = checked ?? (await store.findServer(db, accountId, serverId));
    if (!current) throw notFound();
    return current;
  }

  /**
   * Tests a connection by listing its tools. If the server fails, returns the failure instead of
   * throwing it.
   */
  async test(accountId: string, input: McpServerTest): Promise<McpServerTestResult> {
    const { db, secrets } = this.#options;
    const stored =
      input.server_id === undefined ? null : await store.findServer(db, accountId, input.server_id);
    if (stored === undefined) throw notFound();
    const problem = problemWithSecret(input, stored);
    if (problem !== null) return { success: false, message: problem, tools: [] };
    const { host } = new URL(input.url);
    const startMs = performance.now();
    const asked = await this.#ask(() => ({
      name: host,
      url: input.url,
      authType: input.auth_type,
      headerName: input.header_name,
      secret: input.secret === '' && stored ? storedConnection(secrets, stored).secret : input.secret,
    }));
    if (asked.problem !== null) return { success: false, message: asked.problem, tools: [] };
    const tools = asked.tools.map(storedTool);
    const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
    const took = `It took ${((performance.now() - startMs) / 1000).toFixed(1)} s.`;
    return { success: true, message: [`${host} has ${count}.`, took, ...asked.notes].join(' '), tools };
  }

  async #ask(connection: () => McpConnection): Promise<Listing & { problem: string | null }> {
    try {
      return { ...(await listTools(connection(), this.#options)), problem: null };
    } catch (error) {
      if (error instanceof McpServerError) return { tools: [], notes: [], problem: error.detail };
      throw error;
    }
  }

  async #write<T>(accountId: string, work: (transaction: Db) => Promise<T>): Promise<T> {
    try {
      return await this.#options.db.transaction().execute(async (transaction) => {
        await store.lockServers(transaction, accountId);
        return work(transaction);
      });
    } catch (error) {
      throw nameConflict(error) ?? error;
    }
  }
}

function connectionOf({ name, url, auth_type, header_name }: McpServerSave) {
  return { name, url, auth_type, header_name: auth_type === 'header' ? header_name : null };
}

function expectSecret(input: McpServerSave, stored: store.McpServerRow | null): void {
  const message = problemWithSecret(input, stored);
  if (message !== null) throw invalid([{ path: 'secret', message }]);
}

function storedTool({ name, title, description, readOnly }: ListedTool): McpServerTool {
  return {
    name,
    title,
    description: truncate(description, MAX_STORED_DESCRIPTION_CHARS, '…'),
    read_only: readOnly,
  };
}

function nameConflict(error: unknown) {
  if (!violates(error, 'mcp_server_name')) return null;
  const message = 'A server with this name already exists.';
  return conflict('mcp_server_name_taken', message, [{ path: 'name', message }]);
}
