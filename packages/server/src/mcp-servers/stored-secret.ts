import type { McpAuthType } from '@winnow/contract/mcp-server';
import { type Secrets, SecretUnreadable } from '../platform/secrets.ts';
import type { McpConnection } from './connection.ts';
import { McpServerError } from './mcp-server-error.ts';
import type { McpServerRow } from './store.ts';

const SECRET_REQUIRED = {
  bearer: 'Enter the bearer token.',
  header: 'Enter the value of the header.',
} as const satisfies Record<Exclude<McpAuthType, 'none'>, string>;
const SECRET_REQUIRED_AGAIN = 'Enter the secret again: the stored one is only sent to the stored host.';
const UNREADABLE = 'The stored secret cannot be decrypted. Enter it again.';

/** A connection as entered by a user. With a blank secret, the stored secret is used. */
interface Entered {
  url: string;
  auth_type: McpAuthType;
  secret: string;
}

/** Returns a sentence that describes the problem with the secret; null if it can be used. */
export function problemWithSecret(entered: Entered, stored: McpServerRow | null): string | null {
  if (entered.auth_type === 'none' || entered.secret !== '') return null;
  if (!stored?.sealed_secret) return SECRET_REQUIRED[entered.auth_type];
  return new URL(entered.url).origin === new URL(stored.url).origin ? null : SECRET_REQUIRED_AGAIN;
}

/**
 * Returns the encrypted secret to store. Call it only after {@link problemWithSecret} has returned
 * null.
 */
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
 * Returns a stored connection with its decrypted secret.
 *
 * @throws {McpServerError} if the secret cannot be decrypted
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

/** Returns the encryption context to which a server's secret is bound. */
export function contextOf(accountId: string, serverId: string): string {
  return `mcp-server:${accountId}:${serverId}`;
}
