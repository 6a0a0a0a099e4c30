import { CLEANING_VERSION } from '@winnow/analysis/clean';
import { type Embedder, modelFingerprint } from '@winnow/analysis/embed';

/**
 * Identifies the embedding model and the method of cleaning texts. A vector depends on both, and on
 * its text.
 */
export function vectorFingerprint({ fingerprint }: Pick<Embedder, 'fingerprint'>): string {
  return `${fingerprint}:c${CLEANING_VERSION}`;
}

/**
 * Returns the fingerprint of the vectors that the model in this folder computes. With null, uses
 * the included model. Does not load the model.
 *
 * @throws {ModelUnavailable} if the folder contains no model
 */
export async function currentVectorFingerprint(folder: string | null): Promise<string> {
  return vectorFingerprint({ fingerprint: await modelFingerprint(folder) });
}
