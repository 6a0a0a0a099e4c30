import type { McpAuthType } from '@winnow/contract/mcp-server';
import { redactSecret, visible } from '../ai/index.ts';

/** Address and credentials of an external server. */
export interface McpConnection {
  /** Name of the server in error messages. */
  name: string;
  url: string;
  authType: McpAuthType;
  headerName: string | null;
  /** Decrypted secret; empty if none is sent. */
  secret: string;
}

/** Returns the headers that authenticate requests to a server. Empty if there is no secret. */
export function authHeadersOf({ authType, headerName, secret }: McpConnection): Record<string, string> {
  if (secret === '') return {};
  switch (authType) {
    case 'none':
      return {};
    case 'bearer':
      return { authorization: `Bearer ${secret}` };
    case 'header':
      return headerName === null ? {} : { [headerName]: secret };
  }
}

/**
 * Minimum length of a secret that is masked in texts. Shorter secrets could be parts of ordinary
 * words.
 */
const MIN_MASKED_SECRET_CHARS = 4;

/**
 * Returns a function that cleans texts sent by the server: it removes invisible characters and the
 * secret.
 */
export function sanitizerFor({ secret }: McpConnection): (written: string) => string {
  return (written) => {
    const seen = visible(written);
    return secret.length < MIN_MASKED_SECRET_CHARS ? seen : redactSecret(seen, secret);
  };
}
