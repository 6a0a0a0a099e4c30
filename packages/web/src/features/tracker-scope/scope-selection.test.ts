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

describe('what rules select', () => {
  test('no rules select nothing', () => {
    expect(selectionOfRules([]).size).toBe(0);
  });

  test('an excluded organization and rules for projects of no included one select nothing', () => {
    expect(selectionOfRules([rule('- acme'), rule('+ beta/web')]).size).toBe(0);
  });

  test('an included organization is selected with every project but the excluded ones', () => {
    expect(selectedOf(selectionOfRules([rule('+ acme'), rule('- acme/sync')]))).toEqual([
      'acme/web',
      'acme/docs',
    ]);
  });

  test('projects included by name are the only ones selected', () => {
    expect(selectedOf(selectionOfRules([rule('+ acme'), rule('+ acme/docs')]))).toEqual(['acme/docs']);
  });

  test('a project that is included and excluded is not selected, whichever rule comes first', () => {
    expect(selectedOf(selectionOfRules([rule('+ acme'), rule('+ acme/web'), rule('- acme/web')]))).toEqual(
      [],
    );
    expect(selectedOf(selectionOfRules([rule('+ acme'), rule('- acme/web'), rule('+ acme/web')]))).toEqual(
      [],
    );
  });

  test('projects included in one organization leave another one whole', () => {
    const selection = selectionOfRules([rule('+ beta'), rule('+ acme'), rule('+ beta/app')]);
    expect(selectedOf(selection)).toEqual(['acme/web', 'acme/sync', 'acme/docs']);
  });

  test('letter case does not matter', () => {
    expect(selectedOf(selectionOfRules([rule('+ ACME'), rule('- Acme/WEB')]))).toEqual([
      'acme/sync',
      'acme/docs',
    ]);
  });

  test('future projects are included unless a project is included by name', () => {
    expect(includesFuture([rule('+ acme'), rule('- acme/web')])).toBe(true);
    expect(includesFuture([rule('+ acme'), rule('+ acme/web')])).toBe(false);
  });
});

describe('whose a project is', () => {
  test('a name that merely begins alike is not an owner', () => {
    expect(ownerOf('acme-labs/web', ['acme', 'beta'])).toBeNull();
  });

  test('the most specific group owns it', () => {
    expect(ownerOf('acme/tools/cli', ['acme', 'acme/tools'])).toBe('acme/tools');
  });

  test('a key without a slash belongs to the only organization, and to none of several', () => {
    expect(ownerOf('PROJ', ['acme.atlassian.net'])).toBe('acme.atlassian.net');
    expect(ownerOf('PROJ', ['one', 'two'])).toBeNull();
  });
});

describe('what the tree shows', () => {
  test('what only the rules name stays in the tree, marked as not visible', () => {
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

  test('before its projects arrive, an organization with rules for some is partly selected', () => {
    const state = (rules: ScopeRuleInput[]) =>
      organizationState(selectionOfRules(rules).get('acme'), undefined, true);
    expect(state([])).toBe('none');
    expect(state([rule('+ acme')])).toBe('all');
    expect(state([rule('+ acme'), rule('- acme/web')])).toBe('some');
    expect(state([rule('+ acme'), rule('+ acme/web')])).toBe('some');
  });

  test('an organization without one selected project counts only while future ones are included', () => {
    const scope = selectionOfRules([
      rule('+ acme'),
      ...acme.map(({ identifier }) => rule(`- ${identifier}`)),
    ]).get('acme');
    expect(organizationState(scope, acme, true)).toBe('some');
    expect(organizationState(scope, acme, false)).toBe('none');
  });
});

describe('what a click changes', () => {
  test('a partly selected organization becomes whole, a whole one is cleared', () => {
    const partly = selectionOfRules([rule('+ acme'), rule('- acme/web')]);
    const whole = toggleOrganization(partly, 'acme', 'some');
    expect(whole.get('acme')).toEqual(WHOLE_ORGANIZATION);
    expect(toggleOrganization(whole, 'acme', 'all').size).toBe(0);
  });

  test('the first project brings its organization with it, and nothing else', () => {
    const selection = toggleProject(new Map(), 'acme', 'acme/web', acme);
    expect(selectedOf(selection)).toEqual(['acme/web']);
    expect(organizationState(selection.get('acme'), acme, true)).toBe('some');
  });

  test('the last project takes its organization with it', () => {
    const one = toggleProject(new Map(), 'acme', 'acme/web', acme);
    expect(toggleProject(one, 'acme', 'acme/web', acme).size).toBe(0);
  });

  test('the original selection is left alone', () => {
    const before = selectionOfRules([rule('+ acme')]);
    toggleProject(before, 'acme', 'acme/web', acme);
    toggleOrganization(before, 'acme', 'all');
    expect(selectedOf(before)).toHaveLength(3);
  });

  test('Select All takes every organization, seen before or not', () => {
    const all = selectAll([
      { id: 'Acme', name: 'Acme', visible: true },
      { id: 'beta', name: 'Beta', visible: true },
    ]);
    expect([...all.keys()]).toEqual([scopeKey('Acme'), 'beta']);
    expect(selectedOf(all)).toHaveLength(3);
  });
});
