import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { TrackerError, type WebhookRequest } from '../provider.ts';

/**
 * Returns the value of a delivery's header. Returns the first value if there are several, and null
 * if the header is missing or empty.
 */
export function headerOf({ headers }: Pick<WebhookRequest, 'headers'>, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) || null;
}

/** Compares two secrets in constant time. An empty secret never matches. */
export function isSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret)) && secret !== '';
}

/** Verifies the signature `sha256=…` of a body. Compares in constant time. */
export function isSigned(signature: string, body: Buffer, secret: string): boolean {
  const right = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return isSecret(signature, right) && secret !== '';
}

/**
 * Parses the body of a delivery with a schema.
 * @throws {TrackerError} `malformed`, with the given sentence, if the body does not match
 */
export function readDelivery<T>(schema: z.ZodType<T>, body: Buffer, sentence: string): T {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')));
  } catch (error) {
    throw new TrackerError('malformed', sentence, { cause: error });
  }
}
