import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { FEATURES, type Features, probabilityOf, type Weights } from '@winnow/analysis/likelihood';
import { calibrationError } from '../bench/quality/measures.ts';
import { openCorpus } from '../bench/shared/comparison-corpus.ts';
import { type Candidate, eachQuery } from '../data/candidates.ts';
import { hadoopSet } from '../data/hadoop.ts';
import { type JudgedPair, judgedSetOf, readJudgedPairs } from '../data/judged-pairs.ts';
import { readLabelledSet } from '../data/labelled-set.ts';
import { fitLogistic } from './logistic.ts';

/** Candidates per issue that the fit uses. */
const CANDIDATES_PER_ISSUE = 30;
/**
 * Ridge penalty on each weight, with features scaled to deviation 1. It prevents extreme weights on
 * small sets.
 */
const RIDGE = 1;
/**
 * Features with too few labeled pairs to fit. Their weights are fitted on pairs judged by eye.
 */
const JUDGED_ONLY = ['namedDifference'] as const;
/** Folds of the cross-validation over the judged pairs. */
const FOLDS = 5;
/**
 * Minimum probability that counts for the calibration error. Calibration does not matter below it.
 */
const MIN_CALIBRATED_PROBABILITY = 0.1;

const USAGE = `Usage: node tools/fit/likelihood.ts --set DIR [--until YYYY-MM-DD] [--hadoop] [--cache DIR] --out FILE

Fits the weights of the duplicate probability on a labeled set, and writes them to a JSON file.
  --set DIR      labeled issues, in the format of tools/data/README.md
  --until DATE   use only issues created before this date
  --hadoop       also use the Hadoop reports
  --cache DIR    store vectors here between runs
  --out FILE     output file
`;

interface Sample {
  /** Name of the set in `judged-pairs.json`; null for a set without judged pairs. */
  set: string | null;
  newer: string;
  older: string;
  rank: number;
  features: Features;
  isIdentical: boolean;
  isLabelled: boolean;
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
const samples = await samplesOf(await readLabelledSet(values.set), until);
const hadoop = values.hadoop ? await hadoopSet() : null;
if (hadoop !== null) samples.push(...(await samplesOf(hadoop, Number.POSITIVE_INFINITY)));

const labelFitted = FEATURES.filter((name) => !JUDGED_ONLY.some((other) => other === name));
// A rule decides identical texts. Labels omit most of them, because they are obvious.
const differing = samples.filter(({ isIdentical }) => !isIdentical);
const labelFit = fitLogistic(
  differing.map(({ features }) => labelFitted.map((name) => features[name])),
  differing.map(({ isLabelled }) => (isLabelled ? 1 : 0)),
  { ridge: RIDGE },
);
const scoreOf = ({ features }: Pick<Sample, 'features'>): number =>
  labelFitted.reduce(
    (sum, name, at) => sum + (labelFit.weights[at] ?? 0) * features[name],
    labelFit.intercept,
  );

// Labels cover less than half of the true duplicates, so calibrate the scores on judged pairs.
const judged = pairsWithSamples(readJudgedPairs(), samples);
const rows = judged.map(({ sample }) => [
  scoreOf(sample),
  ...JUDGED_ONLY.map((name) => sample.features[name]),
]);
const verdicts = judged.map(({ pair }) => (pair.isSame ? 1 : 0));
const calibrated = fitLogistic(rows, verdicts, { ridge: RIDGE });
const across = rows.map((_, fold) => fold % FOLDS);
const heldOut = rows.map((row, at) => {
  const others = across.map((fold) => fold !== across[at]);
  const part = fitLogistic(
    rows.filter((_, other) => others[other]),
    verdicts.filter((_, other) => others[other]),
    { ridge: RIDGE },
  );
  const odds = row.reduce((sum, value, column) => sum + value * (part.weights[column] ?? 0), part.intercept);
  return { probability: probabilityOf(odds), isRight: verdicts[at] === 1 };
});
const error = calibrationError(
  heldOut.filter(({ probability }) => probability >= MIN_CALIBRATED_PROBABILITY),
);
const [slope = 1, ...judgedWeights] = calibrated.weights;
const weights: Record<string, number> = { intercept: calibrated.intercept + slope * labelFit.intercept };
for (const name of FEATURES) weights[name] = slope * (labelFit.weights[labelFitted.indexOf(name)] ?? 0);
for (const [at, name] of JUDGED_ONLY.entries()) weights[name] = judgedWeights[at] ?? 0;

const best = samples.filter(({ rank }) => rank === 0);
const typical = Object.fromEntries(
  FEATURES.map((name) => [name, median(best.map(({ features }) => features[name]))]),
);
const content = {
  version: 1,
  weights: roundedAll(weights as unknown as Weights),
  typical: roundedAll(typical),
};
await writeFile(values.out, `${JSON.stringify(content, null, 2)}\n`);
process.stdout.write(
  `${values.out}: ${samples.length} candidates, ${samples.filter(({ isLabelled }) => isLabelled).length} labeled, ${judged.length} judged by eye; calibration error across ${FOLDS} folds: ${error.toFixed(3)}.\n`,
);

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

/** Returns the judged pairs that have a sample. */
function pairsWithSamples(pairs: readonly JudgedPair[], among: readonly Sample[]) {
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

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function roundedAll(numbers: object): Record<string, number> {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, Math.round(Number(value) * 1e4) / 1e4]),
  );
}
