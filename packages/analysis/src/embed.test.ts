import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Embedder, ModelUnavailable, openMiniLm } from './embed.ts';

let embedder: Embedder;

beforeAll(async () => {
  embedder = await openMiniLm({ threads: 1 });
});
afterAll(() => embedder.close());

async function similarity(a: string, b: string): Promise<number> {
  const [first, second] = await embedder.embed([a, b]);
  return dot(first, second);
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) throw new Error('a vector is missing');
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

describe('openMiniLm', () => {
  test('openMiniLm refuses options out of range', async () => {
    await expect(openMiniLm({ threads: 0 })).rejects.toThrow(RangeError);
    await expect(openMiniLm({ maxTokens: 2 })).rejects.toThrow(RangeError);
    await expect(openMiniLm({ maxTokens: 513 })).rejects.toThrow(RangeError);
  });

  test('openMiniLm rejects pending and later calls when the model is closed', async () => {
    const closing = await openMiniLm({ threads: 1 });
    const underWay = closing.embed(Array.from({ length: 200 }, (_, index) => `text ${index}`));
    const outcome = underWay.then(
      () => 'done',
      (error: unknown) => error,
    );
    await closing.close();
    expect(await outcome).toBeInstanceOf(ModelUnavailable);
    await expect(closing.embed(['late'])).rejects.toThrow('The embedding model was closed.');
    await closing.close();
  });

  test('the fingerprint contains the maximum text length', async () => {
    const shorter = await openMiniLm({ threads: 1, maxTokens: 16 });
    try {
      expect(shorter.fingerprint).not.toBe(embedder.fingerprint);
      const text = 'a session expires too early '.repeat(20);
      const [long] = await embedder.embed([text]);
      const [short] = await shorter.embed([text]);
      expect(dot(long, short)).toBeLessThan(0.999);
    } finally {
      await shorter.close();
    }
  });
});

describe('embed', () => {
  test('returns no vectors for no texts', async () => {
    expect(await embedder.embed([])).toEqual([]);
  });

  test('texts with the same meaning are more similar than texts with the same words', async () => {
    const same = await similarity('The app crashes on startup', 'Application terminates when it is launched');
    const different = await similarity('The app crashes on startup', 'The app needs a dark theme on startup');
    expect(same).toBeGreaterThan(different);
    expect(same).toBeGreaterThan(0.6);
    const unrelated = await similarity('The app crashes on startup', 'Translate the invoice into French');
    expect(unrelated).toBeLessThan(0.25);
  });

  test('each vector is finite and has length 1, for every kind of text', async () => {
    const odd = ['', ' \n\t', '\u0000', '🙂', 'مرحبا بالعالم', '中文', 'word '.repeat(200_000), '\ud800'];
    const vectors = await embedder.embed(odd);
    expect(vectors).toHaveLength(odd.length);
    for (const vector of vectors) {
      expect(vector).toHaveLength(embedder.dimensions);
      expect(dot(vector, vector)).toBeCloseTo(1, 4);
    }
  });

  test('a text gets the same vector in any batch, and vectors keep the order of the texts', async () => {
    const texts = Array.from(
      { length: 70 },
      (_, index) => `Export ${index} fails. ${'Details follow. '.repeat(index % 9)}`,
    );
    const together = await embedder.embed(texts);
    const reversed = await embedder.embed(texts.toReversed());
    for (const index of [0, 8, 31, 32, 63, 64, 69]) {
      const [alone] = await embedder.embed([texts[index] ?? '']);
      expect(together[index]).toEqual(alone);
      expect(reversed[texts.length - 1 - index]).toEqual(alone);
    }
  });

  test('a short call is completed while a long one is in progress', async () => {
    const ended: string[] = [];
    const long = embedder
      .embed(Array.from({ length: 120 }, (_, index) => `A long backlog, part ${index}`))
      .then(() => ended.push('long'));
    const short = embedder.embed(['a question']).then(() => ended.push('short'));
    await Promise.all([long, short]);
    expect(ended).toEqual(['short', 'long']);
  });
});
