import { parseArgs } from 'node:util';
import type { Corpus } from '@winnow/analysis/corpus';
import { probabilityOf, stateEffect, stateOf, textLogOdds } from '@winnow/analysis/likelihood';
import type { ScoredPair } from '@winnow/analysis/pair-table';
import { findSeries } from '@winnow/analysis/series';
import { termWeights } from '@winnow/analysis/snapshot';
import { judgePair, type RuleVerdict } from '@winnow/analysis/verdict';
import { LIKELIHOOD, SIMILARITY } from '@winnow/contract/duplicate';
import { VERDICT_DECISIONS } from '@winnow/contract/verdict';
import { loadHadoop } from '../data/hadoop.ts';
import type { Emit } from './run.ts';
import { openCorpus, STORED_LIMITS } from './shared/comparison-corpus.ts';
import { seriesIssues } from './shared/series-issues.ts';

const PAGE = 10;
const TIMED_PAIRS = 500;
const SCORED = 10_000;
/** Number of rounds. The fastest round counts. */
const ROUNDS = 5;

/**
 * Measures the verdicts of the built-in analyst on the pairs that the product would store for the
 * Hadoop reports.
 * Emits the number of each verdict, the number of labelled pairs among them, and the time per page.
 * Prints every pair judged a duplicate for manual review, because the labels are incomplete. A star
 * marks a labelled pair. `--cache DIR` stores vectors between runs.
 */
export async function run(emit: Emit, args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { cache: { type: 'string' } } });
  const data = await loadHadoop();
  if (data === null) {
    process.stderr.write('verdicts: skipped, the labelled reports are not in ../shared/data/gitbugs.\n');
    return;
  }
  const { reports, clusters } = data;
  await using account = await openCorpus(reports, () => undefined, values.cache);
  const idf = termWeights(account.corpus.takeSnapshot(3));
  const byId = new Map(reports.map((report) => [report.id, report]));
  const clusterOf = new Map(clusters.flatMap((ids, cluster) => ids.map((id) => [id, cluster])));
  const isLabeled = (a: string, b: string) => clusterOf.has(a) && clusterOf.get(a) === clusterOf.get(b);
  const labeled = clusters.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);

  const pairs = (await account.corpus.pairs(STORED_LIMITS)).sorted();
  const series = findSeries(seriesIssues(reports.map(({ id, title, body }) => ({ id, title, body }))));
  const frameOf = new Map(series.flatMap(({ frame, members }) => members.map((id) => [id, frame])));
  const judge = ({ a, b, similarity, logOdds, isMutualBest }: (typeof pairs)[number]): RuleVerdict => {
    const issueOf = (id: string) => ({ key: id, title: '', body: '', ...byId.get(id) });
    const closedAt = byId.get(a)?.resolvedAt ?? null;
    const state = stateOf({ isClosed: closedAt !== null, closedAt }, byId.get(b)?.createdAt ?? 0);
    const probability = probabilityOf(logOdds + stateEffect(state));
    const frame = frameOf.get(a) ?? null;
    const seriesFrame = frame === frameOf.get(b) ? frame : null;
    const likelihood = { probability, isMutualBest, seriesFrame, marks: LIKELIHOOD };
    return judgePair(issueOf(a), issueOf(b), { similarity, marks: SIMILARITY, idf, likelihood });
  };
  const timed = pairs.slice(0, TIMED_PAIRS);
  const msPerPage = (fastestMs(() => timed.map(judge)) / TIMED_PAIRS) * PAGE;
  emit({ name: 'a page of verdicts', value: msPerPage, unit: 'ms', detail: { pairs: PAGE } });

  emit({
    name: 'scoring pairs with the head',
    value: fastestMs(() => score(account.corpus, pairs)),
    unit: 'ms',
    detail: { pairs: SCORED },
  });

  const judged = pairs.map((pair) => ({ ...pair, ...judge(pair), labeled: isLabeled(pair.a, pair.b) }));
  for (const decision of Object.keys(VERDICT_DECISIONS)) {
    const said = judged.filter((pair) => pair.decision === decision);
    const value = said.filter((pair) => pair.labeled).length;
    const detail = { said: said.length, labeledPairs: labeled };
    if (said.length > 0) emit({ name: `labelled pairs judged ${decision}`, value, unit: 'pairs', detail });
  }
  for (const { a, b, similarity, decision, labeled: isStar, reason } of judged) {
    if (decision !== 'duplicate') continue;
    const titles = [a, b].map(
      (id) => `${id} ${byId.get(id)?.title ?? ''} [${byId.get(id)?.resolution ?? ''}]`,
    );
    process.stderr.write(
      `${similarity.toFixed(3)} ${isStar ? '*' : ' '} ${titles.join('  |  ')}: ${reason}\n`,
    );
  }
}

/** Computes the features and log-odds of all pairs. */
function score(corpus: Corpus, pairs: readonly ScoredPair[]): void {
  const best = { newer: 0, older: 0, nearer: 0 };
  for (let at = 0; at < SCORED; at += 1) {
    const pair = pairs[at % pairs.length];
    if (pair === undefined) break;
    const features = corpus.features(pair.a, pair.b, { similarity: pair.similarity, best });
    if (features !== null) textLogOdds(features);
  }
}

/**
 * Returns the processor time of the fastest round in milliseconds. On an idle machine, it equals
 * the elapsed time. Other programs affect only the elapsed time.
 */
function fastestMs(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const began = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
