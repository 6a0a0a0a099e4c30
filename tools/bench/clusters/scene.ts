import { type Constraint, cannotLinks, type Link } from '@winnow/analysis/clusters';
import { probabilityOf, stateEffect, textLogOdds, type Weights } from '@winnow/analysis/likelihood';
import { findSeries } from '@winnow/analysis/series';
import { PAIRS_PER_ISSUE, SIMILARITY } from '@winnow/contract/duplicate';
import { eachQuery } from '../../data/candidates.ts';
import { type JudgedPair, judgedPairsOf } from '../../data/judged-pairs.ts';
import type { LabelledSet } from '../../data/labelled-set.ts';
import type { Emit } from '../run.ts';
import { openCorpus } from '../shared/comparison-corpus.ts';
import { seriesIssues } from '../shared/series-issues.ts';

/**
 * Issues to cluster, with their pairs. Each pair is computed as of the creation of its newer issue.
 */
export interface Scene {
  links: Link[];
  /**
   * Pairs of issues that rules forbid in one cluster. Labels do not force issues into one cluster,
   * because labels are used to measure the result.
   */
  constraints: Constraint[];
  /** Groups of issues that are labelled as duplicates of each other. */
  groups: string[][];
  /** Pairs among these issues that a person judged. */
  judgedPairs: JudgedPair[];
  isTested: (id: string) => boolean;
  /**
   * Returns the vector of an issue, as the product uses it for comparisons. Null if the issue has
   * no vector. Used only by clustering methods that work on points instead of pairs.
   */
  vectorOf: (id: string) => readonly number[] | null;
}

/**
 * Minimum probability of the pairs whose texts are checked for differences. No method merges pairs
 * below it.
 */
const MIN_CHECKED_PROBABILITY = 0.02;

/**
 * Compares each issue with all older issues, in the state that they had when the issue was created.
 */
export async function openScene(
  set: LabelledSet,
  { weights, emit, cache }: { weights: Weights; emit: Emit; cache: string | undefined },
): Promise<Scene> {
  await using account = await openCorpus(set.issues, emit, cache);
  const links: Link[] = [];
  await eachQuery(account.corpus, set, { testedFrom: 0, limit: PAIRS_PER_ISSUE }, ({ issue, candidates }) => {
    for (const { place, similarity, features } of candidates) {
      if (similarity < SIMILARITY.stored) continue;
      const logOdds = textLogOdds(features, weights) + stateEffect(features, weights);
      links.push({ a: set.issues[place]?.id ?? '', b: issue.id, probability: probabilityOf(logOdds) });
    }
  });
  const vectors = new Map(
    set.issues.map(({ id }) => [id, [...(account.corpus.directionOf(id) ?? [])]] as const),
  );
  return {
    links,
    constraints: differencesIn(set, links),
    groups: set.groups,
    judgedPairs: judgedPairsOf(set.issues),
    isTested: () => true,
    vectorOf: (id) => vectors.get(id) ?? null,
  };
}

function differencesIn({ issues }: LabelledSet, links: readonly Link[]): Constraint[] {
  const series = findSeries(seriesIssues(issues));
  const frames = new Map(series.flatMap(({ frame, members }) => members.map((id) => [id, frame] as const)));
  const byId = new Map(
    issues.map(({ id, title, body }) => [id, { id, title, body, series: frames.get(id) ?? null }] as const),
  );
  return cannotLinks(links, byId, { threshold: MIN_CHECKED_PROBABILITY });
}

/** Limits a scene to some issues, and to the labels and pairs among these issues. */
export function sceneOf(scene: Scene, isIncluded: (id: string) => boolean): Scene {
  const both = ({ a, b }: { a: string; b: string }) => isIncluded(a) && isIncluded(b);
  return {
    ...scene,
    links: scene.links.filter(both),
    constraints: scene.constraints.filter(both),
    groups: scene.groups.map((group) => group.filter(isIncluded)).filter(({ length }) => length > 1),
  };
}
