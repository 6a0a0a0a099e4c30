import type { Embedder } from '@winnow/analysis/embed';
import { expect, it } from 'vitest';
import { CachingEmbedder } from './caching-embedder.ts';

/** Creates an embedder whose vectors contain the length of the text. It records its calls. */
function recordingEmbedder() {
  const asked: string[][] = [];
  const embedder: Embedder = {
    fingerprint: 'length',
    dimensions: 1,
    embed: async (texts) => {
      asked.push([...texts]);
      return texts.map((text) => Float32Array.of(text.length));
    },
    close: async () => undefined,
  };
  return { asked, embedder };
}

it('embeds a repeated text once and returns vectors in the order of the texts', async () => {
  const { asked, embedder } = recordingEmbedder();
  const caching = new CachingEmbedder(embedder, 10);
  await caching.embed(['a', 'ccc']);

  const vectors = await caching.embed(['bb', 'ccc', 'dddd', 'a']);

  expect(vectors.map(([length]) => length)).toEqual([2, 3, 4, 1]);
  expect(await caching.embed(['a', 'bb'])).toHaveLength(2);
  expect(asked).toEqual([
    ['a', 'ccc'],
    ['bb', 'dddd'],
  ]);
});

it('evicts the least recently used texts', async () => {
  const { asked, embedder } = recordingEmbedder();
  const caching = new CachingEmbedder(embedder, 2);
  for (const text of ['a', 'bb', 'a', 'ccc', 'a', 'bb']) await caching.embed([text]);

  expect(asked).toEqual([['a'], ['bb'], ['ccc'], ['bb']]);
});
