import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { errorTextOf } from '../agent-tools/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Principal } from '../platform/http/auth.ts';
import type { Log } from '../platform/log.ts';

/**
 * Returns an error sentence if the caller has none of the needed scopes. Null if the caller has at
 * least one.
 */
export function lackingScope({ scopes }: Principal, needed: readonly string[]): string | null {
  if (needed.some((scope) => (scopes as readonly string[]).includes(scope))) return null;
  const names = needed.map((scope) => `"${scope}"`).join(' or ');
  return `This needs an API key with the scope ${names}. Ask the owner of your key for one.`;
}

/**
 * Runs `make` if the caller has the read scope.
 * @throws {ProtocolError} if the scope is missing, or if `make` throws
 */
export async function forReaders<T>(
  principal: Principal,
  { what, log }: { what: string; log: Log },
  make: () => Promise<T>,
): Promise<T> {
  const lacking = lackingScope(principal, ['read']);
  if (lacking !== null) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, lacking);
  try {
    return await make();
  } catch (error) {
    const isTheirs = error instanceof AppError && error.isCallerError;
    const code = isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, errorTextOf(error, what, log));
  }
}
