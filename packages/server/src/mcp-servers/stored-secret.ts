import type { McpAuthType } from '@winnow/contract/mcp-server';
import { type Secrets, SecretUnreadable } from '../platform/secrets.ts';
import type { McpConnection } from './connection.ts';
import { McpServerError } from './mcp-server-error.ts';
import type { McpServerRow } from './store.ts';

const WANTED = {
  bearer: 'Enter the bearer token.',
  header: 'Enter the value of the header.',
} as const satisfies Record<Exclude<McpAuthType, 'none'>, string>;
const WANTED_AGAIN = 'Enter the secret again: the stored one is only ever sent to the stored host.';
const UNREADABLE = 'The stored secret cannot be read any more. Enter it again.';

/** A connection as somebody enters it. A blank secret stands for the stored one. */
interface Entered {
  url: string;
  auth_type: McpAuthType;
  secret: string;
}

/** What is wrong with the secret of a connection, in a sentence; null when it, or the stored one, can be used. */
export function problemWithSecret(entered: Entered, stored: McpServerRow | null): string | null {
  if (entered.auth_type === 'none' || entered.secret !== '') return null;
  if (!stored?.sealed_secret) return WANTED[entered.auth_type];
  return new URL(entered.url).origin === new URL(stored.url).origin ? null : WANTED_AGAIN;
}

/** What is stored for a connection without a {@link problemWithSecret}. */
export function sealedSecret(
  secrets: Secrets,
  { accountId, id }: { accountId: string; id: string },
  { auth_type, secret }: Entered,
  stored: McpServerRow | null,
): Buffer | null {
  if (auth_type === 'none') return null;
  if (secret === '') return stored?.sealed_secret ?? null;
  return secrets.seal(secret, contextOf(accountId, id));
}

/**
 * A stored connection as it is used.
 *
 * @throws {McpServerError} when its secret cannot be read any more.
 */
export function storedConnection(secrets: Secrets, row: McpServerRow): McpConnection {
  return {
    name: row.name,
    url: row.url,
    authType: row.auth_type,
    headerName: row.header_name,
    secret: readSecret(secrets, row),
  };
}

function readSecret(secrets: Secrets, { account_id, id, sealed_secret }: McpServerRow): string {
  if (sealed_secret === null) return '';
  try {
    return secrets.open(sealed_secret, contextOf(account_id, id));
  } catch (error) {
    if (error instanceof SecretUnreadable) throw new McpServerError(UNREADABLE, error);
    throw error;
  }
}

/** What the secret of a stored server is sealed for. */
export function contextOf(accountId: string, serverId: string): string {
  return `mcp-server:${accountId}:${serverId}`;
}
