import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type Permission, scopeFor } from '@winnow/contract/role';
import { errorTextOf } from '../agent-tools/index.ts';
import { AppError } from '../platform/errors.ts';
import { hasScopeFor, type Principal, roleNeeded } from '../platform/http/auth.ts';
import type { Log } from '../platform/log.ts';

/**
 * Returns an error sentence if the caller has none of the needed permissions; null if it has at
 * least one.
 */
export function lackingPermission(principal: Principal, needed: readonly Permission[]): string | null {
  if (needed.some((permission) => principal.permissions.has(permission))) return null;
  const [first = 'read'] = needed;
  if (principal.kind !== 'api_key' || needed.some((permission) => hasScopeFor(principal, permission))) {
    return roleNeeded(principal, first);
  }
  const names = needed.map((permission) => `"${scopeFor(permission)}"`).join(' or ');
  return `This needs an API key with the scope ${names}. Ask the owner of your key for one.`;
}

/**
 * Runs `make` if the caller may read.
 * @throws {ProtocolError} without the permission, or for an error of `make`
 */
export async function forReaders<T>(
  principal: Principal,
  { what, log }: { what: string; log: Log },
  make: () => Promise<T>,
): Promise<T> {
  const lacking = lackingPermission(principal, ['read']);
  if (lacking !== null) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, lacking);
  try {
    return await make();
  } catch (error) {
    const isTheirs = error instanceof AppError && error.isCallerError;
    const code = isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, errorTextOf(error, what, log));
  }
}
