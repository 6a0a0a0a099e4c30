import type { ScopeRuleInput } from '@winnow/contract/tracker';
import {
  includesFuture,
  isProjectSelected,
  type LoadedProjects,
  type OrganizationScope,
  organizationState,
  type ScopeOrganization,
  type ScopeSelection,
  scopeKey,
  scopeProjects,
} from './scope-selection.ts';

export type ScopeChoice = {
  organizations: readonly ScopeOrganization[];
  selection: ScopeSelection;
  loaded: LoadedProjects;
  /** True if the option 'Include future projects' is on. */
  future: boolean;
};

/** Returns the organizations that are at least partly selected. */
export function selectedOrganizations({
  organizations,
  selection,
  loaded,
  future,
}: ScopeChoice): ScopeOrganization[] {
  return organizations.filter(({ id }) => {
    const key = scopeKey(id);
    return organizationState(selection.get(key), loaded.get(key), future) !== 'none';
  });
}

/** True if the rules of an organization can be written even if its projects are not loaded. */
function canWriteWithoutProjects(scope: OrganizationScope, future: boolean): boolean {
  if (scope.rules === null) return future;
  return includesFuture(scope.rules) === future;
}

/**
 * Returns the selected organizations whose projects must be loaded before their rules can be
 * written.
 */
export function organizationsToLoad(choice: ScopeChoice): ScopeOrganization[] {
  return selectedOrganizations(choice).filter(({ id }) => {
    const key = scopeKey(id);
    const scope = choice.selection.get(key);
    return scope !== undefined && !choice.loaded.has(key) && !canWriteWithoutProjects(scope, choice.future);
  });
}

/**
 * Converts a selection to rules, which include each selected organization. If `future` is true,
 * unselected projects are excluded; otherwise, selected projects are included. An organization
 * keeps its stored rules while its projects are not loaded. Therefore, first load the projects of
 * all {@link organizationsToLoad}.
 */
export function scopeRulesOf(choice: ScopeChoice): ScopeRuleInput[] {
  const { selection, loaded, future } = choice;
  return selectedOrganizations(choice).flatMap(({ id }): ScopeRuleInput[] => {
    const scope = selection.get(scopeKey(id));
    const listed = loaded.get(scopeKey(id));
    if (listed === undefined && scope?.rules) return [...scope.rules];
    const named = scopeProjects(scope, listed ?? []).filter(
      ({ identifier }) => isProjectSelected(scope, identifier) !== future,
    );
    return [
      { rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: id },
      ...named.map(
        ({ identifier }): ScopeRuleInput => ({
          rule_type: future ? 'EXCLUDE' : 'INCLUDE',
          scope_type: 'PROJECT',
          identifier,
        }),
      ),
    ];
  });
}

/** Explains why the selection cannot be saved. Null if it can be saved. */
export function scopeProblem(choice: ScopeChoice): string | null {
  const selected = selectedOrganizations(choice);
  if (selected.length === 0) return 'Select at least one organization. Without one, nothing would be read.';
  const [unknown] = organizationsToLoad(choice);
  if (unknown !== undefined) {
    return `The projects of ${unknown.name} could not be loaded. Retry, or deselect ${unknown.name}.`;
  }
  const empty = selected.find(
    ({ id }) =>
      scopeProjects(choice.selection.get(scopeKey(id)), choice.loaded.get(scopeKey(id)) ?? []).length === 0,
  );
  if (!choice.future && empty !== undefined && choice.loaded.has(scopeKey(empty.id))) {
    return `${empty.name} has no projects yet. Include future projects, or deselect ${empty.name}.`;
  }
  return null;
}
