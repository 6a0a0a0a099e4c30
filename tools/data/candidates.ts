import type { Corpus } from '@winnow/analysis/corpus';
import { type StateOfOlder, stateOf, type TextFeatures } from '@winnow/analysis/likelihood';
import type { LabelledIssue, LabelledSet } from './labelled-set.ts';

/**
 * An older issue that may be the original of a newer issue. Issues are identified by their position
 * in order of creation.
 */
export interface Candidate {
  place: number;
  similarity: number;
  features: TextFeatures & StateOfOlder;
  isLabelled: boolean;
}

/**
 * An issue with its candidates, the most similar first. All data is as of the creation of the
 * issue.
 */
export interface Query {
  place: number;
  issue: LabelledIssue;
  /** Positions of the older issues that are labelled as duplicates of this issue. */
  truth: ReadonlySet<number>;
  candidates: Candidate[];
}

/**
 * Visits each issue created since `testedFrom`, with its `limit` most similar older issues. The
 * older issues have the state that they had when the visited issue was created.
 */
export async function eachQuery(
  corpus: Corpus,
  set: LabelledSet,
  { testedFrom, limit }: { testedFrom: number; limit: number },
  visit: (query: Query) => void,
): Promise<void> {
  const { issues } = set;
  const places = new Map(issues.map(({ id }, place) => [id, place]));
  const earlierDuplicates = duplicatesBefore(set, places);
  /** For each issue, the highest similarity to an older issue that was found so far. */
  const best = new Float64Array(issues.length);
  for (const [place, issue] of issues.entries()) {
    if (place === 0) continue;
    const filter = (id: string): boolean => (places.get(id) ?? issues.length) < place;
    const similar = await corpus.similar({ id: issue.id }, { limit, filter });
    const [first = 0, second = 0] = similar.map(({ similarity }) => similarity);
    if (issue.createdAt >= testedFrom) {
      const truth = earlierDuplicates(place);
      const candidates = similar.flatMap(({ id, similarity }, rank): Candidate[] => {
        const at = places.get(id) ?? -1;
        const older = issues[at];
        const others = { newer: rank === 0 ? second : first, older: best[at] ?? 0, nearer: rank };
        const shown = corpus.features(id, issue.id, { similarity, best: others });
        if (older === undefined || shown === null) return [];
        const features = { ...shown, ...stateAt(older, issue.createdAt) };
        return [{ place: at, similarity, features, isLabelled: truth.has(at) }];
      });
      visit({ place, issue, truth, candidates });
    }
    for (const { id, similarity } of similar) {
      const at = places.get(id) ?? -1;
      best[at] = Math.max(best[at] ?? 0, similarity);
    }
    best[place] = first;
  }
}

/**
 * Returns the features of an issue's state at a given time. An issue that was closed later counts
 * as open.
 */
function stateAt({ closedAt }: LabelledIssue, at: number): ReturnType<typeof stateOf> {
  return stateOf({ isClosed: closedAt !== null && closedAt <= at, closedAt }, at);
}

function duplicatesBefore(
  { groups }: LabelledSet,
  places: ReadonlyMap<string, number>,
): (place: number) => ReadonlySet<number> {
  const groupOf = new Map<number, number[]>();
  for (const ids of groups) {
    const members = ids.map((id) => places.get(id) ?? -1);
    for (const member of members) groupOf.set(member, members);
  }
  return (place) => new Set(groupOf.get(place)?.filter((other) => other < place));
}
