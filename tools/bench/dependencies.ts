import { readFile } from 'node:fs/promises';
import { Corpus } from '@winnow/analysis/corpus';
import { impliedDependencies, statedDependencies } from '@winnow/analysis/dependencies';
import { countTerms } from '@winnow/analysis/document-terms';
import { compareTerms, normsOf } from '@winnow/analysis/lexical';
import { NeighbourPool } from '@winnow/analysis/neighbours';
import { referencesIn } from '@winnow/analysis/references';
import { termWeights } from '@winnow/analysis/snapshot';
import { z } from 'zod';
import { readSampleBacklog } from '../../packages/server/src/trackers/sample/backlog/read-backlog.ts';
import { loadHadoop } from '../data/hadoop.ts';
import type { Emit } from './run.ts';
import { measureWholeProject } from './whole-project/dependencies.ts';

const LABELS = new URL('../data/dependency-labels.json', import.meta.url);
const labels = z.object({
  dependencies: z.array(
    z.object({
      source: z.string(),
      dependent: z.string(),
      stated: z.boolean(),
      certain: z.enum(['sure', 'likely']),
    }),
  ),
  mentions: z.array(z.object({ a: z.string(), b: z.string() })),
});
/**
 * Projects of the sample backlog by their role. The rules were tuned only on the dependencies of
 * the project `tuned`.
 */
const HALVES = { tuned: 'skua/sync', unseen: 'skua/web' } as const;
const TIMED_ISSUES = 500;
const MAX_LISTED = 30;

interface Issue {
  key: string;
  url: null;
  title: string;
  body: string;
  type: string | null;
  comments: string[];
}
type Pair = { source: string; dependent: string };

/**
 * Measures recall and precision of the built-in analyst. The reference is the dependencies that a
 * person found in the sample backlog.
 * As baselines, emits the same figures for all mentions and for the most similar pairs. Also
 * measures the time for 500 issues, for a whole project in the background, and after one edit.
 * `--list` prints the dependencies found in the first 500 Hadoop reports, for manual review.
 */
export async function run(emit: Emit): Promise<void> {
  const issues = sampleIssues();
  const labeled = labels.parse(JSON.parse(await readFile(LABELS, 'utf8')));
  const keys = new Set(issues.map(({ key }) => key));
  const isKnown = (key: string): boolean => keys.has(key);
  const stated = issues.flatMap((issue) => statedDependencies(issue, issue.comments, isKnown));
  const idf = weightsOf(issues);
  const implied = impliedDependencies(issues, { idf });
  const mentioned = issues.flatMap((issue) =>
    [issue.title, issue.body, ...issue.comments]
      .flatMap((text) => referencesIn(text, issue, isKnown))
      .map(({ key }) => ({ source: key, dependent: issue.key })),
  );
  const truth = trueDependencies();
  for (const [half, project] of Object.entries(HALVES)) {
    const inHalf = ({ dependent }: Pair): boolean => dependent.startsWith(`${project}#`);
    const all = labeled.dependencies.filter(inHalf);
    const unnamed = all.filter((label) => !label.stated);
    const found = implied.filter(inHalf);
    const alike = similarPairs(issues, idf, mentioned)
      .filter(inHalf)
      .slice(0, Math.max(found.length, unnamed.length));
    const report = (
      name: string,
      said: readonly Pair[],
      looked: readonly Pair[],
      right: readonly Pair[],
    ): void => {
      const isIn = (pairs: readonly Pair[]) => (pair: Pair) =>
        pairs.some(({ source, dependent }) => source === pair.source && dependent === pair.dependent);
      const detail = { half, said: distinct(said).length, labeled: looked.length };
      const correct = distinct(said).filter(isIn(right)).length;
      // Precision is undefined if no dependency was found.
      if (detail.said > 0)
        emit({ name: `${name}, precision`, value: share(correct, detail.said), unit: 'share', detail });
      emit({
        name: `${name}, recall`,
        value: share(looked.filter(isIn(said)).length, looked.length),
        unit: 'share',
        detail,
      });
    };
    const named = all.filter((label) => label.stated);
    const ofTruth = truth.filter(inHalf);
    report('stated', stated.filter(inHalf), named, all);
    report('every mention as a dependency', mentioned.filter(inHalf), named, all);
    report('implied', found, unnamed, all);
    report('most similar pairs as dependencies', alike, unnamed, all);
    report('stated and implied', [...stated, ...implied].filter(inHalf), all, all);
    report(
      'stated and implied, by the backlog itself',
      [...stated, ...implied].filter(inHalf),
      ofTruth,
      ofTruth,
    );
    report('the reader, by the backlog itself', all, ofTruth, ofTruth);
  }
  timeMany(issues, emit);
  await emitHadoop(emit);
  await measureWholeProject(emit);
}

function sampleIssues(): Issue[] {
  return readSampleBacklog().flatMap(({ identifier, issues }) =>
    issues.map(({ number, title, body, type, comments }) => ({
      key: `${identifier}#${number}`,
      url: null,
      title,
      body,
      type,
      comments: comments.map((comment) => comment.body),
    })),
  );
}

function trueDependencies(): Pair[] {
  return readSampleBacklog().flatMap(({ identifier, issues }) =>
    issues.flatMap(({ number, truth }) =>
      (truth.blockedBy ?? []).map((source) => ({ source, dependent: `${identifier}#${number}` })),
    ),
  );
}

/**
 * Returns a function that returns the weight of a term among these issues. An account with the same
 * issues would compute the same weights.
 */
function weightsOf(issues: readonly Issue[]): (term: string) => number {
  const corpus = new Corpus({ neighbours: new NeighbourPool(), dimensions: 1 });
  const told = { group: '', vector: null, createdAt: 0 };
  corpus.put(issues.map(({ key, title, body }) => ({ id: key, title, body, ...told })));
  return termWeights(corpus.takeSnapshot(1));
}

/**
 * Returns the pairs of issues that do not mention each other, the most similar first. The older
 * issue counts as the blocking one.
 */
function similarPairs(
  issues: readonly Issue[],
  idf: (term: string) => number,
  mentioned: readonly Pair[],
): Pair[] {
  const ids = new Map<string, number>();
  const counted = issues.map(({ title, body }) =>
    countTerms(title, body, (term) => {
      const id = ids.get(term) ?? ids.size;
      ids.set(term, id);
      return id;
    }),
  );
  const weights = Float64Array.from(ids.keys(), idf);
  const read = counted.map((terms) => ({ terms, norms: normsOf(terms, weights) }));
  const named = new Set(
    mentioned.flatMap(({ source, dependent }) => [`${source} ${dependent}`, `${dependent} ${source}`]),
  );
  const pairs: (Pair & { likeness: number })[] = [];
  for (const [at, a] of read.entries()) {
    for (const [other, b] of read.entries()) {
      const [source, dependent] = [issues[at]?.key ?? '', issues[other]?.key ?? ''];
      if (other <= at || named.has(`${source} ${dependent}`)) continue;
      const { lexical } = compareTerms(a.terms, b.terms, a.norms, b.norms, weights);
      pairs.push({ source, dependent, likeness: lexical });
    }
  }
  return pairs.sort((a, b) => b.likeness - a.likeness);
}

function distinct(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs.map((pair) => [`${pair.source} ${pair.dependent}`, pair])).values()];
}

function timeMany(issues: readonly Issue[], emit: Emit): void {
  const many = Array.from({ length: TIMED_ISSUES }, (_, at) => {
    const issue = issues[at % issues.length];
    return {
      ...(issue ?? { url: null, title: '', body: '', type: null, comments: [] }),
      key: `bench/app#${at + 1}`,
    };
  });
  const idf = weightsOf(many);
  const began = performance.now();
  for (const issue of many) statedDependencies(issue, issue.comments, () => true);
  impliedDependencies(many, { idf });
  emit({ name: 'dependencies of 500 issues', value: performance.now() - began, unit: 'ms' });
}

async function emitHadoop(emit: Emit): Promise<void> {
  const data = await loadHadoop();
  if (data === null) {
    process.stderr.write('dependencies: the labelled reports are not in ../shared/data/gitbugs.\n');
    return;
  }
  const reports = data.reports.slice(0, TIMED_ISSUES).map(({ id, title, body }) => ({
    key: id,
    url: null,
    title,
    body,
    type: null,
    comments: [],
  }));
  const idf = weightsOf(reports);
  const began = performance.now();
  const found = impliedDependencies(reports, { idf });
  emit({
    name: 'implied, 500 Hadoop reports',
    value: performance.now() - began,
    unit: 'ms',
    detail: { found: found.length },
  });
  if (!process.argv.includes('--list')) return;
  const titleOf = new Map(reports.map(({ key, title }) => [key, title]));
  for (const { source, dependent, reason } of found.slice(0, MAX_LISTED)) {
    process.stderr.write(`${titleOf.get(source)}  >  ${titleOf.get(dependent)}\n  ${reason}\n`);
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1000) / 1000;
}
