import { expect, test } from 'vitest';
import { calibrated, fitCalibration, type LabeledPair, UNCALIBRATED } from './calibration.ts';
import { probabilityOf } from './likelihood.ts';
import { hashTerm } from './term-hash.ts';

/**
 * Returns pairs with evenly spread log-odds. `truth` maps them to the log-odds of being the same.
 */
function labeledBy(
  truth: (logOdds: number) => number,
  count: number,
  [from, to]: readonly [number, number] = [-4, 4],
): LabeledPair[] {
  return Array.from({ length: count }, (_, index) => {
    const logOdds = from + ((to - from) * index) / count;
    // Low-discrepancy numbers instead of random ones: the shares are exact for any count.
    const chance = (index * 0.618_033_988_75) % 1;
    return { key: `pair ${index}`, logOdds, isSame: chance < probabilityOf(truth(logOdds)) };
  });
}

test('finds the slope and offset of a backlog', () => {
  const fit = fitCalibration(labeledBy((logOdds) => 0.6 * logOdds - 1.2, 3_000));
  expect(Math.abs((fit?.calibration.slope ?? 0) - 0.6)).toBeLessThan(0.1);
  expect(Math.abs((fit?.calibration.offset ?? 0) + 1.2)).toBeLessThan(0.2);
  expect(fit?.lossAfter).toBeLessThan(fit?.lossBefore ?? 0);
  expect((fit?.fitted ?? 0) + (fit?.heldBack ?? 0)).toBe(3_000);
});

test.each([
  [60, -2],
  [200, -3],
  [600, -3],
  [600, -4],
])('lowers the probabilities of %i likely pairs that are seldom the same', (count, offset) => {
  const pairs = labeledBy((logOdds) => logOdds + offset, count, [-0.8, 4]);
  const fit = fitCalibration(pairs);
  expect(fit?.lossAfter).toBeLessThan(fit?.lossBefore ?? 0);
  const { calibration = UNCALIBRATED } = fit ?? {};
  const difference = probabilityOf(calibrated(2, calibration)) - probabilityOf(2 + offset);
  expect(Math.abs(difference)).toBeLessThan(0.12);
});

test('changes little where the probabilities are right already', () => {
  const fit = fitCalibration(labeledBy((logOdds) => 0.85 * logOdds, 3_000));
  expect(fit).not.toBeNull();
  const { calibration = UNCALIBRATED } = fit ?? {};
  for (const logOdds of [-3, -1, 0, 1, 3]) {
    const moved = probabilityOf(calibrated(logOdds, calibration)) - probabilityOf(logOdds);
    expect(Math.abs(moved)).toBeLessThan(0.05);
  }
});

test('needs thirty pairs, and five of each answer', () => {
  const pairs = labeledBy((logOdds) => logOdds - 1, 300);
  // Every judgment contradicts the probability, so any fit is an improvement. Pair 6 is held back.
  const contrary = (count: number, same: number) =>
    Array.from({ length: count }, (_, at) => {
      return { key: `${at}`, logOdds: 3, isSame: at >= 3 && at < 3 + same };
    });
  expect(fitCalibration(contrary(29, 10))).toBeNull();
  expect(fitCalibration(contrary(30, 10))).not.toBeNull();
  expect(fitCalibration(contrary(40, 4))).toBeNull();
  expect(fitCalibration(contrary(40, 5))).not.toBeNull();
  expect(fitCalibration(pairs.map((pair) => ({ ...pair, isSame: true })))).toBeNull();
  expect(fitCalibration([])).toBeNull();
});

test('is rejected if the pairs held back have one answer only', () => {
  const isHeldBack = ({ key }: LabeledPair) => hashTerm(key) % 3 === 0;
  // Every judgment contradicts the probability, so any fit is an improvement.
  const pairs = Array.from({ length: 90 }, (_, at) => ({ key: `${at}`, logOdds: 3, isSame: at % 4 === 0 }));
  const heldBack = pairs.filter(isHeldBack);
  expect(fitCalibration(pairs)?.heldBack).toBe(heldBack.length);
  const oneAnswer = pairs.map((pair) => (isHeldBack(pair) ? { ...pair, isSame: false } : pair));
  expect(fitCalibration(oneAnswer)).toBeNull();
  const onePair = oneAnswer.filter((pair) => !isHeldBack(pair) || pair.key === heldBack[0]?.key);
  expect(fitCalibration(onePair)).toBeNull();
});

test('is rejected if the pairs held back get worse', () => {
  const pairs = labeledBy((logOdds) => 0.6 * logOdds - 1.2, 300);
  const opposite = (pair: LabeledPair) => ({ ...pair, isSame: !pair.isSame });
  const fit = fitCalibration(pairs);
  expect(fit).not.toBeNull();
  const isHeldBack = (pair: LabeledPair) =>
    fitCalibration(pairs.map((other) => (other === pair ? opposite(other) : other)))?.calibration.offset ===
    fit?.calibration.offset;
  const conflicting = pairs.map((pair) => (isHeldBack(pair) ? { ...pair, isSame: true } : pair));
  expect(fitCalibration(conflicting)).toBeNull();
});

test('does not depend on the order of the pairs', () => {
  const pairs = labeledBy((logOdds) => 0.5 * logOdds - 0.5, 200);
  expect(fitCalibration(pairs.toReversed())).toEqual(fitCalibration(pairs));
});

test('never reverses the order of pairs, and still fits how often they are the same', () => {
  const reversed = labeledBy((logOdds) => -0.5 * logOdds + 1, 600);
  const { calibration = UNCALIBRATED } = fitCalibration(reversed) ?? {};
  expect(calibration.slope).toBeGreaterThan(0);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const expected = mean(reversed.map(({ logOdds }) => probabilityOf(calibrated(logOdds, calibration))));
  expect(Math.abs(expected - mean(reversed.map(({ isSame }) => (isSame ? 1 : 0))))).toBeLessThan(0.05);
});
