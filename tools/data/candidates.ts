import type { Corpus } from '@winnow/analysis/corpus';
import { type StateOfOlder, stateOf, type TextFeatures } from '@winnow/analysis/likelihood';
import type { LabelledIssue, LabelledSet } from './labelled-set.ts';

/**
 * An older issue that a newer one may duplicate. Issues are identified by position in order of
 * creation.
 */
export interface Candidate {
  place: number;
  similarity: number;
  features: TextFeatures & StateOfOlder;
  isLabelled: boolean;
}

/** An issue with its candidates, most similar first, all as of its creation. */
export interface Query {
  place: number;
  issue: LabelledIssue;
  /** Positions of the older issues that are labelled as its duplicates. */
  truth: ReadonlySet<number>;
  candidates: Candidate[];
}

/**
 * Visits the issues created since `testedFrom`, with their `limit` most similar older ones.
 * Candidates have the state they had when the issue was created.
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
  /** Highest similarity of each issue to one that is older than the visited issue. */
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

/** Returns the state features of an issue at a time. An issue closed later counts as open. */
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
