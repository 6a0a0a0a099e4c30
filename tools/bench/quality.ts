import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openCorpus } from '../data/comparison-corpus.ts';
import { hadoopSet } from '../data/hadoop.ts';
import { type LabelledSet, readLabelledSet } from '../data/labelled-set.ts';
import { averagePrecision, meanReciprocalRank, precisionAt, recallAt, wilson } from './quality/measures.ts';
import { type Ranking, rankAll } from './quality/rankings.ts';
import type { Emit } from './run.ts';

const DEPTHS = [1, 5, 10, 20];
const BEST_COUNTS = [50, 100, 200];

/**
 * Measures how well duplicates are found, as of the time each issue was created: recall at 1, 5, 10
 * and 20, mean reciprocal rank, average precision, and precision among the best 50, 100 and 200.
 * Emits one figure per method and measure, over the same issues. `--set` names a folder with
 * `issues.jsonl.gz` and `duplicates.jsonl`; issues created before `--tested-from` are candidates
 * only. `--dump FILE` writes the best candidate of each issue, to be judged by eye.
 */
export async function run(emit: Emit, args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { set: { type: 'string' }, 'tested-from': { type: 'string' }, dump: { type: 'string' } },
  });
  const testedFrom = Date.parse(values['tested-from'] ?? '1970-01-01');
  if (Number.isNaN(testedFrom)) throw new Error('--tested-from must be a date such as 2013-01-01.');
  const set = values.set === undefined ? await hadoopSet() : await readLabelledSet(values.set);
  if (set === null) {
    process.stderr.write('quality: skipped, the labelled reports are not beside the checkout.\n');
    return;
  }
  await using account = await openCorpus(set.issues, emit);
  const rankings = await rankAll(account.corpus, set, { testedFrom, hasVectors: account.hasVectors });
  for (const ranking of rankings) emitRanking(ranking, emit);
  if (values.dump !== undefined) await writeFile(values.dump, dumpOf(set, rankings));
}

/** Best candidate of each tested issue by similarity, best first, as tab-separated values. */
function dumpOf({ issues }: LabelledSet, rankings: readonly Ranking[]): string {
  const titles = new Map(issues.map(({ id, title }) => [id, title.replaceAll(/\s+/g, ' ')]));
  const best = rankings.find(({ method }) => method === 'similarity')?.best ?? [];
  const rows = [...best]
    .sort((a, b) => b.score - a.score)
    .map(({ newer, older, score, isLabelled }) =>
      [
        newer,
        older,
        score.toFixed(3),
        isLabelled ? 'duplicate' : '',
        titles.get(newer),
        titles.get(older),
      ].join('\t'),
    );
  return ['newer\tolder\tsimilarity\tlabel\tnewer title\tolder title', ...rows, ''].join('\n');
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

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
