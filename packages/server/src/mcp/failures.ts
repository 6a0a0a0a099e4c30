import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { sentenceOf } from '../agent-tools/sentence.ts';
import { AppError } from '../platform/errors.ts';
import type { Principal } from '../platform/http/auth.ts';
import type { Log } from '../platform/log.ts';

/** Why a caller may not use something, in a sentence; null when it may. Of several scopes any will do. */
export function lackingScope({ scopes }: Principal, needed: readonly string[]): string | null {
  if (needed.some((scope) => (scopes as readonly string[]).includes(scope))) return null;
  const names = needed.map((scope) => `"${scope}"`).join(' or ');
  return `This needs an API key with the scope ${names}. Ask whoever made your key for one.`;
}

/**
 * What `make` answers, for callers who may read.
 * @throws {ProtocolError} with a sentence, also for what `make` throws.
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
    const isTheirs = error instanceof AppError && error.status < 500;
    const code = isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, sentenceOf(error, what, log));
  }
}
