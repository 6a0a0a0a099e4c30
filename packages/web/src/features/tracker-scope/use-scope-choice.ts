import type { ScopeRuleInput } from '@winnow/contract/tracker';
import { type Dispatch, type SetStateAction, useState } from 'react';
import {
  organizationsToLoad,
  type ScopeChoice,
  scopeProblem,
  scopeRulesOf,
  selectedOrganizations,
} from './scope-rules.ts';
import {
  organizationState,
  type ScopeOrganization,
  type ScopeSelection,
  scopeKey,
  selectAll,
  toggleOrganization,
  toggleProject,
} from './scope-selection.ts';
import { type TreeRow, treeRows } from './tree-rows.ts';
import { type CheckedConnection, useProjects } from './use-projects.ts';

/**
 * Selection made in step 2 of the tracker dialog. The dialog stores it, so that it is not lost when
 * the user goes back to step 1.
 */
export type ScopeDraft = { selection: ScopeSelection; future: boolean };

export type ScopeChoiceParts = {
  connection: CheckedConnection;
  organizations: readonly ScopeOrganization[];
  draft: ScopeDraft;
  onDraft: Dispatch<SetStateAction<ScopeDraft>>;
  onSave: (rules: ScopeRuleInput[]) => void;
};

/** Returns the state and actions of the tree in step 2 of the tracker dialog. */
export function useScopeChoice({ connection, organizations, draft, onDraft, onSave }: ScopeChoiceParts) {
  const { selection, future } = draft;
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(
    () => new Set(organizations.length === 1 ? organizations.map(({ id }) => scopeKey(id)) : []),
  );
  const [query, setQuery] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [listsEnded, setListsEnded] = useState<number | null>(null);
  const [settling, setSettling] = useState(false);
  const projects = useProjects(connection, organizations, (key) => selection.has(key) || expanded.has(key));
  const choice: ScopeChoice = { organizations, selection, loaded: projects.loaded, future };
  const input = { organizations, selection, future, projects: projects.states, expanded, query };
  const rows = treeRows(input);
  const isWhole =
    organizations.length > 0 &&
    organizations.every(({ id }) => {
      const key = scopeKey(id);
      return organizationState(selection.get(key), projects.loaded.get(key), future) === 'all';
    });

  function change(next: Partial<ScopeDraft>): void {
    setProblem(null);
    onDraft((current) => ({ ...current, ...next }));
  }

  function expand(organizationId: string, open: boolean): void {
    const next = new Set(expanded);
    if (open) next.add(scopeKey(organizationId));
    else next.delete(scopeKey(organizationId));
    setExpanded(next);
  }

  function toggle(row: TreeRow): void {
    const { organization } = row;
    if (row.kind === 'organization') {
      if (row.state !== 'all') expand(organization.id, true);
      change({ selection: toggleOrganization(selection, organization.id, row.state) });
    } else if (row.kind === 'project') {
      const listed = projects.loaded.get(scopeKey(organization.id)) ?? [];
      change({ selection: toggleProject(selection, organization.id, row.project.identifier, listed) });
    } else if (row.kind === 'failed') void projects.load(organization);
  }

  /**
   * Loads the projects of all organizations and then selects everything. If everything is selected
   * already, deselects everything.
   */
  async function toggleAll(): Promise<void> {
    if (isWhole) return change({ selection: new Map() });
    setListsEnded(0);
    await projects.loadAll(organizations, setListsEnded);
    setListsEnded(null);
    change({ selection: selectAll(organizations) });
  }

  /**
   * Loads the projects that the rules depend on. Then saves the rules, or shows why they cannot be
   * saved.
   */
  async function save(): Promise<void> {
    setSettling(true);
    const loaded = await projects.loadAll(organizationsToLoad(choice), () => undefined);
    setSettling(false);
    const settled = { ...choice, loaded };
    const found = scopeProblem(settled);
    setProblem(found);
    if (found === null) onSave(scopeRulesOf(settled));
  }

  return {
    rows,
    query,
    setQuery,
    /** Number of rows when no search is active. */
    lines: query === '' ? rows.length : treeRows({ ...input, query: '' }).length,
    selectedCount: selectedOrganizations(choice).length,
    isWhole,
    setFuture: (on: boolean) => change({ future: on }),
    expand,
    toggle,
    toggleAll,
    /** Number of organizations whose projects are loaded, while Select All runs. Otherwise null. */
    listsEnded,
    save,
    settling,
    problem,
  };
}
