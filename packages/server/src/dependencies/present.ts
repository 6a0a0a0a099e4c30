import { dependencyGraph } from '@winnow/analysis/dependencies/graph';
import type { Dependency, DependencyGraph } from '@winnow/contract/dependency';
import { presentIssueSummary } from '../issues/present.ts';
import type { ProjectDependencies } from './service.ts';
import type { DependencyRow } from './store.ts';

/** How sure it is what a tracker says. */
const TOLD = 1;

/** A dependency with the keys of its issues. */
export function presentDependency(row: DependencyRow, keys: ReadonlyMap<string, string>): Dependency {
  const [key, dependentKey] = [keys.get(row.source_issue) ?? '', keys.get(row.dependent_issue) ?? ''];
  const isCommitted = row.change_id !== null;
  return {
    source_issue_id: row.source_issue,
    issue_key: key,
    dependent_issue_id: row.dependent_issue,
    dependency_key: dependentKey,
    reason: row.reason ?? `The tracker says that ${key} blocks ${dependentKey}.`,
    confidence_score: row.in_tracker && !isCommitted ? TOLD : (row.confidence ?? TOLD),
    found_by: row.found_by,
    is_committed: isCommitted,
    comes_from_tracker: row.in_tracker && !isCommitted,
    undone: row.undone,
    change_id: row.change_id,
  };
}

/** What has to wait for what in a project: its issues in layers, and what of it is settled or goes round in a circle. */
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
