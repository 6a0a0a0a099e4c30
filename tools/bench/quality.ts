import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { probabilityOf } from '@winnow/analysis/likelihood';
import { LIKELIHOOD } from '@winnow/contract/duplicate';
import { hadoopSet } from '../data/hadoop.ts';
import { type JudgedPair, judgedPairsOf } from '../data/judged-pairs.ts';
import { type LabelledSet, readLabelledSet } from '../data/labelled-set.ts';
import {
  averagePrecision,
  type BestCandidate,
  bootstrap,
  calibrationError,
  meanReciprocalRank,
  precisionAt,
  recallAt,
  rounded,
  sorted,
  wilson,
} from './quality/measures.ts';
import { type QueueRow, queueOf } from './quality/queue.ts';
import { type HeadCandidate, type Ranking, rankAll } from './quality/rankings.ts';
import { tableOf } from './quality/table.ts';
import {
  emitDifferentOfLabelled,
  emitHeldBack,
  emitRelations,
  type JudgedCandidate,
  judgeAll,
  openJudge,
} from './quality/verdicts.ts';
import type { Emit, Figure } from './run.ts';
import { openCorpus } from './shared/comparison-corpus.ts';
import { readTestedFrom, readWeights } from './shared/evaluation-options.ts';

const DEPTHS = [1, 5, 10, 20];
const BEST_COUNTS = [50, 100, 200];
/**
 * Minimum probability of pairs for the calibration error. Users do not review less probable pairs.
 */
const CALIBRATED_FROM = 0.1;
/** Thresholds of the product. The precision above each is measured. */
const MARKS = [...new Set(Object.values(LIKELIHOOD))]
  .filter((mark) => mark >= CALIBRATED_FROM)
  .sort((a, b) => a - b);

/**
 * Measures how well duplicates are found, as of the time at which each issue was created.
 *
 * The measures are recall at 1, 5, 10 and 20, mean reciprocal rank, average precision, and
 * precision among the best 50, 100 and 200. Emits one figure per method and measure over the same
 * issues. Prints a table to standard error. Means have a 95 % interval from 1,000 resamples of the
 * tested issues.
 *
 * - `--set` names a folder with `issues.jsonl.gz` and `duplicates.jsonl`.
 * - Issues created before `--tested-from` are only candidates.
 * - `--weights FILE` replaces the shipped weights.
 * - `--cache DIR` stores vectors between runs.
 * - `--dump FILE` writes the most probable candidate of each issue, for manual review.
 * - `--queue FILE` writes the rows of the queue at the time of the last issue.
 */
export async function run(emit: Emit, args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      set: { type: 'string' },
      'tested-from': { type: 'string' },
      dump: { type: 'string' },
      queue: { type: 'string' },
      weights: { type: 'string' },
      cache: { type: 'string' },
    },
  });
  const testedFrom = readTestedFrom(values['tested-from'] ?? '1970-01-01');
  const set = values.set === undefined ? await hadoopSet() : await readLabelledSet(values.set);
  if (set === null) {
    process.stderr.write('quality: skipped, the labelled reports are not beside the checkout.\n');
    return;
  }
  const weights = await readWeights(values.weights);
  await using account = await openCorpus(set.issues, emit, values.cache);
  const { corpus, hasVectors } = account;
  const { rankings, head, ...labelled } = await rankAll(corpus, set, { testedFrom, hasVectors, weights });
  const figures: Figure[] = [];
  const add = (figure: Figure): void => {
    figures.push(figure);
    emit(figure);
  };
  for (const ranking of rankings) emitRanking(ranking, add);
  const judgedPairs = judgedPairsOf(set.issues);
  emitCalibration(head, judgedPairs, add);
  process.stderr.write(
    tableOf(
      rankings.map(({ method }) => method),
      figures,
    ),
  );
  const judge = openJudge(corpus, set);
  const judged = judgeAll(head, judge);
  emitRelations(judged, add);
  await emitDifferentOfLabelled(labelled, { corpus, judge, emit: add });
  emitHeldBack(labelled.pairs, judgedPairs, { judge, emit: add });
  if (values.dump !== undefined) await writeFile(values.dump, dumpOf(set, judged));
  if (values.queue !== undefined) {
    const rows = queueOf(set, labelled.pairs, weights);
    emit({ name: 'queue.rows', value: rows.length, unit: 'rows' });
    await writeFile(values.queue, queueTable(set, rows));
  }
}

/** Formats the rows of the queue as tab-separated values. */
function queueTable({ issues }: LabelledSet, rows: readonly QueueRow[]): string {
  const titles = new Map(issues.map(({ id, title }) => [id, title.replaceAll(/\s+/g, ' ')]));
  const lines = rows.map(({ newer, older, frame, probability }) =>
    [newer, older, probability.toFixed(4), frame ?? '', titles.get(newer), titles.get(older)].join('\t'),
  );
  return ['newer\tolder\tprobability\tseries\tnewer title\tolder title', ...lines, ''].join('\n');
}

/**
 * Formats the most probable candidate of each tested issue as tab-separated values. The most
 * probable pair comes first.
 */
function dumpOf({ issues }: LabelledSet, judged: readonly JudgedCandidate[]): string {
  const titles = new Map(issues.map(({ id, title }) => [id, title.replaceAll(/\s+/g, ' ')]));
  const rows = [...judged]
    .sort((a, b) => b.probability - a.probability)
    .map(({ newer, older, probability, similarity, isLabelled, verdict }) =>
      [
        newer,
        older,
        probability.toFixed(4),
        verdict.decision,
        similarity.toFixed(4),
        verdict.relation,
        isLabelled ? 'duplicate' : '',
        titles.get(newer),
        titles.get(older),
        verdict.reason.replaceAll(/\s+/g, ' '),
      ].join('\t'),
    );
  const names =
    'newer\tolder\tprobability\tverdict\tsimilarity\trelation\tlabel\tnewer title\tolder title\treason';
  return [names, ...rows, ''].join('\n');
}

function emitRanking({ method, ranks, best }: Ranking, emit: Emit): void {
  const queries = ranks.length;
  const share = (name: string, value: number, count: number) =>
    emit({
      name: `${method}.${name}`,
      value: rounded(value),
      unit: 'ratio',
      detail: { of: count, interval95: wilson(value, count).map(rounded) },
    });
  for (const depth of DEPTHS) share(`recall_at_${depth}`, recallAt(ranks, depth), queries);
  const mean = (name: string, value: number, interval: readonly number[]) =>
    emit({
      name: `${method}.${name}`,
      value: rounded(value),
      unit: 'ratio',
      detail: { queries, interval95: interval.map(rounded) },
    });
  mean('mean_reciprocal_rank', meanReciprocalRank(ranks), bootstrap(ranks, meanReciprocalRank));
  const precisionOf = (resample: readonly BestCandidate[]): number =>
    averagePrecision(resample, resample.filter(({ isQuery }) => isQuery).length);
  mean('average_precision', averagePrecision(best, queries), bootstrap(sorted(best), precisionOf));
  for (const count of BEST_COUNTS) {
    if (count <= best.length) share(`precision_at_${count}`, precisionAt(best, count), count);
  }
}

/**
 * Emits the share of correct pairs among the manually judged pairs whose probability is at least
 * `mark`. The judged pairs are not a random sample: they contain more of the most probable pairs.
 */
function emitMark(
  mark: number,
  pairs: readonly { probability: number; isRight: boolean }[],
  emit: Emit,
): void {
  const reached = pairs.filter(({ probability }) => probability >= mark);
  const right = reached.filter(({ isRight }) => isRight).length;
  emit({
    name: `head.right_from_${mark}`,
    value: rounded(right / Math.max(1, reached.length)),
    unit: 'ratio',
    detail: {
      right,
      judgedByEye: reached.length,
      interval95: wilson(right / Math.max(1, reached.length), reached.length).map(rounded),
    },
  });
}

/**
 * Emits the difference between predicted probabilities and the actual share of correct pairs.
 * Computes it for manually judged pairs, if the data set has any, and for labels. Only the Hadoop
 * and rust sets have judged pairs. `tools/fit/likelihood.ts` measures the same difference across
 * folds.
 * The interval tends to be too high, because chance in a resample adds to the difference. The
 * difference by labels is too high, because labels cover less than half of the true duplicates.
 */
function emitCalibration(
  head: readonly HeadCandidate[],
  judgedPairs: readonly JudgedPair[],
  emit: Emit,
): void {
  const judged = new Map(judgedPairs.map(({ newer, older, isSame }) => [`${newer} ${older}`, isSame]));
  const scored = head
    .map(({ newer, older, score, isLabelled }) => {
      return { probability: probabilityOf(score), isLabelled, isSame: judged.get(`${newer} ${older}`) };
    })
    .filter(({ probability }) => probability >= CALIBRATED_FROM);
  const byEye = scored.flatMap(({ probability, isSame }) =>
    isSame === undefined ? [] : [{ probability, isRight: isSame }],
  );
  const error = (name: string, pairs: typeof byEye, detail: Figure['detail']) =>
    emit({
      name,
      value: rounded(calibrationError(pairs)),
      unit: 'ratio',
      detail: { ...detail, interval95: bootstrap(pairs, calibrationError).map(rounded) },
    });
  if (byEye.length > 0) error('head.calibration_error', byEye, { judgedByEye: byEye.length });
  if (byEye.length > 0) for (const mark of MARKS) emitMark(mark, byEye, emit);
  const byLabel = scored.map(({ probability, isLabelled }) => ({ probability, isRight: isLabelled }));
  const name = byEye.length > 0 ? 'head.calibration_error_by_label' : 'head.calibration_error';
  error(name, byLabel, { pairs: byLabel.length });
}
