import { describe, expect, test } from 'vitest';
import { judgePair, type PairLikelihood } from './verdict.ts';

const marks = { identical: 0.999 };
/** Same values as `LIKELIHOOD` in the contract package, which this package must not import. */
const LIKELIHOOD = { related: 0.01, likely: 0.3, reworded: 0.4, sure: 0.68 };
const SURE: PairLikelihood = {
  probability: 0.9,
  isMutualBest: true,
  seriesFrame: null,
  marks: LIKELIHOOD,
};
/** Likelihood of an improbable pair. */
const UNLIKELY: PairLikelihood = { ...SURE, probability: LIKELIHOOD.related / 2, isMutualBest: false };
/** Pairs below this similarity are improbable by default. */
const UNLIKELY_SIMILARITY = 0.45;
/** Returns weight 0 for a few frequent words, and a high weight for all others. */
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

test('two issues of a series with equal titles are still duplicates', () => {
  const inSeries = { ...SURE, seriesFrame: 'Export loses the …' };
  const verdict = judge(
    { title: 'Export loses the zone' },
    { title: 'export loses  the zone' },
    0.95,
    inSeries,
  );
  expect(verdict).toMatchObject({ decision: 'duplicate', difference: null });
});

describe('never duplicates, although they are similar', () => {
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

  test('titles that differ in one word', () => {
    const [one, other] = [
      { title: 'Migrate abstract contract tests to AssertJ' },
      { title: 'Migrate abstract permission tests to AssertJ' },
    ];
    const verdict = judge(one, other, 0.95);
    expect(verdict).toMatchObject({ decision: 'overlapping', relation: 'related' });
    expect(verdict.difference).toBe('But app#1 says “contract” where app#2 says “permission”.');
  });

  test('Chinese titles that differ in one word', () => {
    const verdict = judge({ title: '设置页面打开后崩溃' }, { title: '登录页面打开后崩溃' }, 0.95);
    expect(verdict).toMatchObject({ decision: 'overlapping', relation: 'related' });
    expect(verdict.difference).toBe('But app#1 says “设置” where app#2 says “登录”.');
  });

  test('issues of the same series', () => {
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
  ])('equal titles if %s', (_what, likelihood, relation) => {
    const title = 'Export loses the time zone';
    const verdict = judge({ title, body: 'One.' }, { title, body: 'Two.' }, 0.95, likelihood);
    expect(verdict).toMatchObject({ decision: 'overlapping', relation });
  });

  test('an issue that states not to be a duplicate', () => {
    const body = 'This is not a duplicate of app#1: that one is about PDF.';
    expect(
      judge({ title: 'Export to PDF hangs' }, { title: 'Export to CSV hangs', body }, 0.5).decision,
    ).toBe('overlapping');
  });
});

describe('duplicates', () => {
  test('equal texts are duplicates', () => {
    expect(judge({ title: 'Same' }, { title: 'Same' }, 1)).toEqual({
      decision: 'duplicate',
      relation: 'same',
      confidence: 0.99,
      reason: 'The two texts are the same.',
      difference: null,
    });
  });

  test('issues are duplicates if each contains the words of the other’s title', () => {
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

  // Two of the four words of each title are also in the other title. The other two are in the
  // description of the other issue.
  const half = [
    { title: 'Export loses zone offsets', body: 'The calendar is wrong then.' },
    { title: 'Calendar wrong: export loses offsets', body: 'It is about the zone.' },
  ] as const;
  test.each([
    [0.39, 'likely_same'],
    [0.55, 'same'],
  ])('titles with half of their words in common need a higher probability: %d', (probability, relation) => {
    expect(judge(...half, 0.6, { ...SURE, probability }).relation).toBe(relation);
  });

  test('the confidence of a likely duplicate is its probability', () => {
    const verdict = judge(...half, 0.6, { ...SURE, probability: 0.35 });
    expect(verdict).toMatchObject({ relation: 'likely_same', confidence: 0.35 });
  });

  test('titles that quote an error need a higher probability', () => {
    const title = 'Assertion failed in export';
    const judged = (probability: number) =>
      judge({ title, body: 'One.' }, { title, body: 'Two.' }, 0.9, { ...SURE, probability }).relation;
    expect([judged(0.6), judged(0.75)]).toEqual(['likely_same', 'same']);
  });

  test('issues about the same numbered thing are duplicates, despite different titles', () => {
    const verdict = judge(
      { title: 'Upgrade jettison because of CVE-2022-40149' },
      { title: 'CVE-2022-40149 in a bundled library' },
      0.6,
    );
    expect(verdict).toMatchObject({ decision: 'duplicate', reason: 'Both titles name “CVE-2022-40149”.' });
  });
});

describe('an issue that states to be a duplicate', () => {
  const claiming = (body: string) =>
    judge({ title: 'Export hangs' }, { title: 'Nothing comes out', body }, 0.15);

  test.each([
    ['the whole key', 'Looks like a duplicate of app#1.'],
    ['its end', 'Duplicates #1, I think'],
    ['other words', 'This is the same bug as the older app#1'],
  ])('by %s is quoted in the reason, but that is not enough for a duplicate', (_how, body) => {
    const verdict = claiming(body);
    expect(verdict).toMatchObject({ decision: 'overlapping', relation: 'related' });
    expect(verdict.reason).toBe(
      'app#2 states that it is a duplicate of app#1. But their texts do not confirm this.',
    );
  });

  test('has the same verdict as without the statement if the texts agree', () => {
    const [one, other] = [{ title: 'Export loses the time zone' }, { title: 'Export loses its time zone' }];
    const without = judge(one, other, 0.85);
    expect(without.decision).toBe('duplicate');
    expect(judge(one, { ...other, body: 'Duplicate of app#1' }, 0.85)).toEqual(without);
  });

  test.each([
    [0.001, 'related'],
    [LIKELIHOOD.likely - 0.01, 'related'],
    [LIKELIHOOD.likely, 'likely_same'],
  ])('is a likely duplicate only from this probability: %d', (probability, relation) => {
    const [one, other] = [
      { title: 'Export hangs' },
      { title: 'Nothing comes out', body: 'Duplicate of app#1' },
    ];
    const verdict = judge(one, other, 0.15, { ...SURE, probability });
    expect(verdict).toMatchObject({ decision: 'overlapping', relation });
    expect(verdict.reason).toContain('states that it is a duplicate');
  });

  test('gets a reason against its statement if the texts differ', () => {
    const body = 'Duplicate of app#1';
    const verdict = judge({ title: 'Upgrade to 3.8.2' }, { title: 'Upgrade to 3.8.3', body }, 0.9);
    expect(verdict).toMatchObject({ decision: 'overlapping', relation: 'related' });
    expect(verdict.reason).toContain('But app#1 names “3.8.2”');
  });

  test('is ignored if it names another issue whose key starts with the same characters', () => {
    expect(claiming('Duplicate of app#12').decision).toBe('undecided');
  });
});

test('issues with a common error and different titles overlap, and the reason quotes the error', () => {
  const body = 'It says\n\njava.lang.NullPointerException: calendar must not be null\n\tat a.B.c(B.java:1)';
  const verdict = judge({ title: 'Cannot open settings', body }, { title: 'Import ends early', body }, 0.4);
  expect(verdict.decision).toBe('overlapping');
  expect(verdict.reason).toContain('java.lang.NullPointerException: calendar must not be null');
});

test('texts with nothing in common are unrelated', () => {
  const verdict = judge(
    { title: 'Export hangs', body: 'On large calendars.' },
    { title: 'Dark theme is too dark', body: 'Labels cannot be read.' },
    0.005,
  );
  expect(verdict.decision).toBe('unrelated');
});

test('slightly similar texts are undecided, because they may be duplicates in other words', () => {
  const verdict = judge({ title: 'Export hangs' }, { title: 'Dark theme is too dark' }, 0.05);
  expect(verdict.decision).toBe('undecided');
});

test('moderately similar issues are undecided', () => {
  const verdict = judge({ title: 'Export hangs' }, { title: 'Export could be faster' }, 0.38);
  expect(verdict.decision).toBe('undecided');
});

test('swapping the issues changes only the order of names in the verdict', () => {
  const [first, second] = [{ title: 'Upgrade netty to 4.1.86' }, { title: 'Upgrade netty to 4.1.89' }];
  const [there, back] = [judge(first, second, 0.7), judge(second, first, 0.7)];
  expect([there.decision, there.confidence]).toEqual([back.decision, back.confidence]);
});

test('a different article makes no difference', () => {
  const [one, other] = [{ title: 'Export loses the time zone' }, { title: 'Export loses its time zone' }];
  expect(judge(one, other, 0.9)).toMatchObject({ decision: 'duplicate', difference: null });
});
