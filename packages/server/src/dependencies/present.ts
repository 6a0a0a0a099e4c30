import { dependencyGraph } from '@winnow/analysis/dependencies/graph';
import type { Dependency, DependencyGraph } from '@winnow/contract/dependency';
import { type IssueHeadline, presentIssueSummary, presentReference } from '../issues/index.ts';
import type { ProjectDependencies } from './service.ts';
import type { DependencyRow } from './store.ts';

/** Confidence reported for a dependency that a tracker lists. */
const TRACKER_CONFIDENCE = 1;

/** Converts a dependency to its API form. `issues` must contain both of its issues. */
export function presentDependency(
  row: DependencyRow,
  issues: ReadonlyMap<string, IssueHeadline>,
): Dependency {
  const referenceTo = (issueId: string) => {
    const issue = issues.get(issueId) ?? null;
    return presentReference({ id: issueId, key: issue?.key ?? '' }, issue);
  };
  const [source, dependent] = [referenceTo(row.source_issue), referenceTo(row.dependent_issue)];
  const [key, dependentKey] = [source.key, dependent.key];
  const isCommitted = row.change_id !== null;
  return {
    source,
    dependent,
    source_issue_id: row.source_issue,
    issue_key: key,
    dependent_issue_id: row.dependent_issue,
    dependency_key: dependentKey,
    reason: row.reason ?? `The tracker says that ${key} blocks ${dependentKey}.`,
    confidence_score:
      row.in_tracker && !isCommitted ? TRACKER_CONFIDENCE : (row.confidence ?? TRACKER_CONFIDENCE),
    found_by: row.found_by,
    is_committed: isCommitted,
    comes_from_tracker: row.in_tracker && !isCommitted,
    undone: row.undone,
    change_id: row.change_id,
  };
}

/**
 * Converts the dependency graph of a project to its API form: issues in layers, satisfied
 * dependencies, and cycles.
 */
export function presentGraph({ dependencies, issues, read, total }: ProjectDependencies): DependencyGraph {
  const graph = dependencyGraph(
    issues.map(({ id, state }) => ({ key: id, isClosed: state === 'closed' })),
    dependencies.map((dependency) => ({
      source: dependency.source_issue_id,
      dependent: dependency.dependent_issue_id,
      dependency,
    })),
  );
  return {
    issues: issues.map((one) => {
      const { id, project_id, key, title, status, state, url, created_at } = presentIssueSummary(one);
      const layer = graph.layerOf.get(id) ?? 0;
      return { id, project_id, key, title, status, state, url, created_at, layer };
    }),
    dependencies: graph.edges.map(({ edge, isSatisfied, isInCycle }) => {
      return { ...edge.dependency, is_satisfied: isSatisfied, is_in_cycle: isInCycle };
    }),
    cycles: graph.cycles,
    longest_chain: graph.longestChain,
    scan: { read, total },
  };
}
