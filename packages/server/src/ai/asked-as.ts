import { createHash } from 'node:crypto';
import type { StoredModel } from './model.ts';
import { nameOf } from './prompts/prompt.ts';

/**
 * SHA-256 of all that an answer depends on: the prompt in its version, the model with its address, and what goes into the
 * question. An answer that was kept holds while these stay.
 */
export function askedAs(
  prompt: { id: string; version: number },
  { id, provider, identifier, apiUrl }: StoredModel,
  dependsOn: readonly unknown[],
): Buffer {
  const all = JSON.stringify([nameOf(prompt), id, provider, identifier, apiUrl, ...dependsOn]);
  return createHash('sha256').update(all).digest();
}
