import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { Corpus, type CorpusDocument } from './corpus.ts';
import { NeighbourPool } from './neighbours.ts';
import type { ScoredPair } from './pair-table.ts';
import { decodeSnapshot, emptySnapshot, encodeSnapshot } from './snapshot.ts';

const DIMENSIONS = 8;
const LIMITS = { perGroup: 3, overall: 4, floor: 0.1 };
const neighbours = new NeighbourPool({ workers: 1 });
afterAll(() => neighbours.close());

const SYLLABLES = ['ba', 'ko', 'mi', 'tu', 're', 'lo'];
const WORDS = SYLLABLES.flatMap((a) => SYLLABLES.flatMap((b) => SYLLABLES.map((c) => a + b + c)));

/** Returns a generator of pseudo-random numbers in [0, 1). The same seed gives the same numbers. */
function numbers(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Returns words. A few of them are frequent, and most are rare. */
function sentence(next: () => number, length: number): string {
  return Array.from({ length }, () => WORDS[Math.floor(next() ** 3 * WORDS.length)] ?? '').join(' ');
}

function vectorOf(next: () => number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, () => next() - 0.3);
}

function documentOf(id: string, seed: number, hasVector = true): CorpusDocument {
  const next = numbers(seed);
  return {
    id,
    group: `group ${Math.floor(next() * 3)}`,
    title: sentence(next, Math.floor(next() * 6)),
    body: sentence(next, Math.floor(next() * 12)),
    vector: hasVector && next() > 0.2 ? vectorOf(next) : null,
    createdAt: Math.floor(next() * 1000),
  };
}

function documents(count: number, seed = 0): CorpusDocument[] {
  return Array.from({ length: count }, (_, at) => documentOf(`i${at}`, seed * 1000 + at));
}

function corpusOf(items: readonly CorpusDocument[]): Corpus {
  const corpus = new Corpus({ neighbours, dimensions: DIMENSIONS });
  corpus.put(items);
  return corpus;
}

async function sortedPairs(corpus: Corpus, options: Parameters<Corpus['pairs']>[0]): Promise<ScoredPair[]> {
  return (await corpus.pairs(options)).sorted();
}

const pairText = (pair: Pick<ScoredPair, 'a' | 'b' | 'similarity'>): string =>
  `${pair.a} ${pair.b} ${Math.fround(pair.similarity).toFixed(6)}`;

/** Computes the best lists in a simple way, from the similarities of all pairs. */
async function byDefinition(
  corpus: Corpus,
  items: readonly CorpusDocument[],
  limits = LIMITS,
): Promise<string[]> {
  const byId = new Map(items.map((item) => [item.id, item]));
  const keys = new Set<string>();
  for (const item of items) {
    const others = await corpus.similar({ id: item.id }, { limit: items.length });
    const listed = others.filter((other) => other.similarity >= limits.floor);
    const own = listed.filter((other) => byId.get(other.id)?.group === item.group).slice(0, limits.perGroup);
    for (const other of [...own, ...listed.slice(0, limits.overall)]) {
      const there = byId.get(other.id) ?? item;
      const isOlder =
        item.createdAt < there.createdAt || (item.createdAt === there.createdAt && item.id < there.id);
      const [a, b] = isOlder ? [item.id, other.id] : [other.id, item.id];
      keys.add(pairText({ ...other, a, b }));
    }
  }
  return [...keys].sort();
}

describe('invalid input', () => {
  test('refuses a vector with another length, and changes nothing', () => {
    const corpus = corpusOf([]);
    const [first, second] = documents(2);
    if (first === undefined || second === undefined) throw new Error('two documents were made');
    expect(() => corpus.put([first, { ...second, vector: new Float32Array(3) }])).toThrow(
      'the corpus expects 8',
    );
    expect(corpus.size).toBe(0);
    corpus.put([first]);
    expect(() => corpus.setVector(first.id, new Float32Array(9))).toThrow(RangeError);
  });

  test('refuses a snapshot whose vectors have another length', () => {
    const other = new Corpus({ neighbours, dimensions: 4 });
    expect(() => corpusOf([]).useSnapshot(other.takeSnapshot(1))).toThrow('Take a new one');
  });

  test('ignores unknown ids, and finds nothing for them', async () => {
    const corpus = corpusOf(documents(3));
    corpus.delete(['nobody']);
    corpus.setVector('nobody', new Float32Array(DIMENSIONS));
    expect(await corpus.similar({ id: 'nobody' }, { limit: 5 })).toEqual([]);
    expect(await sortedPairs(corpus, { ...LIMITS, changed: ['nobody'] })).toEqual([]);
    expect(corpus.size).toBe(3);
  });

  test('returns no pairs for an empty corpus, a single issue and issues without words', async () => {
    expect(await sortedPairs(corpusOf([]), LIMITS)).toEqual([]);
    expect(await sortedPairs(corpusOf(documents(1)), LIMITS)).toEqual([]);
    const blank = (id: string, title: string): CorpusDocument => ({
      id,
      group: 'g',
      title,
      body: '',
      vector: vectorOf(numbers(1)),
      createdAt: 0,
    });
    expect(
      await sortedPairs(corpusOf([blank('a', '…'), blank('b', '---'), blank('c', '?')]), LIMITS),
    ).toEqual([]);
  });

  test('treats a zero vector as a missing vector', async () => {
    const corpus = corpusOf([]);
    const [first, second] = documents(2);
    if (first === undefined || second === undefined) throw new Error('two documents were made');
    const same = { body: 'when saving' };
    corpus.put([
      { ...first, ...same, title: 'login page crash', vector: new Float32Array(DIMENSIONS).fill(Number.NaN) },
      { ...second, ...same, title: 'login page fails', vector: new Float32Array(DIMENSIONS) },
    ]);
    const [pair] = await sortedPairs(corpus, LIMITS);
    expect(pair?.similarity).toBeGreaterThan(0.5);
    const [nearest] = await corpus.similar({ id: pair?.a ?? '' }, { limit: 1 });
    expect(nearest?.parts().dense).toBeNull();
  });
});

describe('similarity', () => {
  const one = { title: 'Editor crashes', body: 'It crashes when I save.', vector: null };

  async function between(a: Partial<CorpusDocument>, b: Partial<CorpusDocument>): Promise<number> {
    const blank = { group: 'g', title: '', body: '', vector: null, createdAt: 0 };
    const corpus = corpusOf([
      { ...blank, id: 'a', ...a },
      { ...blank, id: 'b', ...b },
    ]);
    const [there] = await corpus.similar({ id: 'a' }, { limit: 1 });
    const [back] = await corpus.similar({ id: 'b' }, { limit: 1 });
    expect(back?.similarity).toBe(there?.similarity);
    return there?.similarity ?? 0;
  }

  test('the similarity is 1 only for equal texts', async () => {
    expect(await between(one, one)).toBe(1);
    expect(await between(one, { ...one, body: 'it  CRASHES when i save.\r\n' })).toBe(1);
    expect(await between({ title: '🔥🔥' }, { title: '🔥🔥' })).toBe(1);
    expect(await between({ title: '…' }, { title: '…' })).toBe(1);
    expect(await between(one, { ...one, body: 'When I save, it crashes.' })).toBeLessThan(0.999);
    expect(await between({ title: 'One thing' }, { title: 'Other matter' })).toBeLessThan(0.1);
  });

  test('different issues with the same 300 stack frames have a low similarity', async () => {
    const trace = Array.from(
      { length: 300 },
      (_, at) => `\tat org.acme.core.Layer${at}.call(Layer${at}.java:${at})`,
    );
    const quoted = `{noformat}\njava.lang.IllegalStateException: closed\n${trace.join('\n')}\n{noformat}`;
    const similarity = await between(
      { title: 'Export to CSV loses umlauts', body: `Every name with an umlaut is cut.\n${quoted}` },
      {
        title: 'Night mode forgets its setting',
        body: `After a restart the theme is bright again.\n${quoted}`,
      },
    );
    expect(similarity).toBeLessThan(0.3);
  });

  test('siblings have a similarity below 0.8', async () => {
    const body =
      'The old release has a known hole, see the advisory of the vendor for details on the attack.';
    expect(
      await between({ title: 'Upgrade jetty to 9.4.43', body }, { title: 'Upgrade jetty to 9.4.48', body }),
    ).toBeLessThan(0.8);
  });

  test('similar issues are found across markup, scripts and writing directions', async () => {
    expect(
      await between(
        { title: 'Login broken', body: 'h2. Problem\n{code}token expired{code}' },
        { title: 'login is broken', body: '<h2>Problem</h2><p>token <code>expired</code></p>' },
      ),
    ).toBeGreaterThan(0.8);
    expect(await between({ title: '无法登录系统' }, { title: '系统无法登录了' })).toBeGreaterThan(0.5);
    expect(await between({ title: 'تعذر حفظ الملف' }, { title: 'تعذر حفظ هذا الملف' })).toBeGreaterThan(0.5);
  });

  test('the vector part is the cosine after subtracting the mean vector', async () => {
    const near = Float32Array.of(1, 0.1, 0, 0, 0, 0, 0, 0);
    const far = Float32Array.of(-1, 0.1, 0, 0, 0, 0, 0, 0);
    const [a, b] = [
      { ...one, vector: near },
      { ...one, body: 'Something about a menu.' },
    ];
    expect(await between(a, { ...b, vector: near })).toBeGreaterThan(await between(a, { ...b, vector: far }));
  });
});

describe('pairs', () => {
  const seeds = fc.nat(10_000);

  test('pairs are the best of each issue, in its project and overall, each pair once', async () => {
    for (const count of [40, 120, 400]) {
      const items = documents(count, count);
      const corpus = corpusOf(items);
      await sortedPairs(corpus, LIMITS);
      corpus.useSnapshot(corpus.takeSnapshot(1));
      const pairs = await sortedPairs(corpus, LIMITS);
      const fresh = corpusOf(items);
      fresh.useSnapshot(corpus.takeSnapshot(1));
      expect(new Set(pairs.map((pair) => [pair.a, pair.b].sort().join(' '))).size).toBe(pairs.length);
      expect(pairs.map(pairText).sort()).toEqual(await byDefinition(fresh, items));
      expect(pairs.map((pair) => pair.similarity)).toEqual(
        pairs.map((pair) => pair.similarity).sort((x, y) => y - x),
      );
    }
  });

  test('single pairs get the same scores as all pairs together', async () => {
    const items = documents(120, 7).map((item) => ({ ...item, vector: item.vector ?? vectorOf(numbers(1)) }));
    const corpus = corpusOf(items);
    corpus.useSnapshot(corpus.takeSnapshot(1));
    const pairs = await sortedPairs(corpus, LIMITS);
    const scores = corpus.scoresOf(
      pairs.map(({ a, b }, at) => (at % 2 === 0 ? [a, b] : [b, a])),
      LIMITS,
    );
    expect(pairs.some(({ isMutualBest }) => isMutualBest)).toBe(true);
    for (const [at, { similarity, logOdds, isMutualBest }] of pairs.entries()) {
      expect(scores[at]?.isMutualBest).toBe(isMutualBest);
      expect(scores[at]?.similarity).toBeCloseTo(similarity, 6);
      expect(scores[at]?.logOdds).toBeCloseTo(logOdds, 5);
    }
  });

  test('a pair has no scores if an issue is unknown or has no vector', () => {
    const [one, two] = [
      documentOf('one', 1, false),
      { ...documentOf('two', 2), vector: vectorOf(numbers(2)) },
    ];
    const corpus = corpusOf([one, two]);
    const named = [
      ['one', 'two'],
      ['two', 'none'],
    ] as const;
    expect(corpus.scoresOf(named, LIMITS)).toEqual([null, null]);
  });

  test('pairs of changed issues are the same as in a new corpus, after any changes', async () => {
    const step = fc.oneof(
      fc.record({ put: fc.nat(29), seed: seeds, hasVector: fc.boolean() }),
      fc.record({ vector: fc.nat(29), seed: seeds }),
      fc.record({ remove: fc.nat(29) }),
    );
    const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(seeds, rounds, async (seed, steps) => {
        const items = new Map(documents(24, seed).map((item) => [item.id, item]));
        const corpus = corpusOf([...items.values()]);
        const snapshot = corpus.takeSnapshot(1);
        corpus.useSnapshot(snapshot);
        await sortedPairs(corpus, LIMITS);
        for (const round of steps) {
          const changed = new Set<string>();
          for (const each of round) {
            if ('put' in each) {
              const item = documentOf(`i${each.put}`, each.seed, each.hasVector);
              items.set(item.id, item);
              corpus.put([item]);
              changed.add(item.id);
            } else if ('remove' in each) {
              items.delete(`i${each.remove}`);
              corpus.delete([`i${each.remove}`]);
            } else {
              const id = `i${each.vector}`;
              const vector = vectorOf(numbers(each.seed));
              const item = items.get(id);
              if (item !== undefined) items.set(id, { ...item, vector });
              corpus.setVector(id, vector);
              changed.add(id);
            }
          }
          const fresh = corpusOf([...items.values()]);
          fresh.useSnapshot(snapshot);
          const full = (await sortedPairs(fresh, LIMITS)).filter(
            (pair) => changed.has(pair.a) || changed.has(pair.b),
          );
          const incremental = await sortedPairs(corpus, { ...LIMITS, changed: [...changed] });
          expect(incremental).toEqual(full);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('pairs are the same after single changes as after adding all issues at once', async () => {
    const items = documents(330, 5);
    const corpus = corpusOf(items.slice(0, 300));
    const atOnce = corpusOf(items);
    const snapshot = atOnce.takeSnapshot(1);
    corpus.useSnapshot(snapshot);
    atOnce.useSnapshot(snapshot);
    await sortedPairs(corpus, LIMITS);
    for (const item of items.slice(300)) {
      corpus.put([item]);
      await sortedPairs(corpus, { ...LIMITS, changed: [item.id] });
    }
    for (const at of [100, 101, 102, 103]) {
      const item = documentOf(`i${at}`, 9000 + at);
      corpus.put([item]);
      atOnce.put([item]);
    }
    corpus.delete(items.slice(0, 20).map((item) => item.id));
    atOnce.delete(items.slice(0, 20).map((item) => item.id));
    expect(await sortedPairs(corpus, LIMITS)).toEqual(await sortedPairs(atOnce, LIMITS));
    const anew = { perGroup: 6, overall: 5, floor: 0.05 };
    expect(await sortedPairs(corpus, anew)).toEqual(await sortedPairs(atOnce, anew));
  });

  test('pairs include changes made during the search', async () => {
    const items = documents(700, 9);
    const corpus = corpusOf(items);
    const running = sortedPairs(corpus, LIMITS);
    await nextTurn();
    corpus.delete(['i0', 'i1']);
    const late = documentOf('late', 77);
    corpus.put([late]);
    await nextTurn();
    const changed = documentOf('i2', 78);
    corpus.put([changed]);
    const expected = corpusOf([...items.slice(3), late, changed]);
    expect(await running).toEqual(await sortedPairs(expected, LIMITS));
  });

  test('pairs of a thousand copies of one text are limited like others', async () => {
    const copies = Array.from({ length: 1000 }, (_, at) => ({
      ...documentOf('x', 3),
      id: `copy ${at}`,
      group: 'g',
    }));
    const pairs = await sortedPairs(corpusOf(copies), { perGroup: 20, overall: 20, floor: 0.1 });
    expect(pairs.every((pair) => pair.similarity === 1)).toBe(true);
    expect(pairs.length).toBeLessThanOrEqual(1000 * 20);
    expect(new Set(pairs.flatMap((pair) => [pair.a, pair.b])).size).toBe(1000);
  });
});

describe('similar', () => {
  test('similar finds the same issues for an issue as for its text, plus the issue itself', async () => {
    const items = documents(60, 4);
    const corpus = corpusOf(items);
    corpus.useSnapshot(corpus.takeSnapshot(1));
    for (const item of items.filter((each) => each.title.length > 5).slice(0, 10)) {
      const byId = await corpus.similar({ id: item.id }, { limit: 20 });
      const byText = await corpus.similar(item, { limit: 60, filter: (id) => id !== item.id });
      const textOnly = { title: item.title, body: item.body, vector: item.vector };
      expect(byText.slice(0, 20)).toEqual(byId);
      expect((await corpus.similar(textOnly, { limit: 1 }))[0]?.similarity).toBe(1);
    }
  });

  test('similar returns the same scores as `compare`, with and without index and vectors', async () => {
    const items = documents(700, 3);
    const corpus = corpusOf(items.slice(0, 600));
    corpus.useSnapshot(corpus.takeSnapshot(1));
    await corpus.similar({ id: 'i0' }, { limit: 1 });
    corpus.put(items.slice(600));
    const vector = vectorOf(numbers(5));
    for (const { title, body, vector: own } of items.slice(590, 610)) {
      for (const text of [
        { title, body, vector: own },
        { title, body, vector: null },
        { title: `${title} again`, body: '', vector },
      ]) {
        const found = await corpus.similar(text, { limit: items.length });
        const compared = corpus.compare(
          text,
          found.map(({ id }) => ({ id })),
        );
        expect(found.length).toBeGreaterThan(0);
        for (const [index, { similarity }] of found.entries()) {
          expect(similarity).toBeCloseTo(compared[index] ?? Number.NaN, 8);
        }
      }
    }
  });

  test('similar lowers the score for query words that no issue contains', async () => {
    const corpus = corpusOf(documents(60, 4));
    const [plain] = await corpus.similar({ title: 'bababa bakore', body: '', vector: null }, { limit: 1 });
    const [strange] = await corpus.similar(
      { title: 'bababa bakore xyzzy plugh', body: '', vector: null },
      { limit: 1 },
    );
    expect(strange?.similarity).toBeGreaterThan(0);
    expect(strange?.similarity).toBeLessThan(plain?.similarity ?? 0);
  });

  test('similar applies the filter before the limit, and never exceeds the limit', async () => {
    const corpus = corpusOf(documents(80, 6));
    const all = await corpus.similar({ id: 'i7' }, { limit: 80 });
    const odd = (id: string): boolean => Number(id.slice(1)) % 2 === 1;
    const found = await corpus.similar({ id: 'i7' }, { limit: 5, filter: odd });
    expect(found).toEqual(all.filter((issue) => odd(issue.id)).slice(0, 5));
    expect(await corpus.similar({ id: 'i7' }, { limit: 0 })).toEqual([]);
  });
});

test('scores depend on the snapshot in use, also if it was encoded and decoded', async () => {
  const items = documents(90, 8);
  const [corpus, other] = [corpusOf(items), corpusOf(items.slice(0, 50))];
  const snapshot = corpus.takeSnapshot(3);
  corpus.useSnapshot(snapshot);
  other.useSnapshot(decodeSnapshot(encodeSnapshot(snapshot)));
  other.put(items.slice(50));
  expect(await sortedPairs(other, LIMITS)).toEqual(await sortedPairs(corpus, LIMITS));
  const before = await corpus.similar({ id: 'i3' }, { limit: 5 });
  corpus.useSnapshot(corpusOf(items.slice(0, 10)).takeSnapshot(4));
  expect(await corpus.similar({ id: 'i3' }, { limit: 5 })).not.toEqual(before);
});

test('an index built with one snapshot is also valid with the next', async () => {
  const items = documents(300, 2);
  const [corpus, fresh] = [corpusOf(items), corpusOf(items)];
  corpus.useSnapshot(corpus.takeSnapshot(1));
  await sortedPairs(corpus, LIMITS);
  corpus.useSnapshot(emptySnapshot(DIMENSIONS));
  expect(await sortedPairs(corpus, LIMITS)).toEqual(await sortedPairs(fresh, LIMITS));
});

test('the corpus lists its issues and those without a vector', () => {
  const corpus = corpusOf(documents(10).map((item) => ({ ...item, vector: null })));
  corpus.setVector(
    'i4',
    Float32Array.from({ length: DIMENSIONS }, () => 0.5),
  );
  corpus.delete(['i5']);
  expect(corpus.ids()).toEqual(['i0', 'i1', 'i2', 'i3', 'i4', 'i6', 'i7', 'i8', 'i9']);
  expect(corpus.withoutVector()).toEqual(['i0', 'i1', 'i2', 'i3', 'i6', 'i7', 'i8', 'i9']);
  expect([corpus.has('i4'), corpus.has('i5'), corpus.size]).toEqual([true, false, 9]);
});

test('a megabyte of any text is read quickly', () => {
  const corpus = corpusOf([]);
  for (const unit of ['word ', 'aA', '日本', '🎉', '<p>', '\n', 'a.', 'at a.b(C.java:1)\n', '| x | y |\n']) {
    const long = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const began = process.threadCpuUsage();
    corpus.put([{ id: unit, group: 'g', title: long, body: long, vector: null, createdAt: 0 }]);
    expect(process.threadCpuUsage(began).user).toBeLessThan(3_000_000);
  }
});
