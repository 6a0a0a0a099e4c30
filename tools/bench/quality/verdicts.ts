import type { Corpus } from '@winnow/analysis/corpus';
import { isMutualBest, probabilityOf } from '@winnow/analysis/likelihood';
import { findSeries, type SeriesIssue, shareFrame } from '@winnow/analysis/series';
import { termWeights } from '@winnow/analysis/snapshot';
import { judgePair, type RuleVerdict } from '@winnow/analysis/verdict';
import { LIKELIHOOD, SIMILARITY } from '@winnow/contract/duplicate';
import type { JudgedPair } from '../../data/judged-pairs.ts';
import type { LabelledSet } from '../../data/labelled-set.ts';
import type { Emit } from '../run.ts';
import { seriesIssues } from '../shared/series-issues.ts';
import { rounded, wilson } from './measures.ts';
import type { HeadCandidate, LabelledPair } from './rankings.ts';

export type JudgedCandidate = HeadCandidate & { probability: number; verdict: RuleVerdict };

interface UnjudgedPair extends LabelledPair {
  similarity: number;
  probability: number;
  isMutualBest: boolean;
}
/**
 * Judges a pair. `seriesFrame` is the title pattern of the series that both issues belong to. It is
 * null if they belong to no common series.
 */
type Judge = (pair: UnjudgedPair) => { verdict: RuleVerdict; seriesFrame: string | null };

/** Number of the most similar pairs that are judged. */
const MOST_SIMILAR = 100;

/**
 * Creates a judge that decides as the product does.
 * It reads titles, texts and series as of the creation of the newer issue. Word weights come from
 * the whole data set. Later issues therefore slightly affect which words count as rare.
 */
export function openJudge(corpus: Corpus, { issues }: LabelledSet): Judge {
  const idf = termWeights(corpus.takeSnapshot(3));
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const frameOf = seriesAsOfCreation(seriesIssues(issues));
  const issueOf = (id: string) => ({ key: `#${id}`, title: '', body: '', ...byId.get(id) });
  return ({ newer, older, similarity, probability, isMutualBest }) => {
    const seriesFrame = frameOf(newer, older);
    const likelihood = { probability, marks: LIKELIHOOD, isMutualBest, seriesFrame };
    const marks = SIMILARITY;
    const verdict = judgePair(issueOf(older), issueOf(newer), { similarity, marks, idf, likelihood });
    return { verdict, seriesFrame };
  };
}

/**
 * Creates a function that returns the title pattern of the series that two issues belong to.
 * Returns null if they belong to no common series. Considers only issues up to the newer of the
 * two.
 */
function seriesAsOfCreation(issues: readonly SeriesIssue[]): (newer: string, older: string) => string | null {
  const places = new Map(issues.map(({ id }, place) => [id, place]));
  return (newer, older) => {
    const [last, first] = [places.get(newer) ?? -1, places.get(older) ?? -1];
    // Members of one series share a title pattern (frame). The cheap check comes first, because
    // finding the series is slow.
    if (!shareFrame(issues[last]?.title ?? '', issues[first]?.title ?? '')) return null;
    const series = findSeries(issues.slice(0, last + 1));
    return series.find(({ members }) => members.includes(newer) && members.includes(older))?.frame ?? null;
  };
}

/** Adds the probability and the verdict to each candidate. */
export const judgeAll = (candidates: readonly HeadCandidate[], judge: Judge): JudgedCandidate[] =>
  candidates.map((candidate) => {
    const pair = unjudged(candidate);
    return { ...candidate, probability: pair.probability, verdict: judge(pair).verdict };
  });

const unjudged = ({ newer, older, score, similarity, features }: HeadCandidate): UnjudgedPair => ({
  newer,
  older,
  similarity,
  probability: probabilityOf(score),
  isMutualBest: isMutualBest(features),
});

/**
 * Emits the number of best candidates for each relation, and the number of labelled pairs among
 * them.
 */
export function emitRelations(judged: readonly JudgedCandidate[], emit: Emit): void {
  for (const relation of new Set(judged.map(({ verdict }) => verdict.relation))) {
    const said = judged.filter(({ verdict }) => verdict.relation === relation);
    const labelled = said.filter(({ isLabelled }) => isLabelled).length;
    emit({ name: `verdict.${relation}`, value: said.length, unit: 'pairs', detail: { labelled } });
  }
}

/**
 * Emits `verdict.different_of_labelled`: the share of all labelled pairs that is judged unrelated,
 * whatever the rank of the older issue.
 * Labels are closed transitively. A pair in `beyond` is not among the ranked candidates, so its
 * probability counts as 0.
 */
export async function emitDifferentOfLabelled(
  { pairs, beyond }: { pairs: readonly HeadCandidate[]; beyond: readonly LabelledPair[] },
  { corpus, judge, emit }: { corpus: Corpus; judge: Judge; emit: Emit },
): Promise<void> {
  const labelled = pairs.filter(({ isLabelled }) => isLabelled).map(unjudged);
  for (const pair of beyond) {
    const [found] = await corpus.similar({ id: pair.newer }, { limit: 1, filter: (id) => id === pair.older });
    const similarity = found?.similarity ?? 0;
    labelled.push({ ...pair, similarity, probability: 0, isMutualBest: false });
  }
  const different = labelled.filter((pair) => judge(pair).verdict.relation === 'different').length;
  const of = labelled.length;
  if (of === 0) return;
  emit({
    name: 'verdict.different_of_labelled',
    value: rounded(different / of),
    unit: 'ratio',
    detail: { different, of, beyond: beyond.length, interval95: wilson(different / of, of).map(rounded) },
  });
}

/**
 * Emits `series.held_back_of_100`, measured on the 100 most similar pairs that are not duplicates.
 * The figure is the share of these pairs for which a rule names a difference, such as siblings or a
 * series. Such a pair is never judged to be the same, however probable.
 * Pairs are sorted by similarity, because the sibling rule lowers the probability of its pairs.
 * Labelled pairs, pairs judged the same by a person, and equal texts count as duplicates.
 * Duplicates that no label or person marks remain, and lower the share.
 */
export function emitHeldBack(
  pairs: readonly HeadCandidate[],
  judgedPairs: readonly JudgedPair[],
  { judge, emit }: { judge: Judge; emit: Emit },
): void {
  const same = new Set(
    judgedPairs.filter(({ isSame }) => isSame).map(({ newer, older }) => `${newer} ${older}`),
  );
  const top = pairs
    .filter(({ newer, older, isLabelled, features }) => {
      return !isLabelled && features.identical === 0 && !same.has(`${newer} ${older}`);
    })
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, MOST_SIMILAR);
  if (top.length < MOST_SIMILAR) return;
  const results = top.map((candidate) => judge(unjudged(candidate)));
  const heldBack = results.filter(({ verdict }) => verdict.difference !== null).length;
  emit({
    name: 'series.held_back_of_100',
    value: rounded(heldBack / top.length),
    unit: 'ratio',
    detail: {
      inOneSeries: results.filter(({ seriesFrame }) => seriesFrame !== null).length,
      calledSame: results.filter(({ verdict }) => verdict.relation === 'same').length,
      minSimilarity: rounded(top.at(-1)?.similarity ?? 0),
      interval95: wilson(heldBack / top.length, top.length).map(rounded),
    },
  });
}
