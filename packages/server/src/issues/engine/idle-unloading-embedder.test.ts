import { ModelUnavailable, openMiniLm } from '@winnow/analysis/embed';
import { expect, test } from 'vitest';
import { IdleUnloadingEmbedder } from './idle-unloading-embedder.ts';

test('reloads an unloaded model for the next text and returns the same vector', async () => {
  let loads = 0;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const embedder = await IdleUnloadingEmbedder.start(async () => {
    loads += 1;
    const model = await openMiniLm();
    return {
      fingerprint: model.fingerprint,
      dimensions: model.dimensions,
      embed: (texts) => model.embed(texts),
      close: async () => {
        await model.close();
        resolve();
      },
    };
  }, 20);
  const [before] = await embedder.embed(['A sentence to compare.']);
  await closed;
  const [after] = await embedder.embed(['A sentence to compare.']);
  expect(loads).toBe(2);
  expect(after).toEqual(before);
  await embedder.close();
});

test('refuses a reloaded model with another fingerprint', async () => {
  let loads = 0;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const embedder = await IdleUnloadingEmbedder.start(async () => {
    loads += 1;
    return {
      fingerprint: `files ${loads}`,
      dimensions: 1,
      embed: async () => [Float32Array.of(1)],
      close: async () => resolve(),
    };
  }, 20);
  await closed;
  await expect(embedder.embed(['A sentence.'])).rejects.toThrow(ModelUnavailable);
});
