import { type Judgment, judgePair } from '@winnow/analysis/judge';
import { termWeights } from '@winnow/analysis/snapshot';
import { SIMILARITY } from '@winnow/contract/duplicate';
import { VERDICT_DECISIONS } from '@winnow/contract/verdict';
import { openCorpus, STORED_LIMITS } from '../data/comparison-corpus.ts';
import { loadHadoop } from '../data/hadoop.ts';
import type { Emit } from './run.ts';

const PAGE = 10;
const MS_OF = 500;

/**
 * What the built-in analyst says of the pairs the product would store of the Hadoop reports: how often each verdict, of
 * how many labeled pairs, and how long a page takes. Every pair called a duplicate is printed for judging by eye, since
 * the labels are incomplete; a star marks a labeled one.
 */
export async function run(emit: Emit): Promise<void> {
  const data = await loadHadoop();
  if (data === null) {
    process.stderr.write('verdicts: skipped, the labelled reports are not beside the checkout.\n');
    return;
  }
  const { reports, clusters } = data;
  await using account = await openCorpus(reports, () => undefined);
  const idf = termWeights(account.corpus.takeSnapshot(3));
  const byId = new Map(reports.map((report) => [report.id, report]));
  const clusterOf = new Map(clusters.flatMap((ids, cluster) => ids.map((id) => [id, cluster])));
  const isLabeled = (a: string, b: string) => clusterOf.has(a) && clusterOf.get(a) === clusterOf.get(b);
  const labeled = clusters.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);

  const pairs = (await account.corpus.pairs(STORED_LIMITS)).sorted();
  const judge = ({ a, b, similarity }: (typeof pairs)[number]): Judgment => {
    const issueOf = (id: string) => ({ key: id, title: '', body: '', ...byId.get(id) });
    return judgePair(issueOf(a), issueOf(b), { similarity, marks: SIMILARITY, idf });
  };
  const began = performance.now();
  for (const pair of pairs.slice(0, MS_OF)) judge(pair);
  const msPerPage = ((performance.now() - began) / MS_OF) * PAGE;
  emit({ name: 'a page of verdicts', value: msPerPage, unit: 'ms', detail: { pairs: PAGE } });

  const judged = pairs.map((pair) => ({ ...pair, ...judge(pair), labeled: isLabeled(pair.a, pair.b) }));
  for (const decision of Object.keys(VERDICT_DECISIONS)) {
    const said = judged.filter((pair) => pair.decision === decision);
    const value = said.filter((pair) => pair.labeled).length;
    const detail = { said: said.length, labeledPairs: labeled };
    if (said.length > 0) emit({ name: `labeled pairs called ${decision}`, value, unit: 'pairs', detail });
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
