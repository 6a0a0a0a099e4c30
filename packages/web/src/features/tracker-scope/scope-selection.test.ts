import type { ProjectChoice, ScopeRuleInput } from '@winnow/contract/tracker';
import { describe, expect, test } from 'vitest';
import {
  includesFuture,
  isProjectSelected,
  organizationState,
  ownerOf,
  type ScopeSelection,
  scopeKey,
  scopeOrganizations,
  scopeProjects,
  selectAll,
  selectionOfRules,
  toggleOrganization,
  toggleProject,
  WHOLE_ORGANIZATION,
} from './scope-selection.ts';

function project(identifier: string): ProjectChoice {
  return { id: identifier, name: identifier.split('/').at(-1) ?? identifier, identifier, type: 'project' };
}
function rule(text: string): ScopeRuleInput {
  const [kind, identifier = ''] = text.split(' ');
  return {
    rule_type: kind?.startsWith('+') ? 'INCLUDE' : 'EXCLUDE',
    scope_type: identifier.includes('/') ? 'PROJECT' : 'ORGANIZATION',
    identifier,
  };
}
const acme = [project('acme/web'), project('acme/sync'), project('acme/docs')];
const selectedOf = (selection: ScopeSelection, projects = acme) =>
  projects
    .map(({ identifier }) => identifier)
    .filter((identifier) => isProjectSelected(selection.get('acme'), identifier));

describe('selection that rules describe', () => {
  test('selects nothing without rules', () => {
    expect(selectionOfRules([]).size).toBe(0);
  });

  test('selects neither an excluded organization nor projects of organizations that are not included', () => {
    expect(selectionOfRules([rule('- acme'), rule('+ beta/web')]).size).toBe(0);
  });

  test('selects all projects of an included organization except excluded projects', () => {
    expect(selectedOf(selectionOfRules([rule('+ acme'), rule('- acme/sync')]))).toEqual([
      'acme/web',
      'acme/docs',
    ]);
  });

  test('selects only the projects that are included by name if rules name any', () => {
    expect(selectedOf(selectionOfRules([rule('+ acme'), rule('+ acme/docs')]))).toEqual(['acme/docs']);
  });

  test('does not select a project that is both included and excluded, in any order', () => {
    expect(selectedOf(selectionOfRules([rule('+ acme'), rule('+ acme/web'), rule('- acme/web')]))).toEqual(
      [],
    );
    expect(selectedOf(selectionOfRules([rule('+ acme'), rule('- acme/web'), rule('+ acme/web')]))).toEqual(
      [],
    );
  });

  test('does not restrict an organization by project rules of another', () => {
    const selection = selectionOfRules([rule('+ beta'), rule('+ acme'), rule('+ beta/app')]);
    expect(selectedOf(selection)).toEqual(['acme/web', 'acme/sync', 'acme/docs']);
  });

  test('ignores letter case in the rules', () => {
    expect(selectedOf(selectionOfRules([rule('+ ACME'), rule('- Acme/WEB')]))).toEqual([
      'acme/sync',
      'acme/docs',
    ]);
  });

  test('includes future projects unless a rule includes a project by name', () => {
    expect(includesFuture([rule('+ acme'), rule('- acme/web')])).toBe(true);
    expect(includesFuture([rule('+ acme'), rule('+ acme/web')])).toBe(false);
  });
});

describe('owner of a project', () => {
  test('does not match an organization whose name is only a prefix of the project owner', () => {
    expect(ownerOf('acme-labs/web', ['acme', 'beta'])).toBeNull();
  });

  test('returns the innermost group that contains a project as its owner', () => {
    expect(ownerOf('acme/tools/cli', ['acme', 'acme/tools'])).toBe('acme/tools');
  });

  test('returns the only organization as owner of a project key without a slash, and null if there are several', () => {
    expect(ownerOf('PROJ', ['acme.atlassian.net'])).toBe('acme.atlassian.net');
    expect(ownerOf('PROJ', ['one', 'two'])).toBeNull();
  });
});

describe('entries of the tree', () => {
  test('includes organizations and projects that only rules name, marked as not visible', () => {
    const rules = [rule('+ acme'), rule('+ gone'), rule('- acme/old')];
    const organizations = scopeOrganizations(
      [{ id: 'Acme', name: 'Acme', type: 'organization', children: [] }],
      rules,
    );
    expect(organizations).toEqual([
      { id: 'Acme', name: 'Acme', visible: true },
      { id: 'gone', name: 'gone', visible: false },
    ]);
    expect(scopeProjects(selectionOfRules(rules).get('acme'), acme).at(-1)).toEqual({
      identifier: 'acme/old',
      name: 'old',
      visible: false,
    });
  });

  test('shows an organization with project rules as partly selected before its projects are loaded', () => {
    const state = (rules: ScopeRuleInput[]) =>
      organizationState(selectionOfRules(rules).get('acme'), undefined, true);
    expect(state([])).toBe('none');
    expect(state([rule('+ acme')])).toBe('all');
    expect(state([rule('+ acme'), rule('- acme/web')])).toBe('some');
    expect(state([rule('+ acme'), rule('+ acme/web')])).toBe('some');
  });

  test('shows an organization without selected projects as partly selected only if future projects are included', () => {
    const scope = selectionOfRules([
      rule('+ acme'),
      ...acme.map(({ identifier }) => rule(`- ${identifier}`)),
    ]).get('acme');
    expect(organizationState(scope, acme, true)).toBe('some');
    expect(organizationState(scope, acme, false)).toBe('none');
  });
});

describe('effect of a click in the tree', () => {
  test('selects a partly selected organization as a whole, and deselects a fully selected one', () => {
    const partly = selectionOfRules([rule('+ acme'), rule('- acme/web')]);
    const whole = toggleOrganization(partly, 'acme', 'some');
    expect(whole.get('acme')).toEqual(WHOLE_ORGANIZATION);
    expect(toggleOrganization(whole, 'acme', 'all').size).toBe(0);
  });

  test('selects the organization of the first selected project, but no other project', () => {
    const selection = toggleProject(new Map(), 'acme', 'acme/web', acme);
    expect(selectedOf(selection)).toEqual(['acme/web']);
    expect(organizationState(selection.get('acme'), acme, true)).toBe('some');
  });

  test('deselects the organization of the last deselected project', () => {
    const one = toggleProject(new Map(), 'acme', 'acme/web', acme);
    expect(toggleProject(one, 'acme', 'acme/web', acme).size).toBe(0);
  });

  test('does not mutate the original selection', () => {
    const before = selectionOfRules([rule('+ acme')]);
    toggleProject(before, 'acme', 'acme/web', acme);
    toggleOrganization(before, 'acme', 'all');
    expect(selectedOf(before)).toHaveLength(3);
  });

  test('selects every organization on Select All, even if its projects are not loaded', () => {
    const all = selectAll([
      { id: 'Acme', name: 'Acme', visible: true },
      { id: 'beta', name: 'Beta', visible: true },
    ]);
    expect([...all.keys()]).toEqual([scopeKey('Acme'), 'beta']);
    expect(selectedOf(all)).toHaveLength(3);
  });
});
