import type { Dependency, DependencyGraph, NamedDependency } from '@winnow/contract/dependency';
import type { IssueReference, IssueState, IssueSummary } from '@winnow/contract/issue';

/** State of a dependency: found in texts, written by Winnow, or already in the tracker. */
export type Standing = 'found' | 'committed' | 'tracker';

export function standingOf({ is_committed, comes_from_tracker }: Dependency): Standing {
  if (is_committed) return 'committed';
  return comes_from_tracker ? 'tracker' : 'found';
}

/** True if the dependency can be committed. */
export function isCommittable(dependency: Dependency): boolean {
  return standingOf(dependency) === 'found';
}

/** Those that have something to commit. */
export function toCommit(dependencies: readonly Dependency[]): Dependency[] {
  return dependencies.filter(isCommittable);
}

/** Reasons for which a dependency is not selected by default. */
export type HeldBack = 'undone' | 'in_cycle' | 'satisfied';
/** Tells why a dependency is held back; null for one that is not. */
export type HoldingBack = (dependency: Dependency) => HeldBack | null;

/** What is held back by what is known of the project; what was taken back is in any case. */
export function holdingBackBy(known: DependencyGraph | undefined): HoldingBack {
  const edges = new Map(known?.dependencies.map((one) => [dependencyKey(one), one]));
  return (dependency) => {
    if (dependency.undone) return 'undone';
    const edge = edges.get(dependencyKey(dependency));
    if (edge?.is_in_cycle === true) return 'in_cycle';
    return edge?.is_satisfied === true ? 'satisfied' : null;
  };
}

/** Tells a dependency from others: from which issue to which. */
export function dependencyKey({ source_issue_id, dependent_issue_id }: NamedDependency): string {
  return `${source_issue_id}>${dependent_issue_id}`;
}

/** The names by which the server knows a dependency. */
export function named({ source_issue_id, dependent_issue_id }: NamedDependency): NamedDependency {
  return { source_issue_id, dependent_issue_id };
}

/** All of both, each once; of those in both the later one. */
export function mergeDependencies(known: readonly Dependency[], found: readonly Dependency[]): Dependency[] {
  return [...new Map([...known, ...found].map((one) => [dependencyKey(one), one])).values()];
}

/** Those that begin or end at one of these issues. */
export function dependenciesAt<One extends NamedDependency>(
  issueIds: readonly string[],
  dependencies: readonly One[],
): One[] {
  const ids = new Set(issueIds);
  return dependencies.filter(
    ({ source_issue_id, dependent_issue_id }) => ids.has(source_issue_id) || ids.has(dependent_issue_id),
  );
}

/** Which end of a dependency an issue is: it blocks the other, or is blocked by it. */
export type Side = 'blocks' | 'blocked_by';

/** A dependency as one of its issues sees it. */
export type Sided = { dependency: Dependency; side: Side };

/** The dependencies of an issue, first what it waits for. */
export function dependenciesOf(issueId: string, dependencies: readonly Dependency[]): Sided[] {
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

/** The other end of a dependency. */
export function otherEnd({ dependency, side }: Sided): IssueReference {
  return side === 'blocks' ? dependency.dependent : dependency.source;
}

/** The end of a dependency that sees it. */
export function ownEnd({ dependency, side }: Sided): IssueReference {
  return otherEnd({ dependency, side: side === 'blocks' ? 'blocked_by' : 'blocks' });
}

/** An issue as the list shows it. */
export type ListedIssue = Pick<IssueSummary, 'id' | 'key' | 'project_id' | 'title' | 'status' | 'state'>;

/** Known data of an issue in a dependency. */
type KnownIssue = { title: string; status: string; state: IssueState };
/** Looks an issue up; undefined for one that nothing is known of but its key. */
export type KnownIssues = (issueId: string) => KnownIssue | undefined;

/** True if the blocking issue is closed. */
export function isSatisfied({ source_issue_id }: NamedDependency, issueOf: KnownIssues): boolean {
  return issueOf(source_issue_id)?.state === 'closed';
}
