import type { Corpus, SimilarIssue } from '@winnow/analysis/corpus';
import type { ScoredPair } from '@winnow/analysis/pair-table';
import { type HadoopReport, loadHadoop } from '../data/hadoop.ts';
import { openCorpus, STORED_LIMITS } from '../data/hadoop-corpus.ts';
import type { Emit } from './run.ts';

/** A report with an earlier member of its cluster, and those earlier members, as places in the order of creation. */
interface Query {
  place: number;
  truth: ReadonlySet<number>;
}

type Scores = Map<number, number>;

const DEPTHS = [1, 5, 10, 20];
const TOP_PAIRS = 100;
/** The usual constant of reciprocal-rank fusion (Cormack, Clarke and Büttcher 2009). */
const FUSION = 60;

/**
 * How well duplicates are found among the Hadoop reports: recall at 1, 5, 10 and 20 and the mean reciprocal rank of the
 * product's similarity and of the plain alternatives, all over the same queries; and what it costs. Candidates of a query
 * are all earlier reports; the best-ranked true duplicate counts, ties against it.
 */
export async function run(emit: Emit): Promise<void> {
  const loaded = await load();
  if (loaded === null) {
    process.stderr.write('quality: skipped, the labelled reports are not beside the checkout.\n');
    return;
  }
  const { reports, queries } = loaded;
  await using account = await openCorpus(reports, emit);
  const { corpus } = account;
  const places = new Map(reports.map((report, place) => [report.id, place]));
  const rankings = new Map<string, number[]>();
  const record = (method: string, query: Query, scores: Scores): void => {
    rankings.set(method, [...(rankings.get(method) ?? []), rankOf(query.truth, scores)]);
  };
  const bm25 = rawBm25(reports);
  for (const query of queries) {
    const earlier = (id: string): boolean => (places.get(id) ?? reports.length) < query.place;
    const id = reports[query.place]?.id ?? '';
    const found = await corpus.similar({ id }, { limit: reports.length, filter: earlier });
    const column = (scoreOf: (issue: SimilarIssue) => number): Scores =>
      new Map(found.map((issue) => [places.get(issue.id) ?? -1, scoreOf(issue)]));
    const lexical = column((issue) => issue.parts().lexical);
    record('bm25_raw', query, bm25(query.place));
    record('lexical', query, lexical);
    if (account.hasVectors) {
      const dense = column((issue) => issue.parts().dense ?? 0);
      record('dense', query, dense);
      record('fusion', query, fused([lexical, dense]));
    }
    record(
      'similarity',
      query,
      column((issue) => issue.similarity),
    );
  }
  for (const [method, ranks] of rankings) emitRanks(method, ranks, emit);
  await printTopPairs(corpus, loaded, (line) => process.stderr.write(`${line}\n`));
}

/** Prints the most similar pairs, for judging by eye: labels are incomplete. A star marks a labeled pair. */
async function printTopPairs(
  corpus: Corpus,
  { reports, clusters }: { reports: readonly HadoopReport[]; clusters: readonly string[][] },
  print: (line: string) => void,
): Promise<void> {
  const byId = new Map(reports.map((report) => [report.id, report]));
  const clusterOf = new Map(clusters.flatMap((ids, cluster) => ids.map((id) => [id, cluster])));
  const pairs = (await corpus.pairs(STORED_LIMITS)).sorted();
  for (const [place, pair] of pairs.slice(0, TOP_PAIRS).entries()) {
    const cluster = clusterOf.get(pair.a);
    const mark = cluster !== undefined && cluster === clusterOf.get(pair.b) ? '*' : ' ';
    print(`${String(place + 1).padStart(2)} ${pair.similarity.toFixed(3)} ${mark} ${titles(pair, byId)}`);
  }
}

function titles(pair: ScoredPair, byId: ReadonlyMap<string, HadoopReport>): string {
  const one = (id: string): string =>
    `${id} ${byId.get(id)?.title ?? ''} [${byId.get(id)?.resolution ?? ''}]`;
  return `${one(pair.a)}  |  ${one(pair.b)}`;
}

async function load(): Promise<{ reports: HadoopReport[]; clusters: string[][]; queries: Query[] } | null> {
  const data = await loadHadoop();
  if (data === null) return null;
  const places = new Map(data.reports.map((report, place) => [report.id, place]));
  const queries = data.clusters.flatMap((ids) => {
    const members = ids.map((id) => places.get(id) ?? 0).sort((a, b) => a - b);
    return members.slice(1).map((place, at) => ({ place, truth: new Set(members.slice(0, at + 1)) }));
  });
  return { ...data, queries };
}

/** The rank of the best true duplicate, ties against it; infinite when none was scored. */
function rankOf(truth: ReadonlySet<number>, scores: Scores): number {
  const best = Math.max(...[...truth].map((place) => scores.get(place) ?? Number.NEGATIVE_INFINITY));
  if (best === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY;
  return 1 + [...scores].filter(([place, score]) => !truth.has(place) && score >= best).length;
}

function fused(methods: readonly Scores[]): Scores {
  const sums: Scores = new Map();
  for (const scores of methods) {
    const order = [...scores].sort((a, b) => b[1] - a[1]);
    for (const [rank, [place]] of order.entries())
      sums.set(place, (sums.get(place) ?? 0) + 1 / (FUSION + rank + 1));
  }
  return sums;
}

function emitRanks(method: string, ranks: readonly number[], emit: Emit): void {
  for (const depth of DEPTHS) {
    const value = ranks.filter((rank) => rank <= depth).length / ranks.length;
    const detail = { queries: ranks.length, interval95: wilson(value, ranks.length) };
    emit({ name: `${method}.recall_at_${depth}`, value, unit: 'ratio', detail });
  }
  const value = ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;
  emit({
    name: `${method}.mean_reciprocal_rank`,
    value,
    unit: 'ratio',
    detail: { queries: ranks.length },
  });
}

/** The Wilson score interval of a share, at 95 %. */
function wilson(share: number, count: number): [number, number] {
  const z = 1.96;
  const middle = share + (z * z) / (2 * count);
  const spread = z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const scale = 1 + (z * z) / count;
  return [(middle - spread) / scale, (middle + spread) / scale];
}

/** Okapi BM25 (k1 1.2, b 0.75) of the plain lower-case words of title and description, for a report against earlier ones. */
function rawBm25(reports: readonly HadoopReport[]): (place: number) => Scores {
  const [k1, b] = [1.2, 0.75];
  const counts = reports.map(({ title, body }) => {
    const words = new Map<string, number>();
    for (const [word] of `${title} ${body}`.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
      words.set(word, (words.get(word) ?? 0) + 1);
    }
    return words;
  });
  const lengths = counts.map((words) => [...words.values()].reduce((sum, times) => sum + times, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const frequencies = new Map<string, number>();
  for (const word of counts.flatMap((words) => [...words.keys()])) {
    frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  const score = (query: ReadonlyMap<string, number>, place: number): number => {
    let sum = 0;
    for (const [word, asked] of query) {
      const times = counts[place]?.get(word) ?? 0;
      if (times === 0) continue;
      const frequency = frequencies.get(word) ?? 0;
      const idf = Math.log(1 + (reports.length - frequency + 0.5) / (frequency + 0.5));
      const damping = k1 * (1 - b + (b * (lengths[place] ?? 0)) / mean);
      sum += (asked * idf * times * (k1 + 1)) / (times + damping);
    }
    return sum;
  };
  return (place) => {
    const query = counts[place] ?? new Map<string, number>();
    return new Map(Array.from({ length: place }, (_, earlier) => [earlier, score(query, earlier)]));
  };
}
