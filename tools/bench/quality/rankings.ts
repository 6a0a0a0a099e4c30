import type { Corpus } from '@winnow/analysis/corpus';
import { stateEffect, textLogOdds, type Weights } from '@winnow/analysis/likelihood';
import { stateAware } from '@winnow/analysis/state-aware';
import { type Candidate, eachQuery } from '../../data/candidates.ts';
import type { LabelledSet } from '../../data/labelled-set.ts';
import { bm25, type Scores } from './bm25.ts';
import type { BestCandidate } from './measures.ts';

/** Results of one ranking method. */
export interface Ranking {
  method: string;
  /** For each query, the rank of the best-ranked true duplicate. Infinity if none was found. */
  ranks: number[];
  /** The best candidate for each tested issue. Issues without candidates are omitted. */
  best: BestCandidate[];
}

/** The best candidate for an issue, with the features from which its score is computed. */
export interface HeadCandidate extends BestCandidate, Pick<Candidate, 'similarity' | 'features'> {}

/** A newer issue and an older issue, marked as duplicates by a label or a chain of labels. */
export interface LabelledPair {
  newer: string;
  older: string;
}

/** Results of all methods over the same issues. */
export interface Rankings {
  rankings: Ranking[];
  /** For each tested issue, the candidate with the highest probability. */
  head: HeadCandidate[];
  /**
   * For each tested issue, its most similar candidates, and all labelled duplicates among the
   * ranked candidates.
   */
  pairs: HeadCandidate[];
  /** Labelled pairs whose older issue is not among the ranked candidates. */
  beyond: LabelledPair[];
}

/**
 * Number of candidates that are ranked again with their state. A duplicate beyond this rank counts
 * as not found.
 */
const RERANKED = 200;
/** Number of most similar candidates per tested issue in `pairs`. */
const MOST_SIMILAR = 10;
/** Usual value of the constant in reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
const FUSION_RANK = 60;

/**
 * Ranks the earlier issues for each tested issue by every method.
 * Candidates have the state that they had when the tested issue was created. A query is a tested
 * issue with an earlier duplicate. Among candidates with equal scores, the duplicate counts as the
 * last.
 */
export async function rankAll(
  corpus: Corpus,
  set: LabelledSet,
  { testedFrom, hasVectors, weights }: { testedFrom: number; hasVectors: boolean; weights: Weights },
): Promise<Rankings> {
  const { issues } = set;
  const rankings = new Map<string, Ranking>();
  const head: HeadCandidate[] = [];
  const pairs: HeadCandidate[] = [];
  const beyond: LabelledPair[] = [];
  const byWords = bm25(issues.map(({ title, body }) => `${title} ${body}`));
  const directions = issues.map(({ id }) => corpus.directionOf(id));
  await eachQuery(corpus, set, { testedFrom, limit: RERANKED }, ({ place, issue, truth, candidates }) => {
    const isQuery = truth.size > 0;
    const record = (method: string, scores: Scores): void => {
      const ranking = rankings.get(method) ?? { method, ranks: [], best: [] };
      rankings.set(method, ranking);
      if (isQuery) ranking.ranks.push(rankOf(truth, scores));
      const best = bestOf(scores);
      const older = issues[best?.place ?? -1];
      if (best === null || older === undefined) return;
      const isLabelled = truth.has(best.place);
      ranking.best.push({ newer: issue.id, older: older.id, score: best.score, isLabelled, isQuery });
    };
    const scored = (scoreOf: (candidate: Candidate) => number): Scores =>
      new Map(candidates.map((candidate) => [candidate.place, scoreOf(candidate)]));
    const words = byWords(place);
    record('bm25', words);
    if (hasVectors) {
      const meaning = cosines(directions, place);
      record('minilm', meaning);
      record('fusion', fused([words, meaning]));
    }
    record(
      'similarity',
      scored(({ similarity }) => similarity),
    );
    record(
      'state',
      scored(({ similarity, features }) => stateAware(similarity, features)),
    );
    const scoreOf = ({ features }: Candidate): number =>
      textLogOdds(features, weights) + stateEffect(features, weights);
    record('head', scored(scoreOf));
    const best = rankings.get('head')?.best.at(-1);
    const candidate = candidates.find((other) => issues[other.place]?.id === best?.older);
    if (best?.newer === issue.id && candidate !== undefined) {
      head.push({ ...best, similarity: candidate.similarity, features: candidate.features });
    }
    const newer = issue.id;
    for (const [rank, other] of candidates.entries()) {
      const { similarity, features, isLabelled } = other;
      if (rank >= MOST_SIMILAR && !isLabelled) continue;
      const older = issues[other.place]?.id ?? '';
      pairs.push({ newer, older, score: scoreOf(other), isLabelled, isQuery, similarity, features });
    }
    const ranked = new Set(candidates.map((other) => other.place));
    for (const other of truth) if (!ranked.has(other)) beyond.push({ newer, older: issues[other]?.id ?? '' });
  });
  return { rankings: [...rankings.values()], head, pairs, beyond };
}

function rankOf(truth: ReadonlySet<number>, scores: Scores): number {
  const best = Math.max(...[...truth].map((place) => scores.get(place) ?? Number.NEGATIVE_INFINITY));
  if (best === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY;
  let rank = 1;
  for (const [place, score] of scores) if (score >= best && !truth.has(place)) rank += 1;
  return rank;
}

function bestOf(scores: Scores): { place: number; score: number } | null {
  let best: { place: number; score: number } | null = null;
  for (const [place, score] of scores) if (best === null || score > best.score) best = { place, score };
  return best;
}

function cosines(directions: readonly (Float32Array | null)[], query: number): Scores {
  const own = directions[query];
  const scores = new Map<number, number>();
  if (!own) return scores;
  for (let place = 0; place < query; place += 1) {
    const other = directions[place];
    if (!other) continue;
    let sum = 0;
    for (let at = 0; at < own.length; at += 1) sum += (own[at] ?? 0) * (other[at] ?? 0);
    scores.set(place, sum);
  }
  return scores;
}

function fused(methods: readonly Scores[]): Scores {
  const sums = new Map<number, number>();
  for (const scores of methods) {
    const order = [...scores].sort((a, b) => b[1] - a[1]).slice(0, RERANKED);
    for (const [rank, [place]] of order.entries())
      sums.set(place, (sums.get(place) ?? 0) + 1 / (FUSION_RANK + rank + 1));
  }
  return sums;
}
