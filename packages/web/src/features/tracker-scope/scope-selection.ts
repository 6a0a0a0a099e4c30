import type { OrganizationChoice, ProjectChoice, ScopeRuleInput } from '@winnow/contract/tracker';

/** An organization of the tree. Identifiers (`id`) are compared case-insensitively. */
export type ScopeOrganization = Pick<OrganizationChoice, 'id' | 'name'> & {
  /** False if only a rule names the organization, because the token cannot access it. */
  visible: boolean;
};

/** A project of the tree. `visible` is false if only a rule names the project. */
export type ScopeProject = Pick<ProjectChoice, 'identifier' | 'name'> & { visible: boolean };

/** The selected projects of one organization. */
export type OrganizationScope = {
  /** Projects that the user or a rule explicitly selected or deselected, by {@link scopeKey}. */
  readonly named: ReadonlyMap<string, { identifier: string; selected: boolean }>;
  /** True if projects that are not in `named` are selected. */
  readonly others: boolean;
  /** The stored rules of the organization; null once the user edited its selection. */
  readonly rules: readonly ScopeRuleInput[] | null;
};

/**
 * Selected organizations by {@link scopeKey}. An organization that is not in the map is not
 * selected.
 */
export type ScopeSelection = ReadonlyMap<string, OrganizationScope>;

/** Loaded projects of each organization, by {@link scopeKey} of the organization. */
export type LoadedProjects = ReadonlyMap<string, readonly ProjectChoice[]>;

export type CheckState = 'none' | 'some' | 'all';

/** Selection of all current and future projects of an organization. */
export const WHOLE_ORGANIZATION: OrganizationScope = { named: new Map(), others: true, rules: null };

/** Returns the map key of an identifier. Trackers compare identifiers case-insensitively. */
export function scopeKey(identifier: string): string {
  return identifier.toLowerCase();
}

/**
 * Returns the organization of a project: the one with the longest matching path prefix. A project
 * key without a slash (Jira) belongs to the only organization. Null if no organization matches.
 */
export function ownerOf(projectIdentifier: string, organizations: readonly string[]): string | null {
  const project = scopeKey(projectIdentifier);
  const owners = organizations.filter((organization) => project.startsWith(`${scopeKey(organization)}/`));
  const [longest] = owners.toSorted((left, right) => right.length - left.length);
  if (longest !== undefined) return longest;
  const [only] = organizations;
  return only !== undefined && organizations.length === 1 && !project.includes('/') ? only : null;
}

/** True if the rules include future projects: no rule includes a project by name. */
export function includesFuture(rules: readonly ScopeRuleInput[]): boolean {
  return !rules.some((rule) => rule.scope_type === 'PROJECT' && rule.rule_type === 'INCLUDE');
}

/** Returns the identifiers of the organizations that the rules include. */
function includedOrganizations(rules: readonly ScopeRuleInput[]): string[] {
  const included = rules.filter((rule) => rule.scope_type === 'ORGANIZATION' && rule.rule_type === 'INCLUDE');
  return [...new Map(included.map(({ identifier }) => [scopeKey(identifier), identifier])).values()];
}

/**
 * Returns the selection that the rules of a tracker describe. Only projects of included
 * organizations are selected. If rules include projects of an organization by name, only those are
 * selected. Otherwise, all its projects except excluded ones are selected.
 */
export function selectionOfRules(rules: readonly ScopeRuleInput[]): ScopeSelection {
  const organizations = includedOrganizations(rules);
  const projectRules = rules.filter((rule) => rule.scope_type === 'PROJECT');
  return new Map(
    organizations.map((organization) => {
      const own = projectRules.filter((rule) => ownerOf(rule.identifier, organizations) === organization);
      const named = new Map<string, { identifier: string; selected: boolean }>();
      for (const { rule_type, identifier } of own) {
        const excluded = named.get(scopeKey(identifier))?.selected === false;
        named.set(scopeKey(identifier), { identifier, selected: rule_type === 'INCLUDE' && !excluded });
      }
      const scope: OrganizationScope = {
        named,
        others: includesFuture(own),
        rules: [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: organization }, ...own],
      };
      return [scopeKey(organization), scope];
    }),
  );
}

/**
 * Returns the organizations that the token can access. Organizations that the scope rules include
 * without access follow.
 */
export function scopeOrganizations(
  visible: readonly OrganizationChoice[],
  rules: readonly ScopeRuleInput[],
): ScopeOrganization[] {
  const seen = new Set(visible.map(({ id }) => scopeKey(id)));
  const unseen = includedOrganizations(rules).filter((identifier) => !seen.has(scopeKey(identifier)));
  return [
    ...visible.map(({ id, name }) => ({ id, name, visible: true })),
    ...unseen.map((identifier) => ({ id: identifier, name: identifier, visible: false })),
  ];
}

/**
 * Returns the projects of an organization that the tracker listed, followed by those that only
 * rules name.
 */
export function scopeProjects(
  scope: OrganizationScope | undefined,
  listed: readonly ProjectChoice[],
): ScopeProject[] {
  const seen = new Set(listed.map(({ identifier }) => scopeKey(identifier)));
  const unseen = [...(scope?.named ?? [])].filter(([key]) => !seen.has(key));
  return [
    ...listed.map(({ identifier, name }) => ({ identifier, name, visible: true })),
    ...unseen.map(([, { identifier }]) => ({
      identifier,
      name: identifier.split('/').at(-1) ?? identifier,
      visible: false,
    })),
  ];
}

export function isProjectSelected(scope: OrganizationScope | undefined, identifier: string): boolean {
  return scope !== undefined && (scope.named.get(scopeKey(identifier))?.selected ?? scope.others);
}

/**
 * Returns the state of an organization's checkbox. If no project is selected, the state is `some`
 * if future projects are included, else `none`, since nothing would be synced. `listed` is
 * undefined while the projects are loading.
 */
export function organizationState(
  scope: OrganizationScope | undefined,
  listed: readonly ProjectChoice[] | undefined,
  future: boolean,
): CheckState {
  if (scope === undefined) return 'none';
  if (listed === undefined) {
    const left = [...scope.named.values()].some(({ selected }) => !selected);
    return scope.others && !left ? 'all' : 'some';
  }
  const projects = scopeProjects(scope, listed);
  const selected = projects.filter(({ identifier }) => isProjectSelected(scope, identifier)).length;
  if (selected === projects.length) return 'all';
  return selected > 0 || future ? 'some' : 'none';
}

/** Selects all projects of an organization. If all are selected, deselects the organization. */
export function toggleOrganization(
  selection: ScopeSelection,
  organization: string,
  state: CheckState,
): ScopeSelection {
  const next = new Map(selection);
  if (state === 'all') next.delete(scopeKey(organization));
  else next.set(scopeKey(organization), WHOLE_ORGANIZATION);
  return next;
}

/**
 * Selects or deselects a project. Selecting the first project of an organization also selects the
 * organization. Deselecting the last project also deselects the organization.
 */
export function toggleProject(
  selection: ScopeSelection,
  organization: string,
  project: string,
  listed: readonly ProjectChoice[],
): ScopeSelection {
  const key = scopeKey(organization);
  const scope = selection.get(key);
  const named = new Map(scope?.named);
  named.set(scopeKey(project), { identifier: project, selected: !isProjectSelected(scope, project) });
  const changed: OrganizationScope = { named, others: scope?.others ?? false, rules: null };
  const next = new Map(selection);
  const left = scopeProjects(changed, listed).some(({ identifier }) =>
    isProjectSelected(changed, identifier),
  );
  if (left) next.set(key, changed);
  else next.delete(key);
  return next;
}

/** Selects all current and future projects of all organizations. */
export function selectAll(organizations: readonly ScopeOrganization[]): ScopeSelection {
  return new Map(organizations.map(({ id }) => [scopeKey(id), WHOLE_ORGANIZATION]));
}
