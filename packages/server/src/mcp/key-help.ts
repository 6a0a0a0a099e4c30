import { API_KEY_PREFIX } from '@winnow/contract/api-key';
import { MCP_PATH } from '@winnow/contract/mcp-address';
import type { FastifyRequest } from 'fastify';
import { AppError, unauthorized } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';

/** Where the console lists and creates API keys. */
const KEYS_PAGE = '/console/settings/api-keys';

/** How an agent gets in, for whoever configures it. */
function howToConnect(publicUrl: string): string {
  return `Create an API key at ${new URL(KEYS_PAGE, publicUrl).href} and send it with each request as "Authorization: Bearer ${API_KEY_PREFIX}…".`;
}

/** An authenticating hook whose 401 says how to create a key. */
export function withKeyHelp(
  authenticate: (request: FastifyRequest) => Promise<void>,
  publicUrl: string,
): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    try {
      await authenticate(request);
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 401) throw error;
      throw unauthorized(`${error.detail} ${howToConnect(publicUrl)}`);
    }
  };
}

/**
 * What clients of MCP look for when they hope for OAuth: 404s that say how to connect instead. Without them a client shows
 * its user a failed registration, and no way on.
 */
export function registerKeyHelp(app: App, publicUrl: string): void {
  const noOAuth = async () => {
    throw new AppError({
      code: 'not_found',
      status: 404,
      detail: `Winnow has no OAuth: agents connect to ${new URL(MCP_PATH, publicUrl).href} with an API key. ${howToConnect(publicUrl)}`,
    });
  };
  for (const document of ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration']) {
    app.get(`/.well-known/${document}`, { schema: { hide: true } }, noOAuth);
    app.get(`/.well-known/${document}${MCP_PATH}`, { schema: { hide: true } }, noOAuth);
    app.get(`${MCP_PATH}/.well-known/${document}`, { schema: { hide: true } }, noOAuth);
  }
  app.post('/register', { schema: { hide: true } }, noOAuth);
}
