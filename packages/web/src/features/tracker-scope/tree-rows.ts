import type { ProjectChoice } from '@winnow/contract/tracker';
import {
  type CheckState,
  isProjectSelected,
  organizationState,
  type ScopeOrganization,
  type ScopeProject,
  type ScopeSelection,
  scopeKey,
  scopeProjects,
} from './scope-selection.ts';

/** Loading state of the projects of one organization. */
export type ProjectsState =
  | { status: 'idle' }
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'loaded'; projects: readonly ProjectChoice[] };

/** Position among the rows of the same level, starting at 1, for screen readers. */
type Place = { position: number; siblings: number };

/** A visible row of the tree. Its `id` is unique and does not change. */
export type TreeRow =
  | ({
      kind: 'organization';
      id: string;
      organization: ScopeOrganization;
      state: CheckState;
      expanded: boolean;
      /** Number of selected projects, such as `2 of 5`. Empty if unknown. */
      note: string;
    } & Place)
  | ({
      kind: 'project';
      id: string;
      organization: ScopeOrganization;
      project: ScopeProject;
      selected: boolean;
    } & Place)
  | ({
      kind: 'loading' | 'failed' | 'empty';
      id: string;
      organization: ScopeOrganization;
      /** Error of the request that failed to load the projects. */
      error?: unknown;
    } & Place);

export type TreeInput = {
  organizations: readonly ScopeOrganization[];
  selection: ScopeSelection;
  future: boolean;
  /**
   * Loading state of each organization's projects, by {@link scopeKey}. A missing entry means idle.
   */
  projects: ReadonlyMap<string, ProjectsState>;
  /** Expanded organizations, by {@link scopeKey}. */
  expanded: ReadonlySet<string>;
  /**
   * Search text. Only rows whose names contain it are displayed. An empty text displays all rows.
   */
  query: string;
};

function matches(query: string, { name, identifier }: { name: string; identifier: string }): boolean {
  return name.toLowerCase().includes(query) || identifier.toLowerCase().includes(query);
}

function childRows(input: TreeInput, organization: ScopeOrganization, query: string): TreeRow[] {
  const key = scopeKey(organization.id);
  const state = input.projects.get(key) ?? { status: 'idle' };
  const single = { organization, position: 1, siblings: 1 };
  if (state.status === 'failed') {
    return [{ ...single, kind: 'failed', id: `${key}?failed`, error: state.error }];
  }
  if (state.status !== 'loaded') return [{ ...single, kind: 'loading', id: `${key}?loading` }];
  const scope = input.selection.get(key);
  const all = scopeProjects(scope, state.projects);
  if (all.length === 0) return [{ ...single, kind: 'empty', id: `${key}?empty` }];
  const shown = query === '' ? all : all.filter((project) => matches(query, project));
  return shown.map((project, index) => ({
    kind: 'project',
    id: `${key}?${scopeKey(project.identifier)}`,
    organization,
    project,
    selected: isProjectSelected(scope, project.identifier),
    position: index + 1,
    siblings: shown.length,
  }));
}

function noteOf(
  { selection, future }: TreeInput,
  key: string,
  listed: readonly ProjectChoice[] | undefined,
): string {
  const scope = selection.get(key);
  if (listed === undefined || scope === undefined) return '';
  const projects = scopeProjects(scope, listed);
  const selected = projects.filter(({ identifier }) => isProjectSelected(scope, identifier)).length;
  if (projects.length === 0) return '';
  if (selected === 0) return future ? 'Future projects only' : '';
  return `${selected} of ${projects.length}`;
}

/**
 * Returns the visible rows in order. A search finds organizations by name and keeps them expanded
 * or collapsed. It also finds projects by name; their organizations are expanded and show only the
 * matching projects.
 */
export function treeRows(input: TreeInput): TreeRow[] {
  const query = input.query.trim().toLowerCase();
  const groups = input.organizations.flatMap((organization) => {
    const key = scopeKey(organization.id);
    const found =
      query === '' || input.projects.get(key)?.status !== 'loaded'
        ? []
        : childRows(input, organization, query).filter(({ kind }) => kind === 'project');
    const named = query === '' || matches(query, { name: organization.name, identifier: organization.id });
    if (!named && found.length === 0) return [];
    const expanded = found.length > 0 || input.expanded.has(key);
    const children = found.length > 0 ? found : expanded ? childRows(input, organization, '') : [];
    return [{ organization, key, expanded, children }];
  });
  return groups.flatMap(({ organization, key, expanded, children }, index): TreeRow[] => {
    const known = input.projects.get(key);
    const listed = known?.status === 'loaded' ? known.projects : undefined;
    const state = organizationState(input.selection.get(key), listed, input.future);
    return [
      {
        kind: 'organization',
        id: key,
        organization,
        state,
        expanded,
        note: noteOf(input, key, listed),
        position: index + 1,
        siblings: groups.length,
      },
      ...children,
    ];
  });
}
