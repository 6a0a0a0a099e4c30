import type { Embedder } from '@winnow/analysis/embed';
import { expect, it } from 'vitest';
import { RememberingEmbedder } from './remembering-embedder.ts';

/** Tells in the first number how long the text is, and writes down what it was asked for. */
function embedderThatCounts() {
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

it('embeds a text that comes again once, and answers in the order of the texts', async () => {
  const { asked, embedder } = embedderThatCounts();
  const remembering = new RememberingEmbedder(embedder, 10);
  await remembering.embed(['a', 'ccc']);

  const vectors = await remembering.embed(['bb', 'ccc', 'dddd', 'a']);

  expect(vectors.map(([length]) => length)).toEqual([2, 3, 4, 1]);
  expect(await remembering.embed(['a', 'bb'])).toHaveLength(2);
  expect(asked).toEqual([
    ['a', 'ccc'],
    ['bb', 'dddd'],
  ]);
});

it('forgets the texts asked for longest ago', async () => {
  const { asked, embedder } = embedderThatCounts();
  const remembering = new RememberingEmbedder(embedder, 2);
  for (const text of ['a', 'bb', 'a', 'ccc', 'a', 'bb']) await remembering.embed([text]);

  expect(asked).toEqual([['a'], ['bb'], ['ccc'], ['bb']]);
});
