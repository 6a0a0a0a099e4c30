import type { Dependency } from '@winnow/contract/dependency';
import type { IssueReference } from '@winnow/contract/issue';

function referenceTo(id: string, key: string): IssueReference {
  return {
    id,
    key,
    project_id: '00000000-0000-4000-8000-00000000000a',
    tracker: { name: 'Acme', type: 'github' },
  };
}

/** Creates a dependency that was found in texts: `acme/app#1` blocks `acme/app#2`. */
export function aDependency(different: Partial<Dependency> = {}): Dependency {
  const ends = {
    source_issue_id: '00000000-0000-4000-8000-000000000001',
    issue_key: 'acme/app#1',
    dependent_issue_id: '00000000-0000-4000-8000-000000000002',
    dependency_key: 'acme/app#2',
    ...different,
  };
  return {
    ...ends,
    source: referenceTo(ends.source_issue_id, ends.issue_key),
    dependent: referenceTo(ends.dependent_issue_id, ends.dependency_key),
    reason: 'The description of acme/app#2 says “Blocked by #1”.',
    confidence_score: 0.95,
    found_by: 'Built-in analyst',
    is_committed: false,
    comes_from_tracker: false,
    undone: false,
    change_id: null,
    ...different,
  };
}
