import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { TrackerError, type WebhookRequest } from '../provider.ts';

/** Returns a header of a delivery (the first of several), or null if missing or empty. */
export function headerOf({ headers }: Pick<WebhookRequest, 'headers'>, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) || null;
}

/** Compares secrets in constant time. An empty secret never matches. */
export function isSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret)) && secret !== '';
}

/** Checks the signature `sha256=…` of a body in constant time. */
export function isSigned(signature: string, body: Buffer, secret: string): boolean {
  const right = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return isSecret(signature, right) && secret !== '';
}

/**
 * Parses a delivery's body by a schema.
 * @throws {TrackerError} `malformed` with this sentence if it does not match
 */
export function readDelivery<T>(schema: z.ZodType<T>, body: Buffer, sentence: string): T {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')));
  } catch (error) {
    throw new TrackerError('malformed', sentence, { cause: error });
  }
}
