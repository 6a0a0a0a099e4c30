import { expect, test } from 'vitest';
import { calibrated, fitCalibration, type LabeledPair, UNCALIBRATED } from './calibration.ts';
import { probabilityOf } from './likelihood.ts';
import { hashTerm } from './term-hash.ts';

/**
 * Returns pairs with evenly spaced log-odds. `truth` returns the true log-odds of a duplicate for
 * given log-odds.
 */
function labeledBy(
  truth: (logOdds: number) => number,
  count: number,
  [from, to]: readonly [number, number] = [-4, 4],
): LabeledPair[] {
  return Array.from({ length: count }, (_, index) => {
    const logOdds = from + ((to - from) * index) / count;
    // Evenly distributed numbers instead of random ones. The shares of judgments are then exact for
    // any count.
    const chance = (index * 0.618_033_988_75) % 1;
    return { key: `pair ${index}`, logOdds, isSame: chance < probabilityOf(truth(logOdds)) };
  });
}

test('the fit finds the slope and offset of a backlog', () => {
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
])('the fit lowers the probabilities of %i likely pairs that are rarely duplicates', (count, offset) => {
  const pairs = labeledBy((logOdds) => logOdds + offset, count, [-0.8, 4]);
  const fit = fitCalibration(pairs);
  expect(fit?.lossAfter).toBeLessThan(fit?.lossBefore ?? 0);
  const { calibration = UNCALIBRATED } = fit ?? {};
  const difference = probabilityOf(calibrated(2, calibration)) - probabilityOf(2 + offset);
  expect(Math.abs(difference)).toBeLessThan(0.12);
});

test('the fit changes little if the probabilities are already right', () => {
  const fit = fitCalibration(labeledBy((logOdds) => 0.85 * logOdds, 3_000));
  expect(fit).not.toBeNull();
  const { calibration = UNCALIBRATED } = fit ?? {};
  for (const logOdds of [-3, -1, 0, 1, 3]) {
    const moved = probabilityOf(calibrated(logOdds, calibration)) - probabilityOf(logOdds);
    expect(Math.abs(moved)).toBeLessThan(0.05);
  }
});

test('a fit needs thirty pairs, and five of each judgment', () => {
  const pairs = labeledBy((logOdds) => logOdds - 1, 300);
  // Every judgment contradicts the probability, so every fit would be an improvement. Pair 6 is
  // left out of the fit to test it.
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

test('a fit is rejected if the test pairs all have the same judgment', () => {
  const isHeldBack = ({ key }: LabeledPair) => hashTerm(key) % 3 === 0;
  // Every judgment contradicts the probability, so every fit would be an improvement.
  const pairs = Array.from({ length: 90 }, (_, at) => ({ key: `${at}`, logOdds: 3, isSame: at % 4 === 0 }));
  const heldBack = pairs.filter(isHeldBack);
  expect(fitCalibration(pairs)?.heldBack).toBe(heldBack.length);
  const oneAnswer = pairs.map((pair) => (isHeldBack(pair) ? { ...pair, isSame: false } : pair));
  expect(fitCalibration(oneAnswer)).toBeNull();
  const onePair = oneAnswer.filter((pair) => !isHeldBack(pair) || pair.key === heldBack[0]?.key);
  expect(fitCalibration(onePair)).toBeNull();
});

test('a fit is rejected if it predicts the test pairs worse', () => {
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

test('the order of the pairs does not change the fit', () => {
  const pairs = labeledBy((logOdds) => 0.5 * logOdds - 0.5, 200);
  expect(fitCalibration(pairs.toReversed())).toEqual(fitCalibration(pairs));
});

test('a fit never reverses the order of pairs, even if the judgments do', () => {
  const reversed = labeledBy((logOdds) => -0.5 * logOdds + 1, 600);
  const { calibration = UNCALIBRATED } = fitCalibration(reversed) ?? {};
  expect(calibration.slope).toBeGreaterThan(0);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const expected = mean(reversed.map(({ logOdds }) => probabilityOf(calibrated(logOdds, calibration))));
  expect(Math.abs(expected - mean(reversed.map(({ isSame }) => (isSame ? 1 : 0))))).toBeLessThan(0.05);
});
