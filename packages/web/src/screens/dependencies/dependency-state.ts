import type { Dependency, DependencyGraph, NamedDependency } from '@winnow/contract/dependency';
import type { IssueReference, IssueState, IssueSummary } from '@winnow/contract/issue';

/** Origin of a dependency: found in texts, committed by Winnow, or stored in the tracker. */
export type CommitState = 'found' | 'committed' | 'tracker';

export function commitStateOf({ is_committed, comes_from_tracker }: Dependency): CommitState {
  if (is_committed) return 'committed';
  return comes_from_tracker ? 'tracker' : 'found';
}

/** True if the dependency can be committed to the tracker. */
export function isCommittable(dependency: Dependency): boolean {
  return commitStateOf(dependency) === 'found';
}

/** Returns the dependencies that can be committed to the tracker. */
export function committableDependencies(dependencies: readonly Dependency[]): Dependency[] {
  return dependencies.filter(isCommittable);
}

/** Reason why a dependency is not selected for a commit by default. */
export type HeldBack = 'undone' | 'in_cycle' | 'satisfied';
/** Returns why a dependency is not selected for a commit by default. Null if it is selected. */
export type HeldBackLookup = (dependency: Dependency) => HeldBack | null;

/**
 * Returns a function that states why a dependency is not selected for a commit by default. Without
 * a project graph, it recognizes only undone dependencies.
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

/** Returns a key that identifies a dependency by the ids of its two issues. */
export function dependencyKey({ source_issue_id, dependent_issue_id }: NamedDependency): string {
  return `${source_issue_id}>${dependent_issue_id}`;
}

/** Returns the ids of the two issues, which identify a dependency in API requests. */
export function dependencyIds({ source_issue_id, dependent_issue_id }: NamedDependency): NamedDependency {
  return { source_issue_id, dependent_issue_id };
}

/** Merges two lists of dependencies. If both contain a dependency, uses the one from `found`. */
export function mergeDependencies(known: readonly Dependency[], found: readonly Dependency[]): Dependency[] {
  return [...new Map([...known, ...found].map((one) => [dependencyKey(one), one])).values()];
}

/** Returns the dependencies that start or end at an issue in `issueIds`. */
export function dependenciesAt<One extends NamedDependency>(
  issueIds: readonly string[],
  dependencies: readonly One[],
): One[] {
  const ids = new Set(issueIds);
  return dependencies.filter(
    ({ source_issue_id, dependent_issue_id }) => ids.has(source_issue_id) || ids.has(dependent_issue_id),
  );
}

/**
 * Role of an issue in a dependency: it blocks the other issue, or it is blocked by the other issue.
 */
export type Side = 'blocks' | 'blocked_by';

/** A dependency from the perspective of one of its issues. */
export type SidedDependency = { dependency: Dependency; side: Side };

/** Returns the dependencies of an issue. The ones that block the issue are first. */
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

/** Data of an issue that the list displays. */
export type ListedIssue = Pick<IssueSummary, 'id' | 'key' | 'project_id' | 'title' | 'status' | 'state'>;

/** Data of an issue that is known besides its key. */
type KnownIssue = { title: string; status: string; state: IssueState };
/** Finds data of an issue by id. Undefined if only the key of the issue is known. */
export type IssueLookup = (issueId: string) => KnownIssue | undefined;

/** True if a dependency is satisfied: its blocking issue is closed. */
export function isSatisfied({ source_issue_id }: NamedDependency, issueOf: IssueLookup): boolean {
  return issueOf(source_issue_id)?.state === 'closed';
}
