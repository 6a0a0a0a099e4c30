import { CLEANING_VERSION } from '@winnow/analysis/clean';
import { type Embedder, modelFingerprint } from '@winnow/analysis/embed';

/**
 * Identifies everything that a vector depends on besides the text: the model and the text cleaning.
 */
export function vectorFingerprint({ fingerprint }: Pick<Embedder, 'fingerprint'>): string {
  return `${fingerprint}:c${CLEANING_VERSION}`;
}

/**
 * Returns the fingerprint of vectors by the model in this folder (null: the included one), without
 * loading the model.
 *
 * @throws {ModelUnavailable} if the folder has no model
 */
export async function currentVectorFingerprint(folder: string | null): Promise<string> {
  return vectorFingerprint({ fingerprint: await modelFingerprint(folder) });
}
