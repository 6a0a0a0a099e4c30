import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexIssue, rescale } from './indexed-issue.ts';
import {
  isMutualBest,
  probabilityOf,
  SHIPPED_WEIGHTS,
  stateEffect,
  stateOf,
  type TextFeatures,
  TYPICAL_FEATURES,
  textFeatures,
  textLogOdds,
} from './likelihood.ts';
import { likelihoodReasons } from './likelihood-reasons.ts';

const DAY = 86_400_000;
const NO_OTHERS = { newer: 0, older: 0, nearer: 0 };
const scale = { idf: new Float64Array(100).fill(5), unseen: 5, center: new Float64Array() };

function featuresOf(
  older: { title: string; body?: string; author?: string },
  newer: { title: string; body?: string; author?: string },
  best = NO_OTHERS,
): TextFeatures {
  const ids = new Map<string, number>();
  const idOf = (term: string): number => {
    const id = ids.get(term) ?? ids.size;
    ids.set(term, id);
    return id;
  };
  const [a, b] = [older, newer].map((issue) =>
    indexIssue({ id: '', group: '', createdAt: 0, vector: null, body: '', ...issue }, idOf),
  );
  if (a === undefined || b === undefined) throw new Error('Two issues are needed.');
  for (const issue of [a, b]) rescale(issue, scale);
  return textFeatures(a, b, 0.6, best, scale);
}

const probability = (features: TextFeatures, state = stateOf({ isClosed: false, closedAt: null }, 0)) =>
  probabilityOf(textLogOdds(features) + stateEffect(state));

test('an issue that was closed later, or at an unknown time, counts as closed at that moment', () => {
  const justClosed = { closed: 1, logDaysSinceClosing: 0 };
  expect(stateOf({ isClosed: true, closedAt: 5 * DAY }, 3 * DAY)).toEqual(justClosed);
  expect(stateOf({ isClosed: true, closedAt: null }, 3 * DAY)).toEqual(justClosed);
});

describe('the probability falls', () => {
  const title = 'Export loses the time zone';
  const alike = featuresOf({ title, author: 'ada' }, { title: `${title} again`, author: 'bob' });

  test('the probability is lower if the older issue is closed, and falls with the time since then', () => {
    const closed = (days: number) => stateOf({ isClosed: true, closedAt: 0 }, days * DAY);
    const falling = [probability(alike), probability(alike, closed(0)), probability(alike, closed(100))];
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    expect(new Set(falling).size).toBe(3);
  });

  test('the probability is lower if both issues have the same author', () => {
    const oneAuthor = featuresOf({ title, author: 'ada' }, { title: `${title} again`, author: 'ada' });
    expect(probability(oneAuthor)).toBeLessThan(probability(alike));
  });

  test('the probability is lower if another issue is more similar to one of them', () => {
    const others = featuresOf({ title }, { title: `${title} again` }, { newer: 0.8, older: 0.7, nearer: 1 });
    expect(probability(others)).toBeLessThan(probability(alike));
    expect([isMutualBest(alike), isMutualBest(others)]).toEqual([true, false]);
  });

  test('the probability is lower if the titles name different versions', () => {
    const versions = featuresOf({ title: 'Upgrade netty to 4.1.86' }, { title: 'Upgrade netty to 4.1.89' });
    expect(versions.namedDifference).toBe(1);
    expect(SHIPPED_WEIGHTS.namedDifference).toBeLessThan(0);
  });
});

test('equal texts are duplicates, regardless of their authors', () => {
  const same = { title: 'Export hangs', body: 'Always.', author: 'ada' };
  const features = featuresOf(same, same, { newer: 1, older: 1, nearer: 0 });
  expect(features).toMatchObject({ identical: 1, sameAuthor: 0 });
  expect(probability(features)).toBeGreaterThan(0.95);
});

test('reasons name the state, the author and the difference, strongest first', () => {
  const issue = { isClosed: false, createdAt: 0, closedAt: null, author: 'ada' };
  const pair = {
    older: { ...issue, key: 'app#1', title: 'Upgrade netty to 4.1.86', isClosed: true, closedAt: 0 },
    newer: { ...issue, key: 'app#2', title: 'Upgrade netty to 4.1.89', createdAt: 400 * DAY },
    similarity: 0.8,
    logOdds: -1,
    isMutualBest: true,
    sharedTitleWords: ['netty', 'Upgrade'],
    areEqual: false,
    calibration: { slope: 1, offset: 1, judged: 40 },
  };
  const { raises, lowers } = likelihoodReasons(pair);
  expect(raises.map(({ text }) => text)).toContain('Their texts are 80% similar.');
  expect(raises).toContainEqual({
    text: 'The probability is adjusted to the 40 judged pairs of this account.',
    effect: 1,
  });
  expect(raises.map(({ text }) => text)).toContain(
    'Both titles mention “netty” and “Upgrade”, and each is the other’s most similar issue.',
  );
  const texts = lowers.map(({ text }) => text);
  expect(texts).toContain('app#1 names “4.1.86”, and app#2 names “4.1.89”.');
  expect(texts).toContain('ada wrote both issues.');
  expect(texts).toContain('app#1 was closed 400 days before app#2 was created.');
  const ofEqualTexts = likelihoodReasons({ ...pair, areEqual: true });
  expect(ofEqualTexts.lowers.map(({ text }) => text)).not.toContain('ada wrote both issues.');
  expect(ofEqualTexts.raises.map(({ text }) => text)).not.toContain(
    'The probability is adjusted to the 40 judged pairs of this account.',
  );
  const effects = lowers.map(({ effect }) => Math.abs(effect));
  expect(effects).toEqual([...effects].sort((a, b) => b - a));
});

test('each reason about words and rank is true, whether it raises or lowers the probability', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const arbitrary = fc.record({
    similarity: share,
    count: fc.nat(60),
    rarestWord: share,
    bestOfNewer: share,
    bestOfOlder: share,
    nearer: fc.integer({ min: 1, max: 19 }),
    hasTitleWords: fc.boolean(),
  });
  const seen = new Set<string>();
  const property = fc.property(arbitrary, (drawn) => {
    const { similarity, count, bestOfNewer, bestOfOlder, hasTitleWords } = drawn;
    const features: TextFeatures = {
      similarity,
      sharedWords: Math.log1p(count),
      rarestWord: count === 0 ? 0 : drawn.rarestWord,
      sameAuthor: 0,
      logRank: Math.log1p(bestOfNewer > similarity ? drawn.nearer : 0),
      newerMargin: similarity - bestOfNewer,
      olderMargin: similarity - bestOfOlder,
      namedDifference: 0,
      identical: 0,
    };
    const issue = { author: null, isClosed: false, createdAt: 0, closedAt: null };
    const { raises, lowers } = likelihoodReasons({
      older: { ...issue, key: 'app#1', title: 'Export hangs' },
      newer: { ...issue, key: 'app#2', title: 'Export hangs' },
      similarity,
      logOdds: textLogOdds(features),
      isMutualBest: isMutualBest(features),
      sharedTitleWords: hasTitleWords && count > 0 ? ['Export'] : [],
      areEqual: false,
      calibration: { slope: 1, offset: 0, judged: 0 },
    });
    const [raising, lowering] = [raises, lowers].map((of) => of.map(({ text }) => text).join(' '));
    expect(lowering).not.toMatch(/other’s most similar|titles mention|share words/);
    expect(raising).not.toMatch(/Another issue|share few/);
    if (raising?.includes('most similar')) expect(isMutualBest(features)).toBe(true);
    if (raising?.includes('share words')) expect(count).toBeGreaterThan(0);
    if (lowering?.includes('Another issue')) expect(isMutualBest(features)).toBe(false);
    if (lowering?.includes('share few'))
      expect(wordsEffect(features)).toBeLessThan(wordsEffect(TYPICAL_FEATURES));
    for (const text of [/most similar issue/, /share words/, /Another issue/, /share few/]) {
      if (text.test(`${raising} ${lowering}`)) seen.add(text.source);
    }
  });
  fc.assert(property, { numRuns: 2000 });
  expect(seen.size).toBe(4);
});

function wordsEffect({ sharedWords, rarestWord }: Pick<TextFeatures, 'sharedWords' | 'rarestWord'>): number {
  return SHIPPED_WEIGHTS.sharedWords * sharedWords + SHIPPED_WEIGHTS.rarestWord * rarestWord;
}
