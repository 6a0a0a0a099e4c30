import type { McpAuthType } from '@winnow/contract/mcp-server';
import { visible } from '../ai/fence.ts';
import { redactSecret } from '../ai/redact-secret.ts';

/** Where an outside server is, and what it is shown. */
export interface McpConnection {
  /** How sentences call it. */
  name: string;
  url: string;
  authType: McpAuthType;
  headerName: string | null;
  /** Empty where nothing is shown. */
  secret: string;
}

/** The headers that tell the server who calls. */
export function credentialsOf({ authType, headerName, secret }: McpConnection): Record<string, string> {
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

/** Anything shorter could be part of any word. */
const SHORTEST_HIDDEN = 4;

/** What the server wrote, without what a person could not see in it and without the secret, should it give that back. */
export function cleanOf({ secret }: McpConnection): (written: string) => string {
  return (written) => {
    const seen = visible(written);
    return secret.length < SHORTEST_HIDDEN ? seen : redactSecret(seen, secret);
  };
}
