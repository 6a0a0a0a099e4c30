import { API_KEY_PREFIX } from '@winnow/contract/api-key';
import { MCP_PATH } from '@winnow/contract/mcp-address';
import type { FastifyRequest } from 'fastify';
import { AppError, unauthorized } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';

/** Page of the console on which users create API keys. */
const KEYS_PAGE = '/console/settings/api-keys';

/** Returns the sentences that explain how to connect an agent. */
function howToConnect(publicUrl: string): string {
  return `Create an API key at ${new URL(KEYS_PAGE, publicUrl).href} and send it with each request as "Authorization: Bearer ${API_KEY_PREFIX}…".`;
}

/** Wraps an authentication hook. Its 401 errors then explain how to create an API key. */
export function withKeyHelp(
  authenticate: (request: FastifyRequest) => Promise<void>,
  publicUrl: string,
): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    try {
      await authenticate(request);
    } catch (error) {
      if (!(error instanceof AppError) || error.category !== 'unauthorized') throw error;
      throw unauthorized(`${error.detail} ${howToConnect(publicUrl)}`);
    }
  };
}

/**
 * Registers 404 responses at the paths that MCP clients use for OAuth. The responses explain how to
 * connect with an API key. Without them, clients only report that their registration failed.
 */
export function registerKeyHelp(app: App, publicUrl: string): void {
  const noOAuth = async () => {
    throw new AppError({
      code: 'not_found',
      category: 'not_found',
      detail: `Winnow does not use OAuth. Agents connect to ${new URL(MCP_PATH, publicUrl).href} with an API key. ${howToConnect(publicUrl)}`,
    });
  };
  const route = { schema: { hide: true }, config: { rateLimit: {} } };
  for (const document of ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration']) {
    app.get(`/.well-known/${document}`, route, noOAuth);
    app.get(`/.well-known/${document}${MCP_PATH}`, route, noOAuth);
    app.get(`${MCP_PATH}/.well-known/${document}`, route, noOAuth);
  }
  app.post('/register', route, noOAuth);
}
