import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isMutualBest, probabilityOf, SHIPPED_WEIGHTS, type Weights } from '@winnow/analysis/likelihood';
import { findSeries, umbrellaIn } from '@winnow/analysis/series';
import { termWeights } from '@winnow/analysis/snapshot';
import { judgePair, type RuleVerdict } from '@winnow/analysis/verdict';
import { LIKELIHOOD, SIMILARITY } from '@winnow/contract/duplicate';
import { hadoopSet } from '../data/hadoop.ts';
import { readJudgedPairs } from '../data/judged-pairs.ts';
import { type LabelledSet, readLabelledSet } from '../data/labelled-set.ts';
import {
  averagePrecision,
  calibrationError,
  meanReciprocalRank,
  precisionAt,
  recallAt,
  wilson,
} from './quality/measures.ts';
import { type HeadCandidate, type Ranking, rankAll } from './quality/rankings.ts';
import { tableOf } from './quality/table.ts';
import type { Emit, Figure } from './run.ts';
import { openCorpus } from './shared/comparison-corpus.ts';

const DEPTHS = [1, 5, 10, 20];
const BEST_COUNTS = [50, 100, 200];
/** Minimum probability for calibration. No one reviews pairs below it. */
const CALIBRATED_FROM = 0.1;

/**
 * Measures how well duplicates are found, as of the time each issue was created: recall at 1, 5, 10
 * and 20, mean reciprocal rank, average precision, and precision among the best 50, 100 and 200.
 * Emits one figure per method and measure over the same issues, and a table to standard error.
 * `--set` names a folder with `issues.jsonl.gz` and `duplicates.jsonl`. Issues created before
 * `--tested-from` are candidates only. `--dump FILE` writes the best candidate of each issue by
 * probability, for manual review. `--weights FILE` measures weights other than the shipped ones,
 * and `--cache DIR` stores vectors between runs.
 */
export async function run(emit: Emit, args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      set: { type: 'string' },
      'tested-from': { type: 'string' },
      dump: { type: 'string' },
      weights: { type: 'string' },
      cache: { type: 'string' },
    },
  });
  const testedFrom = Date.parse(values['tested-from'] ?? '1970-01-01');
  if (Number.isNaN(testedFrom)) throw new Error('--tested-from must be a date such as 2013-01-01.');
  const set = values.set === undefined ? await hadoopSet() : await readLabelledSet(values.set);
  if (set === null) {
    process.stderr.write('quality: skipped, the labelled reports are not beside the checkout.\n');
    return;
  }
  const weights = values.weights === undefined ? SHIPPED_WEIGHTS : await readWeights(values.weights);
  await using account = await openCorpus(set.issues, emit, values.cache);
  const { corpus, hasVectors } = account;
  const { rankings, head } = await rankAll(corpus, set, { testedFrom, hasVectors, weights });
  const figures: Figure[] = [];
  const add = (figure: Figure): void => {
    figures.push(figure);
    emit(figure);
  };
  for (const ranking of rankings) emitRanking(ranking, add);
  emitCalibration(head, add);
  process.stderr.write(
    tableOf(
      rankings.map(({ method }) => method),
      figures,
    ),
  );
  const idf = termWeights(corpus.takeSnapshot(3));
  const judged = judgeAll(set, head, idf);
  emitVerdicts(judged, add);
  if (values.dump !== undefined) await writeFile(values.dump, dumpOf(set, judged));
}

async function readWeights(file: string): Promise<Weights> {
  const { weights }: { weights: Weights } = JSON.parse(await readFile(file, 'utf8'));
  return weights;
}

type JudgedCandidate = HeadCandidate & { probability: number; verdict: RuleVerdict };

/** Judges the best candidate of each issue as the product does. */
function judgeAll(
  { issues }: LabelledSet,
  head: readonly HeadCandidate[],
  idf: (term: string) => number,
): JudgedCandidate[] {
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const series = findSeries(
    issues.map(({ id, title, body, author }) => ({ id, title, author, umbrella: umbrellaIn(body) })),
  );
  const frameOf = new Map(series.flatMap(({ frame, members }) => members.map((id) => [id, frame])));
  return head.map((candidate) => {
    const { newer, older, score, similarity, features } = candidate;
    const probability = probabilityOf(score);
    const issueOf = (id: string) => ({ key: `#${id}`, title: '', body: '', author: null, ...byId.get(id) });
    const frame = frameOf.get(older);
    const verdict = judgePair(issueOf(older), issueOf(newer), {
      similarity,
      marks: SIMILARITY,
      idf,
      likelihood: {
        probability,
        marks: LIKELIHOOD,
        isMutualBest: isMutualBest(features),
        seriesFrame: frame !== undefined && frame === frameOf.get(newer) ? frame : null,
      },
    });
    return { ...candidate, probability, verdict };
  });
}

/**
 * Returns the best candidate of each tested issue by probability, best first, as tab-separated
 * values.
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
  const mean = (name: string, value: number) =>
    emit({ name: `${method}.${name}`, value: rounded(value), unit: 'ratio', detail: { queries } });
  mean('mean_reciprocal_rank', meanReciprocalRank(ranks));
  mean('average_precision', averagePrecision(best, queries));
  for (const count of BEST_COUNTS) {
    if (count <= best.length) share(`precision_at_${count}`, precisionAt(best, count), count);
  }
}

/**
 * Emits the difference between probabilities and the share of correct pairs: among manually judged
 * pairs, if the set has any, and by labels. `tools/fit/likelihood.ts` measures the same across
 * folds. Labels cover less than half of the true duplicates, so their figure is high.
 */
function emitCalibration(head: readonly HeadCandidate[], emit: Emit): void {
  const judgedPairs = new Map(
    readJudgedPairs().map(({ newer, older, isSame }) => [`${newer} ${older}`, isSame]),
  );
  const scored = head
    .map(({ newer, older, score, isLabelled }) => {
      return { probability: probabilityOf(score), isLabelled, isSame: judgedPairs.get(`${newer} ${older}`) };
    })
    .filter(({ probability }) => probability >= CALIBRATED_FROM);
  const byEye = scored.flatMap(({ probability, isSame }) =>
    isSame === undefined ? [] : [{ probability, isRight: isSame }],
  );
  if (byEye.length > 0) {
    const value = rounded(calibrationError(byEye));
    emit({ name: 'head.calibration_error', value, unit: 'ratio', detail: { judgedByEye: byEye.length } });
  }
  const byLabel = scored.map(({ probability, isLabelled }) => ({ probability, isRight: isLabelled }));
  const name = byEye.length > 0 ? 'head.calibration_error_by_label' : 'head.calibration_error';
  emit({ name, value: rounded(calibrationError(byLabel)), unit: 'ratio', detail: { pairs: byLabel.length } });
}

/** Emits the number of best candidates per relation, and how many of them have a label. */
function emitVerdicts(judged: readonly JudgedCandidate[], emit: Emit): void {
  for (const relation of new Set(judged.map(({ verdict }) => verdict.relation))) {
    const said = judged.filter(({ verdict }) => verdict.relation === relation);
    const labelled = said.filter(({ isLabelled }) => isLabelled).length;
    emit({ name: `verdict.${relation}`, value: said.length, unit: 'pairs', detail: { labelled } });
  }
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
