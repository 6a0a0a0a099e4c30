import { createHash } from 'node:crypto';
import type { StoredModel } from './model.ts';
import { promptName } from './prompts/prompt.ts';

/**
 * Returns the SHA-256 of everything an answer depends on: prompt version, model, address and
 * inputs. A stored answer is valid while this hash is the same.
 */
export function questionHash(
  prompt: { id: string; version: number },
  { id, provider, identifier, apiUrl }: StoredModel,
  dependsOn: readonly unknown[],
): Buffer {
  const all = JSON.stringify([promptName(prompt), id, provider, identifier, apiUrl, ...dependsOn]);
  return createHash('sha256').update(all).digest();
}
