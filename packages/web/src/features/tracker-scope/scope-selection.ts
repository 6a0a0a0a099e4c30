import type { OrganizationChoice, ProjectChoice, ScopeRuleInput } from '@winnow/contract/tracker';

/** An organization of the tree. Its identifier names it; letter case does not matter. */
export type ScopeOrganization = Pick<OrganizationChoice, 'id' | 'name'> & {
  /** Whether the token sees it. Rules may name one that it no longer sees. */
  visible: boolean;
};

/** A project of the tree; `visible` as for organizations. */
export type ScopeProject = Pick<ProjectChoice, 'identifier' | 'name'> & { visible: boolean };

/** What is selected of one organization. */
export type OrganizationScope = {
  /** Projects that somebody or a rule spoke of, by {@link scopeKey}. */
  readonly named: ReadonlyMap<string, { identifier: string; selected: boolean }>;
  /** Whether the projects that nobody spoke of are selected. */
  readonly others: boolean;
  /** The rules this came from, for as long as nobody touched it; null once somebody did. */
  readonly rules: readonly ScopeRuleInput[] | null;
};

/** The selected organizations, by {@link scopeKey}. One that is not in the map is not selected. */
export type ScopeSelection = ReadonlyMap<string, OrganizationScope>;

/** The projects of the organizations whose lists have arrived, by {@link scopeKey} of the organization. */
export type LoadedProjects = ReadonlyMap<string, readonly ProjectChoice[]>;

export type CheckState = 'none' | 'some' | 'all';

/** An organization with all it has, present and future. */
export const WHOLE_ORGANIZATION: OrganizationScope = { named: new Map(), others: true, rules: null };

/** Under which name the maps hold an identifier: trackers compare them without regard to letter case. */
export function scopeKey(identifier: string): string {
  return identifier.toLowerCase();
}

/**
 * The organization that a project belongs to: the longest one whose identifier its own starts with. An identifier
 * without a slash (a Jira key) belongs to the only organization there is. Null when none fits.
 */
export function ownerOf(projectIdentifier: string, organizations: readonly string[]): string | null {
  const project = scopeKey(projectIdentifier);
  const owners = organizations.filter((organization) => project.startsWith(`${scopeKey(organization)}/`));
  const [longest] = owners.toSorted((left, right) => right.length - left.length);
  if (longest !== undefined) return longest;
  const [only] = organizations;
  return only !== undefined && organizations.length === 1 && !project.includes('/') ? only : null;
}

/** Whether 'Include future projects' is on for these rules: it is, unless a project is included by name. */
export function includesFuture(rules: readonly ScopeRuleInput[]): boolean {
  return !rules.some((rule) => rule.scope_type === 'PROJECT' && rule.rule_type === 'INCLUDE');
}

/** The identifiers of the organizations that the rules take in. */
export function includedOrganizations(rules: readonly ScopeRuleInput[]): string[] {
  const included = rules.filter((rule) => rule.scope_type === 'ORGANIZATION' && rule.rule_type === 'INCLUDE');
  return [...new Map(included.map(({ identifier }) => [scopeKey(identifier), identifier])).values()];
}

/**
 * What the rules of a tracker select. Of an included organization everything is selected but the excluded projects;
 * where projects of it are included by name, only those are. Rules of one organization say nothing about another.
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

/** The organizations a token sees and, after them, those that only the rules name. */
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

/** The listed projects of an organization and, after them, those that only its rules name. */
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

/** Whether a project is selected. */
export function isProjectSelected(scope: OrganizationScope | undefined, identifier: string): boolean {
  return scope !== undefined && (scope.named.get(scopeKey(identifier))?.selected ?? scope.others);
}

/**
 * How an organization's box is shown. One that is selected without any of its projects counts as partly selected while
 * future projects are included, and as not selected otherwise: then nothing of it would be read.
 *
 * @param listed its projects; undefined while they are not known
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

/** Selects all of an organization, or, when all of it is selected, nothing of it. */
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

/** Selects a project or takes it out. An organization goes with the last of its projects, and comes with the first. */
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

/** Everything there is. */
export function selectAll(organizations: readonly ScopeOrganization[]): ScopeSelection {
  return new Map(organizations.map(({ id }) => [scopeKey(id), WHOLE_ORGANIZATION]));
}
