import {
  additionsOf,
  type CanonicalProposal,
  type Cohesion,
  type Constraint,
  cohesionOf,
  type Fact,
  hasSteps,
  type Link,
  nameCluster,
  proposeCanonical,
} from '@winnow/analysis/clusters';
import type { ClusteredIssue } from './graph-store.ts';

/** Generated properties of a cluster. */
export interface ClusterSummary {
  name: string;
  canonical: CanonicalProposal;
  cohesion: Cohesion;
}

/**
 * Gives all words of titles the same weight. The account's word frequencies are only available in
 * the engine's thread.
 */
const EQUAL_WEIGHT = () => 1;

/**
 * Maximum number of members whose texts are searched for facts. Searching more would take seconds.
 */
const MAX_MEMBERS_WITH_FACTS = 100;

/** Summarizes a cluster from its members, and the links and constraints between them. */
export function summarize(
  members: readonly ClusteredIssue[],
  links: readonly Link[],
  constraints: readonly Constraint[],
): ClusterSummary {
  const canonical = proposeCanonicalAmong(members);
  const cohesion = cohesionOf(
    members.map(({ id }) => id),
    links,
    constraints,
    isClosedAmong(members),
  );
  const [first, ...others] = members.toSorted(
    (one, other) =>
      Number(other.id === canonical.id) - Number(one.id === canonical.id) ||
      one.created_at.getTime() - other.created_at.getTime() ||
      (one.id < other.id ? -1 : 1),
  );
  const titles = [first, ...others].flatMap((member) => member?.title ?? []);
  return { name: nameCluster(titles, EQUAL_WEIGHT), canonical, cohesion };
}

/** Returns a predicate that is true for the id of a closed issue among these members. */
export function isClosedAmong(members: Iterable<ClusteredIssue>): (id: string) => boolean {
  const closed = new Set(Array.from(members, ({ id, state }) => (state === 'closed' ? id : '')));
  return (id) => closed.has(id);
}

/** Proposes one of these members as the canonical issue. */
export function proposeCanonicalAmong(members: readonly ClusteredIssue[]): CanonicalProposal {
  const labelOf = labels(members);
  return proposeCanonical(
    members.map((issue) => ({
      id: issue.id,
      key: labelOf(issue),
      createdAt: issue.created_at.getTime(),
      isClosed: issue.state === 'closed',
      isFixed: issue.is_completed,
      isLocked: issue.is_locked,
      reactions: issue.reactions,
      milestone: issue.milestone,
      isDuplicate: issue.is_duplicate,
      comments: issue.comments_count,
      participants: issue.participants,
      // A getter, because the computation is slow and needed only if all other criteria are equal.
      get hasSteps() {
        return hasSteps(evaluated(issue));
      },
    })),
  );
}

/** Converts an issue to the form that the analysis needs. */
function evaluated({ title, description, issue_type, labels: named }: ClusteredIssue) {
  return { title, body: description, type: issue_type, labels: named };
}

/**
 * Returns a function that returns the key of a member. If several members have the same key, it
 * appends the name of the tracker.
 */
export function labels(
  members: readonly Pick<ClusteredIssue, 'key' | 'tracker_name'>[],
): (member: Pick<ClusteredIssue, 'key' | 'tracker_name'>) => string {
  const byKey = Map.groupBy(members, ({ key }) => key);
  return ({ key, tracker_name }) => ((byKey.get(key)?.length ?? 0) > 1 ? `${key} in ${tracker_name}` : key);
}

/** Returns the facts that each member adds to the canonical issue, by member id. */
export function additionsTo(
  canonicalId: string | undefined,
  issues: readonly ClusteredIssue[],
): Map<string, Fact[]> {
  const canonical = issues.find(({ id }) => id === canonicalId);
  if (canonical === undefined) return new Map();
  const others = issues
    .filter((issue) => issue !== canonical)
    .toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
    .slice(0, MAX_MEMBERS_WITH_FACTS)
    .map((issue) => ({ id: issue.id, ...evaluated(issue) }));
  return new Map(additionsOf(evaluated(canonical), others).map(({ id, facts }) => [id, facts]));
}
