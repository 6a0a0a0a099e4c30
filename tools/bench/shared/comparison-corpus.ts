import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textForEmbedding } from '@winnow/analysis/clean';
import { Corpus } from '@winnow/analysis/corpus';
import { type Embedder, ModelUnavailable, openMiniLm } from '@winnow/analysis/embed';
import { NeighbourPool } from '@winnow/analysis/neighbours';
import { PAIRS_PER_ISSUE, SIMILARITY } from '@winnow/contract/duplicate';
import type { LabelledIssue } from '../../data/labelled-set.ts';
import type { Emit } from '../run.ts';

/**
 * Vector length of a corpus that was created without an embedding model. Such a corpus contains no
 * vectors.
 */
const DIMENSIONS = 384;
/** Limits of the product for the pairs that it stores. */
export const STORED_LIMITS = {
  perGroup: PAIRS_PER_ISSUE,
  overall: PAIRS_PER_ISSUE,
  floor: SIMILARITY.stored,
};

/**
 * Builds a comparison corpus from the issues as the product does: first by words, then with
 * vectors. Measures the time of each step. `cacheFolder` caches the vectors.
 */
export async function openCorpus(
  issues: readonly Pick<LabelledIssue, 'id' | 'title' | 'body' | 'createdAt'>[],
  emit: Emit,
  cacheFolder?: string,
): Promise<{ corpus: Corpus; hasVectors: boolean } & AsyncDisposable> {
  const neighbours = new NeighbourPool();
  const embedder = await openEmbedder(emit);
  const corpus = new Corpus({ neighbours, dimensions: embedder?.dimensions ?? DIMENSIONS });
  const timed = async (name: string, work: () => unknown): Promise<void> => {
    const began = performance.now();
    await work();
    emit({
      name: `${name}`,
      value: performance.now() - began,
      unit: 'ms',
      detail: { issues: issues.length },
    });
  };
  await timed('read_texts', () =>
    corpus.put(issues.map((issue) => ({ ...issue, group: 'all', vector: null }))),
  );
  corpus.useSnapshot(corpus.takeSnapshot(1));
  await timed('pairs_by_words', () => corpus.pairs(STORED_LIMITS));
  if (embedder !== null) {
    await timed('embed', async () => {
      const texts = issues.map((issue) => textForEmbedding(issue.title, issue.body));
      const vectors =
        cacheFolder === undefined
          ? await embedder.embed(texts)
          : await embedOnce(embedder, texts, cacheFolder);
      for (const [at, vector] of vectors.entries()) corpus.setVector(issues[at]?.id ?? '', vector);
    });
    corpus.useSnapshot(corpus.takeSnapshot(2));
    await timed('pairs', () => corpus.pairs(STORED_LIMITS));
  }
  const close = async (): Promise<void> => {
    await Promise.all([neighbours.close(), embedder?.close()]);
  };
  return { corpus, hasVectors: embedder !== null, [Symbol.asyncDispose]: close };
}

async function openEmbedder(emit: Emit): Promise<Embedder | null> {
  try {
    return await openMiniLm();
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    emit({ name: 'without_vectors', value: 1, unit: 'flag', detail: { reason: error.message } });
    return null;
  }
}

/**
 * Returns the vectors of texts. If the cache folder contains a file for the same texts and model,
 * reads the file. Otherwise embeds the texts and writes the file.
 */
async function embedOnce(
  embedder: Embedder,
  texts: readonly string[],
  folder: string,
): Promise<readonly Float32Array[]> {
  const hash = createHash('sha256').update(JSON.stringify([embedder.fingerprint, texts]));
  const file = join(folder, `${hash.digest('hex').slice(0, 32)}.f32`);
  const { dimensions } = embedder;
  if (existsSync(file)) {
    const bytes = await readFile(file);
    const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    return texts.map((_, at) => numbers.subarray(at * dimensions, (at + 1) * dimensions));
  }
  const vectors = await embedder.embed(texts);
  const numbers = new Float32Array(texts.length * dimensions);
  for (const [at, vector] of vectors.entries()) numbers.set(vector, at * dimensions);
  await mkdir(folder, { recursive: true });
  await writeFile(file, new Uint8Array(numbers.buffer));
  return vectors;
}
