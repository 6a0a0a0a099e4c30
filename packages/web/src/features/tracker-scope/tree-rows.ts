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

/** The projects of one organization, as far as they are known. */
export type ProjectsState =
  | { status: 'idle' }
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'loaded'; projects: readonly ProjectChoice[] };

/** Where a row stands among its siblings, from 1, as a screen reader says it. */
type Place = { position: number; siblings: number };

/** One visible line of the tree. `id` is unique in the tree and stays the same while the line does. */
export type TreeRow =
  | ({
      kind: 'organization';
      id: string;
      organization: ScopeOrganization;
      state: CheckState;
      expanded: boolean;
      /** How many of its projects are selected, in words; empty while that is not known or nothing to say. */
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
      /** Why the list failed. */
      error?: unknown;
    } & Place);

export type TreeInput = {
  organizations: readonly ScopeOrganization[];
  selection: ScopeSelection;
  future: boolean;
  /** By {@link scopeKey} of the organization; absent is idle. */
  projects: ReadonlyMap<string, ProjectsState>;
  /** The open organizations, by {@link scopeKey}. */
  expanded: ReadonlySet<string>;
  /** Shows only what has this in its name; empty shows all. */
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
 * The visible lines, from top to bottom. While searching, an organization is shown for its own name (open or closed as
 * it was) or for projects of that name (then open, with only those).
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
    const held = input.projects.get(key);
    const listed = held?.status === 'loaded' ? held.projects : undefined;
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
