import type { DependencyGraph } from '@winnow/contract/dependency';
import { aDependency } from './dependency.ts';

const PROJECT = '00000000-0000-4000-8000-00000000000a';

/**
 * Creates a graph. Issue ids are letters. `layers` contains the column of each issue. The edge `ab`
 * means "a blocks b".
 */
export function graphOf(
  layers: Record<string, number>,
  edges: readonly string[],
  more: Partial<DependencyGraph> & { closed?: readonly string[] } = {},
): DependencyGraph {
  const { closed = [], ...rest } = more;
  return {
    issues: Object.entries(layers).map(([id, layer]) => ({
      id,
      key: `app#${id}`,
      title: `The ${id}`,
      status: 'open',
      state: closed.includes(id) ? 'closed' : 'opened',
      url: '',
      project_id: PROJECT,
      created_at: '2025-01-01T00:00:00.000Z',
      layer,
    })),
    dependencies: edges.map(([source = '', dependent = '']) => ({
      ...aDependency({
        source_issue_id: source,
        issue_key: `app#${source}`,
        dependent_issue_id: dependent,
        dependency_key: `app#${dependent}`,
      }),
      is_satisfied: closed.includes(source),
      is_in_cycle: false,
    })),
    cycles: [],
    longest_chain: [],
    scan: { read: 0, total: 0 },
    ...rest,
  };
}
