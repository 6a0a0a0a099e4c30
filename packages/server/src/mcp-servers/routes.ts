import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import {
  mcpServer,
  mcpServerList,
  mcpServerSave,
  mcpServerTest,
  mcpServerTestResult,
} from '@winnow/contract/mcp-server';
import { z } from 'zod';
import { forbidden } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { presentMcpServer, presentOwnServer } from './present.ts';
import type { McpServers } from './service.ts';

const tags = ['MCP servers'];
/** Rate limit of routes that send requests to addresses entered by users. */
const testRateLimit = { rateLimit: { max: 60, timeWindow: 60_000 } };
const params = z.object({ server_id: mcpServer.shape.id });

export interface McpServerRoutesOptions {
  servers: McpServers;
  auth: Authentication;
  /** Public URL of this installation. */
  publicUrl: string;
}

/**
 * Registers the routes for external MCP servers. They are for signed-in users only, because clients
 * with an API key must not manage credentials.
 */
export function registerMcpServerRoutes(
  app: App,
  { servers, auth, publicUrl }: McpServerRoutesOptions,
): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/mcp-servers',
    { onRequest, schema: { tags, response: { 200: mcpServerList } } },
    async (request, reply) => {
      const registered = await servers.registered(userOf(request).accountId);
      const list = [presentOwnServer(publicUrl), ...registered.map(presentMcpServer)];
      reply.header('x-total-count', list.length);
      return list;
    },
  );

  app.post(
    '/api/v1/mcp-servers',
    { config: testRateLimit, onRequest, schema: { tags, body: mcpServerSave, response: { 201: mcpServer } } },
    async (request, reply) => {
      const user = userOf(request);
      const { id } = await servers.create(user, request.body);
      return reply.code(201).send(presentMcpServer(await servers.check(user.accountId, id)));
    },
  );

  app.post(
    '/api/v1/mcp-servers/test',
    {
      config: testRateLimit,
      onRequest,
      schema: { tags, body: mcpServerTest, response: { 200: mcpServerTestResult } },
    },
    async (request) => servers.test(userOf(request).accountId, request.body),
  );

  app.put(
    '/api/v1/mcp-servers/:server_id',
    { onRequest, schema: { tags, params, body: mcpServerSave, response: { 200: mcpServer } } },
    async (request) => {
      const id = expectExternal(request.params.server_id);
      return presentMcpServer(await servers.update(userOf(request), id, request.body));
    },
  );

  app.post(
    '/api/v1/mcp-servers/:server_id/check',
    { config: testRateLimit, onRequest, schema: { tags, params, response: { 200: mcpServer } } },
    async (request) => {
      const { accountId } = userOf(request);
      const { server_id: id } = request.params;
      if (id === MCP_SERVER_NAME) return presentOwnServer(publicUrl);
      return presentMcpServer(await servers.check(accountId, id));
    },
  );

  app.delete(
    '/api/v1/mcp-servers/:server_id',
    { onRequest, schema: { tags, params, response: { 204: z.null() } } },
    async (request, reply) => {
      const { accountId } = userOf(request);
      await servers.delete(accountId, expectExternal(request.params.server_id));
      return reply.code(204).send(null);
    },
  );
}

/**
 * Returns `serverId` if it identifies an external server.
 * @throws {AppError} `forbidden` for the built-in server
 */
function expectExternal(serverId: string): string {
  if (serverId !== MCP_SERVER_NAME) return serverId;
  throw forbidden('Winnow’s own tools cannot be changed or removed.', 'own_mcp_server');
}
