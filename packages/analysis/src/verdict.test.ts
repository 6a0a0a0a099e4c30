import { describe, expect, test } from 'vitest';
import { judgePair, type PairLikelihood } from './verdict.ts';

const marks = { identical: 0.999 };
/** The same as `LIKELIHOOD` of the contract, which this package may not import. */
const LIKELIHOOD = { related: 0.01, likely: 0.3, reworded: 0.4, sure: 0.68 };
const SURE: PairLikelihood = {
  probability: 0.9,
  isMutualBest: true,
  seriesFrame: null,
  marks: LIKELIHOOD,
};
/** Likelihood of a pair that only its texts support. */
const UNLIKELY: PairLikelihood = { ...SURE, probability: LIKELIHOOD.related / 2, isMutualBest: false };
/** Similarity below which the tests expect an unlikely pair. */
const UNLIKELY_SIMILARITY = 0.45;
/** Returns a high weight for every word except short ones. */
const idf = (term: string): number =>
  ['the', 'a', 'is', 'to', 'in', 'of', 'on', 'and'].includes(term) ? 0 : 5;

function judge(
  first: { key?: string; title: string; body?: string },
  second: { key?: string; title: string; body?: string },
  similarity: number,
  likelihood = similarity < UNLIKELY_SIMILARITY ? UNLIKELY : SURE,
) {
  return judgePair(
    { key: 'app#1', body: '', ...first },
    { key: 'app#2', body: '', ...second },
    { similarity, marks, idf, likelihood },
  );
}

test('equal titles within a series are not told apart by it', () => {
  const inSeries = { ...SURE, seriesFrame: 'Export loses the …' };
  const verdict = judge(
    { title: 'Export loses the zone' },
    { title: 'export loses  the zone' },
    0.95,
    inSeries,
  );
  expect(verdict).toMatchObject({ decision: 'duplicate', difference: null });
});

describe('never duplicates, in spite of their similarity', () => {
  test.each([
    ['two versions', 'Upgrade ZooKeeper to 3.8.2', 'Upgrade ZooKeeper to 3.8.3'],
    ['two modules', 'Remove WhiteBox in hadoop-kms', 'Remove WhiteBox in hadoop-common'],
    ['two short commands', 'Show progress of the get command', 'Show progress of the cp command'],
    ['a backport', 'Retry on timeout', 'Backport: retry on timeout'],
    ['a change and its revert', 'Retry on timeout', 'Revert "Retry on timeout"'],
    ['a first version and the whole', 'Add initial support for Azurite', 'Support Azurite'],
    ['a fix and its tests', 'Retry on timeout', 'Add tests: retry on timeout'],
    [
      'a change and a follow-up',
      'Benchmark for stores of the Hadoop interface',
      'Benchmark for stores of the Hadoop interface: improvements',
    ],
    [
      'a component and another one',
      '[mobile] Export loses the time zone',
      '[web] Export loses the time zone',
    ],
  ])('%s', (_what, first, second) => {
    const verdict = judge({ title: first }, { title: second }, 0.95);
    expect(verdict.decision).toBe('overlapping');
    expect(verdict.reason).toMatch(/But /);
    expect(verdict.reason).toContain(verdict.difference);
  });

  test('two things in the same sentence', () => {
    const [one, other] = [
      { title: 'Migrate abstract contract tests to AssertJ' },
      { title: 'Migrate abstract permission tests to AssertJ' },
    ];
    const verdict = judge(one, other, 0.95);
    expect(verdict).toMatchObject({ decision: 'overlapping', relation: 'related' });
    expect(verdict.difference).toBe('But app#1 says “contract” where app#2 says “permission”.');
  });

  test('two things in the same Chinese sentence', () => {
    const verdict = judge({ title: '设置页面打开后崩溃' }, { title: '登录页面打开后崩溃' }, 0.95);
    expect(verdict).toMatchObject({ decision: 'overlapping', relation: 'related' });
    expect(verdict.difference).toBe('But app#1 says “设置” where app#2 says “登录”.');
  });

  test('issues of one series', () => {
    const inSeries = { ...SURE, seriesFrame: 'Export loses the …' };
    const verdict = judge(
      { title: 'Export loses the zone' },
      { title: 'Export loses the zone?' },
      0.95,
      inSeries,
    );
    expect(verdict).toMatchObject({ decision: 'overlapping', relation: 'related' });
    expect(verdict.reason).toContain('But both belong to the series “Export loses the …”.');
  });

  test.each([
    ['another issue is nearer', { ...SURE, isMutualBest: false }, 'likely_same'],
    ['the probability is low', { ...SURE, probability: 0.2 }, 'related'],
  ])('equal titles where %s', (_what, likelihood, relation) => {
    const title = 'Export loses the time zone';
    const verdict = judge({ title, body: 'One.' }, { title, body: 'Two.' }, 0.95, likelihood);
    expect(verdict).toMatchObject({ decision: 'overlapping', relation });
  });

  test('issues when one only denies being a duplicate', () => {
    const body = 'This is not a duplicate of app#1: that one is about PDF.';
    expect(
      judge({ title: 'Export to PDF hangs' }, { title: 'Export to CSV hangs', body }, 0.5).decision,
    ).toBe('overlapping');
  });
});

describe('duplicates', () => {
  test('are the same texts', () => {
    expect(judge({ title: 'Same' }, { title: 'Same' }, 1)).toEqual({
      decision: 'duplicate',
      relation: 'same',
      confidence: 0.99,
      reason: 'The two texts are the same.',
      difference: null,
    });
  });

  test('are issues that each contain the words of the other title', () => {
    const verdict = judge(
      {
        title: 'Export loses the time zone',
        body: 'It is lost since the upgrade, when the calendar is shared.',
      },
      { title: 'Time zone lost in export of the shared calendar', body: 'The export loses it.' },
      0.85,
    );
    expect(verdict.decision).toBe('duplicate');
    expect(verdict.reason).toContain('“Export”');
  });

  // Two of the four words of each title are in the other title, and the rest is in its description.
  const half = [
    { title: 'Export loses zone offsets', body: 'The calendar is wrong then.' },
    { title: 'Calendar wrong: export loses offsets', body: 'It is about the zone.' },
  ] as const;
  test.each([
    [0.39, 'likely_same'],
    [0.55, 'same'],
  ])('with half of their words in both titles need a higher probability: %d', (probability, relation) => {
    expect(judge(...half, 0.6, { ...SURE, probability }).relation).toBe(relation);
  });

  test('that are only likely have their probability as confidence', () => {
    const verdict = judge(...half, 0.6, { ...SURE, probability: 0.35 });
    expect(verdict).toMatchObject({ relation: 'likely_same', confidence: 0.35 });
  });

  test('that quote an error need to be sure', () => {
    const title = 'Assertion failed in export';
    const judged = (probability: number) =>
      judge({ title, body: 'One.' }, { title, body: 'Two.' }, 0.9, { ...SURE, probability }).relation;
    expect([judged(0.6), judged(0.75)]).toEqual(['likely_same', 'same']);
  });

  test('are fairly like issues about one numbered thing', () => {
    const verdict = judge(
      { title: 'Upgrade jettison because of CVE-2022-40149' },
      { title: 'CVE-2022-40149 in a bundled library' },
      0.6,
    );
    expect(verdict).toMatchObject({ decision: 'duplicate', reason: 'Both titles name “CVE-2022-40149”.' });
  });
});

describe('an issue that calls itself a duplicate', () => {
  const claiming = (body: string) =>
    judge({ title: 'Export hangs' }, { title: 'Nothing comes out', body }, 0.15);

  test.each([
    ['the whole key', 'Looks like a duplicate of app#1.'],
    ['its end', 'Duplicates #1, I think'],
    ['other words', 'This is the same bug as the older app#1'],
  ])('by %s is quoted, but does not suffice', (_how, body) => {
    const verdict = claiming(body);
    expect(verdict).toMatchObject({ decision: 'overlapping', relation: 'related' });
    expect(verdict.reason).toBe(
      'app#2 states that it is a duplicate of app#1. But their texts do not confirm this.',
    );
  });

  test('changes nothing where the texts show that anyway', () => {
    const [one, other] = [{ title: 'Export loses the time zone' }, { title: 'Export loses its time zone' }];
    const without = judge(one, other, 0.85);
    expect(without.decision).toBe('duplicate');
    expect(judge(one, { ...other, body: 'Duplicate of app#1' }, 0.85)).toEqual(without);
  });

  test.each([
    [0.001, 'related'],
    [LIKELIHOOD.likely - 0.01, 'related'],
    [LIKELIHOOD.likely, 'likely_same'],
  ])('is likely the same only if that is probable: %d', (probability, relation) => {
    const [one, other] = [
      { title: 'Export hangs' },
      { title: 'Nothing comes out', body: 'Duplicate of app#1' },
    ];
    const verdict = judge(one, other, 0.15, { ...SURE, probability });
    expect(verdict).toMatchObject({ decision: 'overlapping', relation });
    expect(verdict.reason).toContain('states that it is a duplicate');
  });

  test('gets the reason against its claim', () => {
    const body = 'Duplicate of app#1';
    const verdict = judge({ title: 'Upgrade to 3.8.2' }, { title: 'Upgrade to 3.8.3', body }, 0.9);
    expect(verdict).toMatchObject({ decision: 'overlapping', relation: 'related' });
    expect(verdict.reason).toContain('But app#1 names “3.8.2”');
  });

  test('is ignored for another issue whose key has the same beginning', () => {
    expect(claiming('Duplicate of app#12').decision).toBe('undecided');
  });
});

test('quotes the common error of issues with different titles as an overlap', () => {
  const body = 'It says\n\njava.lang.NullPointerException: calendar must not be null\n\tat a.B.c(B.java:1)';
  const verdict = judge({ title: 'Cannot open settings', body }, { title: 'Import ends early', body }, 0.4);
  expect(verdict.decision).toBe('overlapping');
  expect(verdict.reason).toContain('java.lang.NullPointerException: calendar must not be null');
});

test('calls texts with nothing in common unrelated', () => {
  const verdict = judge(
    { title: 'Export hangs', body: 'On large calendars.' },
    { title: 'Dark theme is too dark', body: 'Labels cannot be read.' },
    0.005,
  );
  expect(verdict.decision).toBe('unrelated');
});

test('cannot tell about texts that are a little similar: they may say one thing in other words', () => {
  const verdict = judge({ title: 'Export hangs' }, { title: 'Dark theme is too dark' }, 0.05);
  expect(verdict.decision).toBe('undecided');
});

test('leaves moderately similar issues undecided', () => {
  const verdict = judge({ title: 'Export hangs' }, { title: 'Export could be faster' }, 0.38);
  expect(verdict.decision).toBe('undecided');
});

test('changes only the order of names when the issues are swapped', () => {
  const [first, second] = [{ title: 'Upgrade netty to 4.1.86' }, { title: 'Upgrade netty to 4.1.89' }];
  const [there, back] = [judge(first, second, 0.7), judge(second, first, 0.7)];
  expect([there.decision, there.confidence]).toEqual([back.decision, back.confidence]);
});

test('ignores a different article', () => {
  const [one, other] = [{ title: 'Export loses the time zone' }, { title: 'Export loses its time zone' }];
  expect(judge(one, other, 0.9)).toMatchObject({ decision: 'duplicate', difference: null });
});
