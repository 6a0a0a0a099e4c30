import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { builtInPrompts, type EvaluatedIssue, evaluate, improve } from '@winnow/analysis/readiness';
import { z } from 'zod';
import { sampleProjects } from '../../packages/server/src/trackers/sample/backlog/projects.ts';
import type { Emit } from './run.ts';

const NEAR = 0.15;
const REPEATS = 5;
const LONG = 200_000;

const mark = z.number().min(0).max(1);
const marks = z.object({
  goal: mark,
  acceptance: mark,
  scope: mark,
  dependencies: mark,
  approach: mark,
  estimable: mark,
});
const labels = z.array(z.object({ key: z.string(), a: marks, b: marks }));
type Marks = Readonly<Record<string, number>>;

/** An issue as it was read by two people, and as it is judged. */
interface Row {
  issue: EvaluatedIssue;
  isTuned: boolean;
  a: Marks;
  b: Marks;
  own: Marks;
  factor: number;
}

const [prompt] = builtInPrompts;
const criteria = prompt?.criteria ?? [];

/**
 * The Definition of Ready against two people's readings of a hundred sample issues: how many factors are within .15 of the
 * first reader's, apart for the half that the rules were tuned on and the half that nobody looked at; the second reader and
 * two simple guesses by the same measure; and what judging costs.
 */
export async function run(emit: Emit): Promise<void> {
  const rows = await readRows();
  const tuned = rows.filter(({ isTuned }) => isTuned);
  const unseen = rows.filter(({ isTuned }) => !isTuned);
  const mean = tuned.reduce((sum, { a }) => sum + whole(a), 0) / tuned.length;
  const byLength = monotoneFit(tuned.map(({ issue, a }) => [lengthOf(issue), whole(a)]));
  const guesses: Readonly<Record<string, (row: Row) => number>> = {
    'built-in analyst': ({ factor }) => factor,
    'second reader': ({ b }) => whole(b),
    'always the mean': () => mean,
    'length alone': ({ issue }) => byLength(lengthOf(issue)),
  };
  for (const [half, ofHalf] of Object.entries({ tuned, unseen })) {
    for (const [guess, by] of Object.entries(guesses)) {
      const errors = ofHalf.map((row) => by(row) - whole(row.a));
      emit({
        name: `${half}: ${guess} within ${NEAR}`,
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
    for (const { id } of criteria) {
      const errors = ofHalf.map(({ own, a }) => (own[id] ?? 0) - (a[id] ?? 0));
      const between = ofHalf.map(({ a, b }) => (b[id] ?? 0) - (a[id] ?? 0));
      emit({
        name: `${half}: ${id} within .25`,
        value: shareWithin(errors, 0.25),
        unit: 'share',
        detail: {
          meanAbsoluteError: meanAbsolute(errors),
          bias: mean3(errors),
          secondReaderWithin: shareWithin(between, 0.25),
          secondReaderMeanAbsoluteError: meanAbsolute(between),
        },
      });
    }
  }
  emitImprovements(rows, emit);
  emitTimes(rows, emit);
}

/** How much higher improved texts score: little, since nothing new is said in them. */
function emitImprovements(rows: readonly Row[], emit: Emit): void {
  const gains = rows.map(({ issue }) => {
    const before = evaluate(issue, criteria);
    const { title, description, changes } = improve(issue, before, criteria);
    const after = evaluate({ ...issue, title, body: description }, criteria);
    return { isChanged: changes.length > 0, gain: after.factor - before.factor };
  });
  const changed = gains.filter(({ isChanged }) => isChanged);
  emit({
    name: 'improved texts score higher by',
    value: mean3(changed.map(({ gain }) => gain)),
    unit: 'factor',
    detail: { changed: changed.length, most: rounded(Math.max(...gains.map(({ gain }) => gain))) },
  });
}

function emitTimes(rows: readonly Row[], emit: Emit): void {
  const hundred = rows.map(({ issue }) => issue);
  const first = hundred.map(({ body }) => body).join('\n\n');
  const long = { title: 'A long one', type: 'bug', labels: [], body: first.repeat(9).slice(0, LONG) };
  emit({ name: 'judging 100 issues', value: msOf(hundred), unit: 'ms', detail: { prompt: prompt?.id } });
  emit({ name: 'judging 200 kB', value: msOf([long]), unit: 'ms', detail: { characters: long.body.length } });
}

/** Milliseconds to judge issues, the median of some runs. */
function msOf(issues: readonly EvaluatedIssue[]): number {
  const times = Array.from({ length: REPEATS }, () => {
    const began = performance.now();
    for (const issue of issues) evaluate(issue, criteria);
    return performance.now() - began;
  });
  return times.toSorted((a, b) => a - b)[REPEATS >> 1] ?? 0;
}

async function readRows(): Promise<Row[]> {
  const file = new URL('../data/readiness-labels.json', import.meta.url);
  const labeled = labels.parse(JSON.parse(await readFile(file, 'utf8')));
  const issues = new Map(
    sampleProjects.flatMap(({ identifier, issues: ofProject }) =>
      ofProject.map(({ number, title, body, type, labels: named }) => [
        `${identifier}#${number}`,
        { title, body, type, labels: named },
      ]),
    ),
  );
  return labeled.flatMap(({ key, a, b }) => {
    const issue = issues.get(key);
    if (issue === undefined) return [];
    const { factor, criteria: findings } = evaluate(issue, criteria);
    const own = Object.fromEntries(findings.map(({ id, score }) => [id, score ?? 0]));
    return [{ issue, isTuned: isTunedOn(key), a, b, own, factor }];
  });
}

/** The half that may be looked at, by the last bit of a hash, so that nobody chose it. */
function isTunedOn(key: string): boolean {
  return ((createHash('sha256').update(key).digest().at(-1) ?? 0) & 1) === 0;
}

function whole(ofCriteria: Marks): number {
  return criteria.reduce((sum, { id, weight }) => sum + weight * (ofCriteria[id] ?? 0), 0);
}

function lengthOf({ title, body }: EvaluatedIssue): number {
  return title.length + body.length;
}

/** The nondecreasing step function that is closest to points `[x, y]` by squares (pool adjacent violators). */
function monotoneFit(points: readonly (readonly [number, number])[]): (x: number) => number {
  const pools: { from: number; sum: number; count: number }[] = [];
  for (const [from, y] of points.toSorted(([a], [b]) => a - b)) {
    let pool = { from, sum: y, count: 1 };
    for (
      let last = pools.at(-1);
      last && last.sum / last.count >= pool.sum / pool.count;
      last = pools.at(-1)
    ) {
      pool = { from: last.from, sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  }
  return (x) => {
    const pool = pools.findLast(({ from }) => from <= x) ?? pools[0];
    return pool === undefined ? 0 : pool.sum / pool.count;
  };
}

function shareWithin(errors: readonly number[], near = NEAR): number {
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
