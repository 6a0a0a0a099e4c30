import { builtInPrompts, type EvaluatedIssue, evaluate, improve } from '@winnow/analysis/readiness';
import { readIssue } from '@winnow/analysis/readiness/read-issue';
import {
  type CalibratedCheck,
  SIGNAL_WEIGHTS,
  type Uncalibrated,
  uncalibratedOf,
  unsignedScore,
} from '@winnow/analysis/readiness/score-calibration';
import { monotoneFit, nonnegativeFit } from './readiness/fit.ts';
import { type Labeled, type Marks, type Part, readLabeled } from './readiness/labels.ts';
import type { Emit } from './run.ts';
import { measureWholeProject } from './whole-project/readiness.ts';

const NEAR_SCORE = 0.15;
const RIDGE = 0.3;
const REPEATS = 5;
const LONG_TEXT_CHARS = 200_000;
const PARTS: readonly Part[] = ['tuning', 'sealed', 'unseen'];

/** A labelled issue with its evaluation. */
interface Row extends Labeled {
  own: Record<keyof Marks, number>;
  factor: number;
  uncalibrated: Uncalibrated;
}

const [prompt] = builtInPrompts;
const criteria = prompt?.criteria ?? [];
const ids: readonly (keyof Marks)[] = [
  'goal',
  'acceptance',
  'scope',
  'dependencies',
  'approach',
  'estimable',
];

/**
 * Compares scores of the Definition of Ready with scores given by people.
 * Emits how many scores differ by at most 0.15, separately for tuning issues and unseen issues. For
 * tuning issues, also emits the figure with a calibration fitted without the project of the issue.
 * Baselines are a second reader and two constant guesses.
 * Also measures the time to evaluate issues and a whole project.
 */
export async function run(emit: Emit): Promise<void> {
  const { labeled, hasHadoop } = await readLabeled();
  if (!hasHadoop) {
    process.stderr.write('readiness: skips the Hadoop reports, which are not in ../shared/data/gitbugs.\n');
  }
  const rows = labeled.map(evaluated);
  const tuning = rows.filter(({ part }) => part === 'tuning');
  const mean = tuning.reduce((sum, { label }) => sum + whole(label), 0) / tuning.length;
  const byLength = monotoneFit(tuning.map(({ issue, label }) => [lengthOf(issue), whole(label)]));
  for (const part of PARTS) {
    const ofPart = rows.filter((row) => row.part === part);
    for (const [name, some] of Object.entries(bySource(ofPart))) {
      emitErrors(`${name}: built-in analyst`, some, ({ factor }) => factor, emit);
      emitErrors(`${name}: always the mean`, some, () => mean, emit);
      emitErrors(`${name}: length alone`, some, ({ issue }) => byLength(lengthOf(issue)), emit);
    }
    const twice = ofPart.filter(({ second }) => second !== null);
    emitErrors(`${part}: second reader`, twice, ({ second }) => (second === null ? 0 : whole(second)), emit);
    for (const id of ids) emitCriterion(part, id, ofPart, emit);
  }
  emitCrossValidated(tuning, emit);
  emitImprovements(rows, emit);
  emitTimes(rows, emit);
  await measureWholeProject(emit);
}

function evaluated(one: Labeled): Row {
  const { factor, criteria: findings } = evaluate(one.issue, criteria);
  const scoreOf = (id: keyof Marks) => findings.find((found) => found.id === id)?.score ?? 0;
  const own = marksOf(scoreOf);
  return { ...one, own, factor, uncalibrated: uncalibratedOf(readIssue(one.issue)) };
}

function marksOf(markOf: (id: keyof Marks) => number): Marks {
  return {
    goal: markOf('goal'),
    acceptance: markOf('acceptance'),
    scope: markOf('scope'),
    dependencies: markOf('dependencies'),
    approach: markOf('approach'),
    estimable: markOf('estimable'),
  };
}

/**
 * Returns a group with all rows. If the rows come from two sources, adds a group for each source.
 */
function bySource(rows: readonly Row[]): Record<string, readonly Row[]> {
  const [part = ''] = rows.map((row) => row.part);
  const sources = [...new Set(rows.map(({ source }) => source))];
  const apart = sources.length < 2 ? [] : sources;
  return {
    [part]: rows,
    ...Object.fromEntries(
      apart.map((source) => [`${part}, ${source}`, rows.filter((row) => row.source === source)]),
    ),
  };
}

function emitErrors(name: string, rows: readonly Row[], by: (row: Row) => number, emit: Emit): void {
  if (rows.length === 0) return;
  const errors = rows.map((row) => by(row) - whole(row.label));
  emit({
    name: `${name} within ${NEAR_SCORE}`,
    value: shareWithin(errors),
    unit: 'share',
    detail: {
      issues: errors.length,
      within02: shareWithin(errors, 0.2),
      meanAbsoluteError: meanAbsolute(errors),
      bias: mean3(errors),
    },
  });
}

function emitCriterion(part: Part, id: keyof Marks, rows: readonly Row[], emit: Emit): void {
  const errors = rows.map(({ own, label }) => own[id] - label[id]);
  const between = rows.flatMap(({ label, second }) => (second === null ? [] : [second[id] - label[id]]));
  emit({
    name: `${part}: ${id} within .25`,
    value: shareWithin(errors, 0.25),
    unit: 'share',
    detail: {
      meanAbsoluteError: meanAbsolute(errors),
      bias: mean3(errors),
      ...(between.length === 0
        ? {}
        : {
            secondReaderWithin: shareWithin(between, 0.25),
            secondReaderMeanAbsoluteError: meanAbsolute(between),
          }),
    },
  });
}

/**
 * Emits the errors of the tuning issues under cross-validation: first with their fold left out,
 * then with their source left out.
 */
function emitCrossValidated(rows: readonly Row[], emit: Emit): void {
  const parted = { 'by project': (row: Row) => row.fold, 'by source': (row: Row) => row.source };
  for (const [name, groupOf] of Object.entries(parted)) {
    const predicted = new Map<Row, number>();
    const groups = new Set(rows.map(groupOf));
    if (groups.size < 2) continue;
    for (const group of groups) {
      const worth = fitWeights(rows.filter((row) => groupOf(row) !== group));
      for (const row of rows.filter((one) => groupOf(one) === group)) {
        predicted.set(row, whole(marksOf((id) => calibratedMark(row, id, worth))));
      }
    }
    for (const [part, some] of Object.entries(bySource(rows))) {
      emitErrors(
        `${part}, cross-validated ${name}: built-in analyst`,
        some,
        (row) => predicted.get(row) ?? 0,
        emit,
      );
    }
  }
  emit({
    name: 'calibration as fitted',
    value: rows.length,
    unit: 'issues',
    detail: weightsByCriterion(fitWeights(rows)),
  });
}

type Worth = ReadonlyMap<keyof Marks, readonly number[]>;

/** Fits the weight of each signal for each criterion to the labels of some issues. */
function fitWeights(rows: readonly Row[]): Worth {
  return new Map(
    ids.filter(isCalibrated).map((id) => [
      id,
      nonnegativeFit(
        rows.map(signalsOf),
        rows.map(({ label, uncalibrated }) => label[id] - unsignedScore(id, uncalibrated)),
        RIDGE,
      ),
    ]),
  );
}

function calibratedMark(row: Row, id: keyof Marks, worth: Worth): number {
  if (!isCalibrated(id)) return row.own[id];
  const weights = worth.get(id) ?? [];
  const shift = signalsOf(row).reduce((sum, signal, index) => sum + signal * (weights[index] ?? 0), 0);
  return Math.min(1, Math.max(0, unsignedScore(id, row.uncalibrated) + shift));
}

function isCalibrated(id: keyof Marks): id is CalibratedCheck {
  return id in SIGNAL_WEIGHTS;
}

/**
 * Returns the signals in the order of the calibration's weights. Signals that lower a score are
 * negative.
 */
function signalsOf({ uncalibrated: { signals } }: Row): number[] {
  return [signals.exact, -signals.unlisted, -signals.personal, -signals.open];
}

function weightsByCriterion(worth: Worth): Record<string, readonly number[]> {
  return Object.fromEntries([...worth].map(([id, weights]) => [id, weights.map(rounded)]));
}

/**
 * Emits how much the suggested texts raise the score. The increase is small, because suggestions
 * add no new information.
 */
function emitImprovements(rows: readonly Row[], emit: Emit): void {
  const gains = rows.map(({ issue }) => {
    const before = evaluate(issue, criteria);
    const { title, description, changes } = improve(issue, before, criteria);
    const after = evaluate({ ...issue, title, body: description }, criteria);
    return { isChanged: changes.length > 0, gain: after.factor - before.factor };
  });
  const changed = gains.filter(({ isChanged }) => isChanged);
  emit({
    name: 'score added by improving texts',
    value: mean3(changed.map(({ gain }) => gain)),
    unit: 'factor',
    detail: {
      changed: changed.length,
      most: rounded(Math.max(...gains.map(({ gain }) => gain))),
      least: rounded(Math.min(...gains.map(({ gain }) => gain))),
    },
  });
}

function emitTimes(rows: readonly Row[], emit: Emit): void {
  const hundred = rows.slice(0, 100).map(({ issue }) => issue);
  const first = hundred.map(({ body }) => body).join('\n\n');
  const long = {
    title: 'A long one',
    type: 'bug',
    labels: [],
    body: first.repeat(9).slice(0, LONG_TEXT_CHARS),
  };
  emit({
    name: 'evaluation of 100 issues',
    value: msOf(hundred),
    unit: 'ms',
    detail: { prompt: prompt?.id },
  });
  emit({
    name: 'evaluation of 200 kB',
    value: msOf([long]),
    unit: 'ms',
    detail: { characters: long.body.length },
  });
}

/** Returns the median time to evaluate the issues, in milliseconds. */
function msOf(issues: readonly EvaluatedIssue[]): number {
  const times = Array.from({ length: REPEATS }, () => {
    const began = performance.now();
    for (const issue of issues) evaluate(issue, criteria);
    return performance.now() - began;
  });
  return times.toSorted((a, b) => a - b)[REPEATS >> 1] ?? 0;
}

function whole(ofCriteria: Marks): number {
  return ids.reduce(
    (sum, id) => sum + (criteria.find((criterion) => criterion.id === id)?.weight ?? 0) * ofCriteria[id],
    0,
  );
}

function lengthOf({ title, body }: EvaluatedIssue): number {
  return title.length + body.length;
}

function shareWithin(errors: readonly number[], near = NEAR_SCORE): number {
  return rounded(errors.filter((error) => Math.abs(error) <= near + 1e-9).length / errors.length);
}

function meanAbsolute(errors: readonly number[]): number {
  return mean3(errors.map(Math.abs));
}

function mean3(values: readonly number[]): number {
  return rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
