import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { FEATURES, type Features, probabilityOf, type Weights } from '@winnow/analysis/likelihood';
import { calibrationError } from '../bench/quality/measures.ts';
import { type Candidate, eachQuery } from '../data/candidates.ts';
import { openCorpus } from '../data/comparison-corpus.ts';
import { hadoopSet } from '../data/hadoop.ts';
import { type JudgedPair, readJudgedPairs } from '../data/judged-pairs.ts';
import { readLabelledSet } from '../data/labelled-set.ts';
import { fitLogistic } from './logistic.ts';

/** Candidates of each issue that the fit reads. */
const CANDIDATES = 30;
/** Prior precision of each weight, in units of the feature's deviation: keeps small sets from extreme weights. */
const RIDGE = 1;
/** Features that the labels cannot teach: too few labelled pairs have them. They are fitted on pairs judged by eye. */
const JUDGED_ONLY = ['namedDifference'] as const;
/** Parts of the judged pairs, each measured with a calibration fitted on the others. */
const FOLDS = 5;
/** Below, nobody looks at a pair, and calibration does not matter. */
const CALIBRATED_FROM = 0.1;

const USAGE = `Usage: node tools/fit/likelihood.ts --set DIR [--until YYYY-MM-DD] [--hadoop] [--cache DIR] --out FILE

Fits the weights by which two issues are called one, on a labelled set, and writes them as numbers.
  --set DIR      labelled issues, as tools/data/README.md says
  --until DATE   learns from issues created before
  --hadoop       learns from the Hadoop reports, too
  --cache DIR    keeps vectors here between runs
  --out FILE     the file to write
`;

interface Sample {
  set: string;
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
const samples = await samplesOf('rust', await readLabelledSet(values.set), until);
const hadoop = values.hadoop ? await hadoopSet() : null;
if (hadoop !== null) samples.push(...(await samplesOf('hadoop', hadoop, Number.POSITIVE_INFINITY)));

const learnt = FEATURES.filter((name) => !JUDGED_ONLY.some((other) => other === name));
// Equal texts are decided by a rule. Labels leave most of them out, since nobody has to say it.
const differing = samples.filter(({ isIdentical }) => !isIdentical);
const rough = fitLogistic(
  differing.map(({ features }) => learnt.map((name) => features[name])),
  differing.map(({ isLabelled }) => (isLabelled ? 1 : 0)),
  { ridge: RIDGE },
);
const scoreOf = ({ features }: Pick<Sample, 'features'>): number =>
  learnt.reduce((sum, name, at) => sum + (rough.weights[at] ?? 0) * features[name], rough.intercept);

// Labels name less than half of the pairs that are one issue, so the scores are brought to the scale of judged pairs.
const judged = matching(readJudgedPairs(), samples);
const rows = judged.map(({ sample }) => [
  scoreOf(sample),
  ...JUDGED_ONLY.map((name) => sample.features[name]),
]);
const answers = judged.map(({ pair }) => (pair.isSame ? 1 : 0));
const calibrated = fitLogistic(rows, answers, { ridge: RIDGE });
const across = rows.map((_, fold) => fold % FOLDS);
const heldOut = rows.map((row, at) => {
  const others = across.map((fold) => fold !== across[at]);
  const part = fitLogistic(
    rows.filter((_, other) => others[other]),
    answers.filter((_, other) => others[other]),
    { ridge: RIDGE },
  );
  const odds = row.reduce((sum, value, column) => sum + value * (part.weights[column] ?? 0), part.intercept);
  return { probability: probabilityOf(odds), isRight: answers[at] === 1 };
});
const error = calibrationError(heldOut.filter(({ probability }) => probability >= CALIBRATED_FROM));
const [slope = 1, ...effects] = calibrated.weights;
const weights: Record<string, number> = { intercept: calibrated.intercept + slope * rough.intercept };
for (const name of FEATURES) weights[name] = slope * (rough.weights[learnt.indexOf(name)] ?? 0);
for (const [at, name] of JUDGED_ONLY.entries()) weights[name] = effects[at] ?? 0;

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
  `${values.out}: ${samples.length} candidates, ${samples.filter(({ isLabelled }) => isLabelled).length} labelled, ${judged.length} judged by eye; calibration error across ${FOLDS} folds: ${error.toFixed(3)}.\n`,
);

async function samplesOf(
  name: string,
  set: Awaited<ReturnType<typeof readLabelledSet>>,
  before: number,
): Promise<Sample[]> {
  await using account = await openCorpus(set.issues, () => undefined, values.cache);
  const found: Sample[] = [];
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
  await eachQuery(account.corpus, set, { testedFrom: 0, limit: CANDIDATES }, ({ issue, candidates }) => {
    if (issue.createdAt >= before) return;
    for (const [rank, candidate] of candidates.entries()) add(issue.id, candidate, rank);
  });
  return found;
}

/** Judged pairs that are among the samples. */
function matching(pairs: readonly JudgedPair[], among: readonly Sample[]) {
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
