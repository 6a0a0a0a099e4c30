import type { McpAuthType } from '@winnow/contract/mcp-server';
import { redactSecret, visible } from '../ai/index.ts';

/** Address and credentials of an external server. */
export interface McpConnection {
  /** Name used in messages. */
  name: string;
  url: string;
  authType: McpAuthType;
  headerName: string | null;
  /** Empty if no secret is sent. */
  secret: string;
}

/** Returns the headers that authenticate requests to a server; empty without a secret. */
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
 * Minimum length of a secret that is masked in texts. A shorter one could be part of common words.
 */
const MIN_MASKED_SECRET_CHARS = 4;

/** Returns a function that removes invisible characters and the secret from texts of the server. */
export function sanitizerFor({ secret }: McpConnection): (written: string) => string {
  return (written) => {
    const seen = visible(written);
    return secret.length < MIN_MASKED_SECRET_CHARS ? seen : redactSecret(seen, secret);
  };
}
