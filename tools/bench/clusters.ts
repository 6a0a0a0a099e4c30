import { parseArgs } from 'node:util';
import { clusterPairs, type Link, matchClusters, updateClusters } from '@winnow/analysis/clusters';
import { LIKELIHOOD } from '@winnow/contract/duplicate';
import { hadoopSet } from '../data/hadoop.ts';
import { type LabelledSet, readLabelledSet } from '../data/labelled-set.ts';
import { type BCubed, bCubed } from './clusters/bcubed.ts';
import { METHODS, type Method } from './clusters/methods.ts';
import { openScene, type Scene, sceneOf } from './clusters/scene.ts';
import type { Emit } from './run.ts';
import { readTestedFrom, readWeights } from './shared/evaluation-options.ts';

/**
 * Thresholds from which the best is chosen for each method. For lower thresholds, ml-hclust takes
 * minutes.
 */
const THRESHOLDS = [0.68, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.12, 0.1, 0.08] as const;
/**
 * Minimum B³ precision on the issues with which the threshold is chosen.
 * The target is 0.98 for all labelled issues. Those are twice as many issues, with twice as many
 * wrong partners.
 */
const MIN_CHOSEN_PRECISION = 0.99;
/** Share of the issues that are added, to measure how many cluster ids stay the same. */
const ADDED_SHARE = 0.01;
const TIMED_ISSUES = 10_000;
const TIMED_RUNS = 5;
const TIMED_UPDATES = 200;

/**
 * Measures clusters of labelled issues by B³, and compares methods in one run.
 * For each method, chooses the threshold with the best F1 and a precision of at least 0.99 on the
 * issues before `--tested-from`. Then measures the method on the later issues, and on Hadoop. Pairs
 * are computed as of the creation of their newer issue.
 * `--weights FILE` uses weights fitted only on the earlier issues (`tools/fit/likelihood.ts`). The
 * shipped weights are fitted on all of these issues.
 * Also measures the time for 10,000 issues, and how many cluster ids stay the same when 1 % is
 * added.
 */
export async function run(emit: Emit, args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      set: { type: 'string' },
      'tested-from': { type: 'string' },
      weights: { type: 'string' },
      cache: { type: 'string' },
    },
  });
  if (values.set === undefined) {
    process.stderr.write('clusters: skipped, --set names no folder with labelled issues.\n');
    return;
  }
  const testedFrom = readTestedFrom(values['tested-from'] ?? '2013-01-01');
  const weights = await readWeights(values.weights);
  const options = { weights, emit, cache: values.cache };
  const set = await readLabelledSet(values.set);
  const all = await openScene(set, options);
  const early = new Set(set.issues.filter((issue) => issue.createdAt < testedFrom).map(({ id }) => id));
  const choosing = sceneOf(all, (id) => early.has(id));
  const scenes: [string, Scene][] = [
    ['chosen on', choosing],
    ['later issues', { ...all, isTested: (id) => !early.has(id) }],
  ];
  const hadoop = await hadoopSet();
  if (hadoop !== null) scenes.push(['Hadoop', await openScene(hadoop, options)]);
  const chosen = METHODS.map((method) => ({ method, threshold: chosenThreshold(method, choosing) }));
  // Measures the last method, which is Winnow's, once more at the fixed threshold for likely
  // duplicates.
  chosen.push(...chosen.slice(-1).map(({ method }) => ({ method, threshold: LIKELIHOOD.likely })));
  for (const [name, scene] of scenes) {
    process.stderr.write(`\n${name}\n${COLUMNS}\n`);
    for (const each of chosen) measure(name, scene, each, emit);
  }
  emitIdsKept(set, all, emit);
  emitTimes(
    scenes.slice(1).map(([, scene]) => scene),
    emit,
  );
}

function chosenThreshold(method: Method, train: Scene): number {
  const rated = THRESHOLDS.map((threshold) => ({
    threshold,
    ...bCubed(method.cluster(train, threshold), train.groups, train.isTested),
  }));
  const precise = rated.filter(({ precision }) => precision >= MIN_CHOSEN_PRECISION);
  const [best] = precise.toSorted((a, b) => b.f1 - a.f1 || b.threshold - a.threshold);
  return best?.threshold ?? THRESHOLDS[0];
}

const COLUMNS =
  'method                       threshold  precision  recall     F1  clusters  largest  by eye    time';

function measure(
  set: string,
  scene: Scene,
  { method, threshold }: { method: Method; threshold: number },
  emit: Emit,
): void {
  const began = performance.now();
  const clusters = method.cluster(scene, threshold);
  const ms = performance.now() - began;
  const rated = bCubed(clusters, scene.groups, scene.isTested);
  const largest = Math.max(1, ...clusters.map(({ length }) => length));
  const byEye = judgedWithin(clusters, scene);
  const name = `${set}: ${method.name}`;
  const detail = {
    threshold,
    ...roundedAll(rated),
    clusters: clusters.length,
    largest,
    byEye,
    ms: Math.round(ms),
  };
  emit({ name, value: rounded(rated.f1), unit: 'B³ F1', detail });
  const cells = [
    method.name.padEnd(28),
    threshold.toFixed(2).padStart(10),
    rated.precision.toFixed(3).padStart(11),
    rated.recall.toFixed(3).padStart(8),
    rated.f1.toFixed(3).padStart(7),
    String(clusters.length).padStart(10),
    String(largest).padStart(9),
    byEye.padStart(8),
    `${Math.round(ms)} ms`.padStart(9),
  ];
  process.stderr.write(`${cells.join('')}\n`);
}

/**
 * Returns the number of correct pairs and of all pairs that a person judged, among the pairs within
 * clusters.
 */
function judgedWithin(
  clusters: readonly (readonly string[])[],
  { isTested, judgedPairs, links }: Scene,
): string {
  const clusterOf = new Map(clusters.flatMap((members, at) => members.map((id) => [id, at] as const)));
  const known = new Set(links.map(({ a, b }) => `${b} ${a}`));
  const judged = judgedPairs.filter(({ newer, older }) => {
    const cluster = clusterOf.get(newer);
    return (
      cluster !== undefined &&
      cluster === clusterOf.get(older) &&
      isTested(newer) &&
      known.has(`${newer} ${older}`)
    );
  });
  return `${judged.filter(({ isSame }) => isSame).length}/${judged.length}`;
}

/**
 * Measures how many cluster ids stay the same when the newest 1 % of the issues are added. Assumes
 * that the pairs of older issues do not change.
 */
function emitIdsKept({ issues }: LabelledSet, scene: Scene, emit: Emit): void {
  const count = Math.floor(issues.length * (1 - ADDED_SHARE));
  const before = new Set(issues.slice(0, count).map(({ id }) => id));
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `cluster-${ids}`;
  };
  const earlier = clusterPairs(sceneOf(scene, (id) => before.has(id))).clusters;
  const { clusters: previous } = matchClusters([], earlier, newId);
  const { clusters, events } = matchClusters(previous, clusterPairs(scene).clusters, newId);
  const idOf = new Map(clusters.flatMap(({ id, members }) => members.map((member) => [member, id] as const)));
  const kept = previous.filter(({ id }) => clusters.some((cluster) => cluster.id === id)).length;
  const members = previous.flatMap(({ id, members }) => members.map((member) => idOf.get(member) === id));
  const detail = {
    clusters: previous.length,
    issuesAdded: issues.length - count,
    membersKept: rounded(members.filter((isKept) => isKept).length / members.length),
    events: Object.fromEntries(
      [...Map.groupBy(events, ({ type }) => type)].map(([type, list]) => [type, list.length]),
    ),
  };
  emit({
    name: 'ids that remain when 1 % is added',
    value: rounded(kept / previous.length),
    unit: 'ratio',
    detail,
  });
}

/**
 * Measures the time of a full run over 10,000 issues, and of updates after one issue has changed.
 */
function emitTimes(scenes: readonly Scene[], emit: Emit): void {
  const { links, constraints } = repeated(scenes);
  const issues = new Set(links.flatMap(({ a, b }) => [a, b]));
  const runs = Array.from({ length: TIMED_RUNS }, () => {
    const began = performance.now();
    clusterPairs({ links, constraints });
    return performance.now() - began;
  });
  const detail = { issues: issues.size, pairs: links.length, constraints: constraints.length };
  emit({ name: 'all clusters', value: Math.round(quantile(runs, 0.5)), unit: 'ms', detail });
  const previous = clusterPairs({ links, constraints }).clusters.map((members) => ({ members }));
  const source = { linksOf: byIssue(links), constraintsOf: byIssue(constraints) };
  const changed = [...issues].filter((_, at) => at % Math.ceil(issues.size / TIMED_UPDATES) === 0);
  const updates = changed.map((id) => {
    const began = performance.now();
    const { region } = updateClusters(previous, [id], source);
    return { ms: performance.now() - began, region: region.length };
  });
  const regions = updates.map(({ region }) => region);
  emit({
    name: 'clusters of one changed issue, p95',
    value: rounded(
      quantile(
        updates.map(({ ms }) => ms),
        0.95,
      ),
    ),
    unit: 'ms',
    detail: { ...detail, regionP95: quantile(regions, 0.95), largestRegion: Math.max(...regions) },
  });
}

/** Copies the issues of scenes under new ids until there are 10,000. */
function repeated(scenes: readonly Scene[]): Pick<Scene, 'links' | 'constraints'> {
  const parts = scenes.map(({ links, constraints }) => {
    return { links, constraints, issues: [...new Set(links.flatMap(({ a, b }) => [a, b]))] };
  });
  const links: Link[] = [];
  const constraints: Scene['constraints'] = [];
  let left = TIMED_ISSUES;
  for (let copy = 0; left > 0; copy += 1) {
    const part = parts[copy % parts.length];
    if (part === undefined || part.issues.length === 0) break;
    const chosen = new Set(part.issues.slice(0, left));
    left -= chosen.size;
    const isChosen = ({ a, b }: { a: string; b: string }) => chosen.has(a) && chosen.has(b);
    const renamed = <Pair extends { a: string; b: string }>(pair: Pair): Pair => {
      return { ...pair, a: `${copy}/${pair.a}`, b: `${copy}/${pair.b}` };
    };
    for (const link of part.links) if (isChosen(link)) links.push(renamed(link));
    for (const constraint of part.constraints)
      if (isChosen(constraint)) constraints.push(renamed(constraint));
  }
  return { links, constraints };
}

function byIssue<Pair extends { a: string; b: string }>(pairs: readonly Pair[]): (id: string) => Pair[] {
  const lists = new Map<string, Pair[]>();
  for (const pair of pairs) {
    for (const id of [pair.a, pair.b]) {
      const list = lists.get(id);
      if (list === undefined) lists.set(id, [pair]);
      else list.push(pair);
    }
  }
  return (id) => lists.get(id) ?? [];
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
}

function roundedAll({ precision, recall, f1 }: BCubed): BCubed {
  return { precision: rounded(precision), recall: rounded(recall), f1: rounded(f1) };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
