import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { FEATURES, type Features, probabilityOf, type Weights } from '@winnow/analysis/likelihood';
import { hashTerm } from '@winnow/analysis/term-hash';
import { calibrationError, calibrationErrorByChance } from '../bench/quality/measures.ts';
import { openCorpus } from '../bench/shared/comparison-corpus.ts';
import { type Candidate, eachQuery } from '../data/candidates.ts';
import { hadoopSet } from '../data/hadoop.ts';
import { type JudgedPair, judgedSetOf, readJudgedPairs } from '../data/judged-pairs.ts';
import { readLabelledSet } from '../data/labelled-set.ts';
import { fitLogistic } from './logistic.ts';

/** Number of candidates per issue that the fit uses. */
const CANDIDATES_PER_ISSUE = 30;
/**
 * Ridge penalty on each weight, for features scaled to a standard deviation of 1. It prevents
 * extreme weights on small sets.
 */
const RIDGE = 1;
/**
 * Features for which too few labelled pairs exist. Their weights are fitted on the manually judged
 * pairs.
 */
const JUDGED_ONLY = ['namedDifference'] as const;
/** Number of folds in the cross-validation over the judged pairs. */
const FOLDS = 5;
/**
 * Number of random partitions into folds. The errors are averaged, because the error of a single
 * partition depends on chance.
 */
const PARTITIONS = 10;
/**
 * Minimum probability of pairs for the calibration error. Calibration does not matter for less
 * probable pairs.
 */
const MIN_CALIBRATED_PROBABILITY = 0.1;

const USAGE = `Usage: node tools/fit/likelihood.ts --set DIR [--until YYYY-MM-DD] [--hadoop] [--cache DIR] --out FILE

Fits the weights of the duplicate probability on a labeled set, and writes them to a JSON file.
  --set DIR      labeled issues, in the format of tools/data/README.md
  --until DATE   use only issues created before this date
  --hadoop       also scale the probabilities on the judged pairs of the Hadoop reports
  --cache DIR    store vectors here between runs
  --out FILE     output file
`;

interface Sample {
  /** Name of the set in `judged-pairs.json`. Null for a set without judged pairs. */
  set: string | null;
  newer: string;
  older: string;
  rank: number;
  features: Features;
  isIdentical: boolean;
  isLabelled: boolean;
}

interface JudgedSample {
  pair: JudgedPair;
  sample: Sample;
}

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    until: { type: 'string' },
    hadoop: { type: 'boolean', default: false },
    cache: { type: 'string' },
    out: { type: 'string' },
  },
});
if (values.set === undefined || values.out === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const until = Date.parse(values.until ?? '9999-01-01');
const labelSamples = await samplesOf(await readLabelledSet(values.set), until);
const hadoop = values.hadoop ? await hadoopSet() : null;
const hadoopSamples = hadoop === null ? [] : await samplesOf(hadoop, Number.POSITIVE_INFINITY);
const judged = pairsWithSamples(readJudgedPairs(), [...labelSamples, ...hadoopSamples]);
const weights = fit(labelSamples, judged);
const best = labelSamples.filter(({ rank }) => rank === 0);
const typical = Object.fromEntries(
  FEATURES.map((name) => [name, median(best.map(({ features }) => features[name]))]),
);
const content = { version: 1, weights: roundedAll(weights), typical: roundedAll(typical) };
await writeFile(values.out, `${JSON.stringify(content, null, 2)}\n`);
const labeled = labelSamples.filter(({ isLabelled }) => isLabelled).length;
process.stdout.write(
  `${values.out}: ${labelSamples.length} candidates, ${labeled} labeled, ${judged.length} judged by eye.\n`,
);
const forecasts = Array.from({ length: PARTITIONS }, (_, at) => heldOutForecasts(labelSamples, judged, at));
const errors = forecasts.map(calibrationError);
const [lowest, highest] = [Math.min(...errors), Math.max(...errors)].map((error) => error.toFixed(3));
const byChance = mean(forecasts.map(calibrationErrorByChance)).toFixed(3);
process.stdout.write(
  `Calibration error across ${FOLDS} folds: ${mean(errors).toFixed(3)}, the mean of ${PARTITIONS} partitions (${lowest} to ${highest}); ${byChance} is expected by chance.\n`,
);

/**
 * Fits the weights of all features.
 * First fits the features with enough labels to the labels. Labels cover less than half of the true
 * duplicates, so the resulting score is then scaled to the judged pairs. The weights of the other
 * features are fitted in the same step.
 */
function fit(samples: readonly Sample[], pairs: readonly JudgedSample[]): Weights {
  const labelFeatures = FEATURES.filter((name) => !JUDGED_ONLY.some((other) => other === name));
  // Leaves out identical texts, which a rule decides. Labels omit most of them, because they are
  // obvious.
  const differing = samples.filter(({ isIdentical }) => !isIdentical);
  const labels = fitLogistic(
    differing.map(({ features }) => labelFeatures.map((name) => features[name])),
    differing.map(({ isLabelled }) => (isLabelled ? 1 : 0)),
    { ridge: RIDGE },
  );
  const scaled = fitLogistic(
    pairs.map(({ sample: { features } }) => [
      labelFeatures.reduce((sum, name, at) => sum + (labels.weights[at] ?? 0) * features[name], 0),
      ...JUDGED_ONLY.map((name) => features[name]),
    ]),
    pairs.map(({ pair }) => (pair.isSame ? 1 : 0)),
    { ridge: RIDGE },
  );
  const [slope = 1, ...judgedWeights] = scaled.weights;
  const found: Record<string, number> = { intercept: scaled.intercept };
  for (const [at, name] of labelFeatures.entries()) found[name] = slope * (labels.weights[at] ?? 0);
  for (const [at, name] of JUDGED_ONLY.entries()) found[name] = judgedWeights[at] ?? 0;
  return found as unknown as Weights;
}

/**
 * Returns held-out probabilities of the judged pairs, if they are at least
 * `MIN_CALIBRATED_PROBABILITY`.
 * The weights for a fold are fitted without the labels and judgments of the newer issues in the
 * fold. `partition` selects the folds.
 */
function heldOutForecasts(
  samples: readonly Sample[],
  pairs: readonly JudgedSample[],
  partition: number,
): { probability: number; isRight: boolean }[] {
  const foldOf = ({ set, newer }: Sample): number => hashTerm(`${partition} ${set} ${newer}`) % FOLDS;
  const found = Array.from({ length: FOLDS }, (_, fold) => {
    const foldWeights = fit(
      samples.filter((sample) => foldOf(sample) !== fold),
      pairs.filter(({ sample }) => foldOf(sample) !== fold),
    );
    return pairs
      .filter(({ sample }) => foldOf(sample) === fold)
      .map(({ pair, sample: { features } }) => {
        const { intercept } = foldWeights;
        const odds = FEATURES.reduce((sum, name) => sum + foldWeights[name] * features[name], intercept);
        return { probability: probabilityOf(odds), isRight: pair.isSame };
      });
  });
  return found.flat().filter(({ probability }) => probability >= MIN_CALIBRATED_PROBABILITY);
}

async function samplesOf(
  set: Awaited<ReturnType<typeof readLabelledSet>>,
  before: number,
): Promise<Sample[]> {
  await using account = await openCorpus(set.issues, () => undefined, values.cache);
  const found: Sample[] = [];
  const name = judgedSetOf(set.issues);
  const add = (newer: string, { place, ...candidate }: Candidate, rank: number): void => {
    const older = set.issues[place]?.id ?? '';
    found.push({
      set: name,
      newer,
      older,
      rank,
      isIdentical: candidate.features.identical === 1,
      ...candidate,
    });
  };
  await eachQuery(
    account.corpus,
    set,
    { testedFrom: 0, limit: CANDIDATES_PER_ISSUE },
    ({ issue, candidates }) => {
      if (issue.createdAt >= before) return;
      for (const [rank, candidate] of candidates.entries()) add(issue.id, candidate, rank);
    },
  );
  return found;
}

/** Returns the judged pairs for which a sample exists and whose texts differ. */
function pairsWithSamples(pairs: readonly JudgedPair[], among: readonly Sample[]): JudgedSample[] {
  const byPair = new Map(
    among
      .filter(({ isIdentical }) => !isIdentical)
      .map((sample) => [`${sample.set} ${sample.newer} ${sample.older}`, sample]),
  );
  return pairs.flatMap((pair) => {
    const sample = byPair.get(`${pair.set} ${pair.newer} ${pair.older}`);
    return sample === undefined ? [] : [{ pair, sample }];
  });
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function roundedAll(numbers: object): Record<string, number> {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, Math.round(Number(value) * 1e4) / 1e4]),
  );
}
