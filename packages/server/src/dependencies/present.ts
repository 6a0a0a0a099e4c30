import type { Dependency } from '@winnow/contract/dependency';
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
