import { createHash, createHmac, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

/** Lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** Claims of an access token. The session is checked at every use. */
export interface AccessClaims {
  userId: string;
  accountId: string;
  sessionId: string;
  expiresAt: Date;
}

const ISSUER = 'winnow';

/** Signs an access token for a session, valid for `seconds` from `now`. */
export async function signAccessToken(
  key: Buffer,
  claims: Omit<AccessClaims, 'expiresAt'>,
  now: Date,
  seconds = ACCESS_TOKEN_SECONDS,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ account: claims.accountId, session: claims.sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setAudience('access')
    .setSubject(claims.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(key);
}

/** Returns the claims of a valid access token; null for anything else. */
export async function readAccessToken(key: Buffer, token: string, now: Date): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      issuer: ISSUER,
      audience: 'access',
      algorithms: ['HS256'],
      currentDate: now,
    });
    const { sub, account, session, exp } = payload;
    if (typeof sub !== 'string' || typeof account !== 'string' || typeof session !== 'string') return null;
    return {
      userId: sub,
      accountId: account,
      sessionId: session,
      expiresAt: new Date((exp ?? 0) * 1000),
    };
  } catch {
    return null;
  }
}

/** Creates an opaque secret of 256 bits for a link or a refresh token. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the refresh token that follows `token`. It is derived from `token`. So a repeated call
 * gets the same successor, although only hashes are stored.
 */
export function successorToken(key: Buffer, token: string): string {
  return createHmac('sha256', key).update(token).digest('base64url');
}

/** Hashes a token for storage. Tokens have 256 random bits, so one pass of SHA-256 is enough. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
