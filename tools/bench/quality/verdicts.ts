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
/** Judges a pair. `seriesFrame` is the title frame of the series that both belong to, or null. */
type Judge = (pair: UnjudgedPair) => { verdict: RuleVerdict; seriesFrame: string | null };

/** Number of the most similar pairs whose verdicts are counted. */
const MOST_SIMILAR = 100;

/**
 * Returns a judge that decides as the product does. It reads titles, texts and series as of the
 * creation of the newer issue. Word weights are those of the whole set, so later issues have a
 * small effect on which words count as rare.
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
 * Returns a function that returns the frame of the series that two issues belong to, or null. It
 * considers the issues up to the newer one.
 */
function seriesAsOfCreation(issues: readonly SeriesIssue[]): (newer: string, older: string) => string | null {
  const places = new Map(issues.map(({ id }, place) => [id, place]));
  return (newer, older) => {
    const [last, first] = [places.get(newer) ?? -1, places.get(older) ?? -1];
    // Members of one series share a frame. Finding the series again is slow, so check this first.
    if (!shareFrame(issues[last]?.title ?? '', issues[first]?.title ?? '')) return null;
    const series = findSeries(issues.slice(0, last + 1));
    return series.find(({ members }) => members.includes(newer) && members.includes(older))?.frame ?? null;
  };
}

/** Adds the probability and the verdict to candidates. */
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

/** Emits the number of best candidates per relation, and how many of them have a label. */
export function emitRelations(judged: readonly JudgedCandidate[], emit: Emit): void {
  for (const relation of new Set(judged.map(({ verdict }) => verdict.relation))) {
    const said = judged.filter(({ verdict }) => verdict.relation === relation);
    const labelled = said.filter(({ isLabelled }) => isLabelled).length;
    emit({ name: `verdict.${relation}`, value: said.length, unit: 'pairs', detail: { labelled } });
  }
}

/**
 * Emits `verdict.different_of_labelled`: the share of all labelled pairs that is called unrelated,
 * wherever the older issue ranks. Labels are closed transitively. A pair in `beyond` is not among
 * the ranked candidates, so its probability counts as 0.
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
 * Emits `series.held_back_of_100`: the share of the 100 most similar pairs without a duplicate for
 * which a rule names a difference, such as siblings or a series. Such a pair is never called the
 * same, however probable. The pairs are sorted by similarity, because the sibling rule lowers the
 * probability and would move its pairs down. Labelled pairs, pairs judged the same and equal texts
 * count as duplicates. Other duplicates without a label remain, and lower the share.
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
