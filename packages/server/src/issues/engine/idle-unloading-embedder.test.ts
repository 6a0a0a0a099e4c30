import { ModelUnavailable, openMiniLm } from '@winnow/analysis/embed';
import { expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { IdleUnloadingEmbedder } from './idle-unloading-embedder.ts';

test('reloads an unloaded model for the next text and returns the same vector', async () => {
  let loads = 0;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const embedder = await IdleUnloadingEmbedder.start(
    async () => {
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
    },
    { unloadAfterMs: 20 },
  );
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
  const embedder = await IdleUnloadingEmbedder.start(
    async () => {
      loads += 1;
      return {
        fingerprint: `files ${loads}`,
        dimensions: 1,
        embed: async () => [Float32Array.of(1)],
        close: async () => resolve(),
      };
    },
    { unloadAfterMs: 20 },
  );
  await closed;
  await expect(embedder.embed(['A sentence.'])).rejects.toThrow(ModelUnavailable);
});

test('refuses without another attempt for a while after a failed reload, and then works again', async () => {
  const missing = new ModelUnavailable('The files are missing.');
  let loads = 0;
  let areMissing = false;
  const reported: Error[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const embedder = await IdleUnloadingEmbedder.start(
    async () => {
      loads += 1;
      if (areMissing) throw missing;
      const embed = async () => [Float32Array.of(1)];
      return { fingerprint: 'files', dimensions: 1, embed, close: async () => resolve() };
    },
    { unloadAfterMs: 200, onUnavailable: (error) => reported.push(error) },
  );
  areMissing = true;
  await closed;
  for (const text of ['One.', 'Two.']) await expect(embedder.embed([text])).rejects.toBe(missing);
  expect([loads, reported]).toEqual([2, [missing]]);
  areMissing = false;
  await eventually(() =>
    embedder.embed(['Three.']).then(
      () => true,
      () => false,
    ),
  );
  expect(loads).toBe(3);
  await embedder.close();
});
