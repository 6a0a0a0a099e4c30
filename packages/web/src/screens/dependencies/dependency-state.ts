import type { Dependency, DependencyGraph, NamedDependency } from '@winnow/contract/dependency';
import type { IssueReference, IssueState, IssueSummary } from '@winnow/contract/issue';

/** State of a dependency: found in texts, written by Winnow, or already in the tracker. */
export type CommitState = 'found' | 'committed' | 'tracker';

export function commitStateOf({ is_committed, comes_from_tracker }: Dependency): CommitState {
  if (is_committed) return 'committed';
  return comes_from_tracker ? 'tracker' : 'found';
}

/** True if the dependency can be committed. */
export function isCommittable(dependency: Dependency): boolean {
  return commitStateOf(dependency) === 'found';
}

/** Returns the dependencies that can be committed. */
export function committableDependencies(dependencies: readonly Dependency[]): Dependency[] {
  return dependencies.filter(isCommittable);
}

/** Reason why a dependency is not selected by default. */
export type HeldBack = 'undone' | 'in_cycle' | 'satisfied';
/** Returns why a dependency is held back; null if it is not. */
export type HeldBackLookup = (dependency: Dependency) => HeldBack | null;

/**
 * Returns a lookup of held-back reasons based on the project graph. Undone dependencies are held
 * back even without a graph.
 */
export function heldBackLookup(known: DependencyGraph | undefined): HeldBackLookup {
  const edges = new Map(known?.dependencies.map((one) => [dependencyKey(one), one]));
  return (dependency) => {
    if (dependency.undone) return 'undone';
    const edge = edges.get(dependencyKey(dependency));
    if (edge?.is_in_cycle === true) return 'in_cycle';
    return edge?.is_satisfied === true ? 'satisfied' : null;
  };
}

/** Returns a unique key made of the source and dependent issue ids. */
export function dependencyKey({ source_issue_id, dependent_issue_id }: NamedDependency): string {
  return `${source_issue_id}>${dependent_issue_id}`;
}

/** Returns only the two issue ids that identify a dependency in API requests. */
export function dependencyIds({ source_issue_id, dependent_issue_id }: NamedDependency): NamedDependency {
  return { source_issue_id, dependent_issue_id };
}

/** Merges two lists without duplicates; the entry from `found` wins. */
export function mergeDependencies(known: readonly Dependency[], found: readonly Dependency[]): Dependency[] {
  return [...new Map([...known, ...found].map((one) => [dependencyKey(one), one])).values()];
}

/** Returns the dependencies that start or end at one of these issues. */
export function dependenciesAt<One extends NamedDependency>(
  issueIds: readonly string[],
  dependencies: readonly One[],
): One[] {
  const ids = new Set(issueIds);
  return dependencies.filter(
    ({ source_issue_id, dependent_issue_id }) => ids.has(source_issue_id) || ids.has(dependent_issue_id),
  );
}

/** Role of an issue in a dependency: it blocks the other issue, or is blocked by it. */
export type Side = 'blocks' | 'blocked_by';

/** A dependency from the perspective of one of its issues. */
export type SidedDependency = { dependency: Dependency; side: Side };

/** Returns the dependencies of an issue: first its blockers, then the issues it blocks. */
export function dependenciesOf(issueId: string, dependencies: readonly Dependency[]): SidedDependency[] {
  const waitsFor = dependencies.filter(({ dependent_issue_id }) => dependent_issue_id === issueId);
  const blocks = dependencies.filter(
    ({ source_issue_id, dependent_issue_id }) =>
      source_issue_id === issueId && dependent_issue_id !== issueId,
  );
  return [
    ...waitsFor.map((dependency) => ({ dependency, side: 'blocked_by' as const })),
    ...blocks.map((dependency) => ({ dependency, side: 'blocks' as const })),
  ];
}

/** Returns the other issue of a dependency. */
export function otherEnd({ dependency, side }: SidedDependency): IssueReference {
  return side === 'blocks' ? dependency.dependent : dependency.source;
}

/** Returns the issue from whose perspective the dependency is displayed. */
export function ownEnd({ dependency, side }: SidedDependency): IssueReference {
  return otherEnd({ dependency, side: side === 'blocks' ? 'blocked_by' : 'blocks' });
}

/** Issue data that the list displays. */
export type ListedIssue = Pick<IssueSummary, 'id' | 'key' | 'project_id' | 'title' | 'status' | 'state'>;

/** Known data of an issue in a dependency. */
type KnownIssue = { title: string; status: string; state: IssueState };
/** Finds an issue by id; undefined if only its key is known. */
export type IssueLookup = (issueId: string) => KnownIssue | undefined;

/** True if the blocking issue is closed. */
export function isSatisfied({ source_issue_id }: NamedDependency, issueOf: IssueLookup): boolean {
  return issueOf(source_issue_id)?.state === 'closed';
}
