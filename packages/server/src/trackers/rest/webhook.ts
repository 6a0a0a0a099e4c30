import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { TrackerError, type WebhookRequest } from '../provider.ts';

/** A header of a delivery, the first where there are several; null where there is none or nothing in it. */
export function headerOf({ headers }: Pick<WebhookRequest, 'headers'>, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) || null;
}

/** Whether somebody gave the secret, found in a time that tells nothing of it. An empty secret is nobody's. */
export function isSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret)) && secret !== '';
}

/** Whether a signature `sha256=…` is the HMAC of the body with the secret, found in the same way. */
export function isSigned(signature: string, body: Buffer, secret: string): boolean {
  const right = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return isSecret(signature, right) && secret !== '';
}

/** Reads a delivery's body by a schema. @throws {TrackerError} `malformed`, with this sentence, when it does not fit */
export function readDelivery<T>(schema: z.ZodType<T>, body: Buffer, sentence: string): T {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')));
  } catch (error) {
    throw new TrackerError('malformed', sentence, { cause: error });
  }
}
