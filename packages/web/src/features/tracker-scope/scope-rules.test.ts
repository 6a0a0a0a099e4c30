import type { ProjectChoice, ScopeRuleInput } from '@winnow/contract/tracker';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  organizationsToLoad,
  type ScopeChoice,
  scopeProblem,
  scopeRulesOf,
  selectedOrganizations,
} from './scope-rules.ts';
import {
  includesFuture,
  type ScopeSelection,
  scopeKey,
  selectAll,
  selectionOfRules,
  toggleOrganization,
  toggleProject,
} from './scope-selection.ts';

function projectsOf(organization: string, ...names: string[]): ProjectChoice[] {
  return names.map((name) => ({
    id: `${organization}/${name}`,
    identifier: `${organization}/${name}`,
    name,
    type: 'project',
  }));
}
const organizations = ['acme', 'beta'].map((id) => ({ id, name: id.toUpperCase(), visible: true }));
const loaded = new Map([
  ['acme', projectsOf('acme', 'web', 'sync', 'docs')],
  ['beta', projectsOf('beta', 'app')],
]);
const nothingLoaded = new Map<string, ProjectChoice[]>();

function choice(selection: ScopeSelection, parts: Partial<ScopeChoice> = {}): ScopeChoice {
  return { organizations, selection, loaded, future: true, ...parts };
}
function written(rules: readonly ScopeRuleInput[]): string[] {
  return rules.map(({ rule_type, scope_type, identifier }) => `${rule_type} ${scope_type} ${identifier}`);
}
function rules(...texts: string[]): ScopeRuleInput[] {
  return texts.map((text) => ({
    rule_type: text.startsWith('+') ? 'INCLUDE' : 'EXCLUDE',
    scope_type: text.includes('/') ? 'PROJECT' : 'ORGANIZATION',
    identifier: text.slice(1),
  }));
}

describe('problems that prevent saving', () => {
  test('refuses to save a selection without an organization', () => {
    expect(scopeProblem(choice(new Map()))).toBe(
      'Select at least one organization. Without one, nothing would be read.',
    );
    expect(scopeRulesOf(choice(new Map()))).toEqual([]);
  });

  test('refuses to save without future projects while the projects of an organization are not loaded', () => {
    const unknown = choice(selectAll(organizations), { loaded: nothingLoaded, future: false });
    expect(organizationsToLoad(unknown).map(({ id }) => id)).toEqual(['acme', 'beta']);
    expect(scopeProblem(unknown)).toBe('The projects of ACME could not be loaded. Retry, or deselect ACME.');
  });

  test('refuses to save an empty organization without future projects, since all its later projects would be synced', () => {
    const empty = choice(selectAll(organizations), {
      loaded: new Map([...loaded, ['beta', []]]),
      future: false,
    });
    expect(scopeProblem(empty)).toBe('BETA has no projects yet. Include future projects, or deselect BETA.');
  });
});

describe('rules of a selection', () => {
  test('includes selected organizations and excludes unselected projects if future projects are included', () => {
    const selection = toggleProject(selectAll(organizations), 'acme', 'acme/sync', loaded.get('acme') ?? []);
    expect(written(scopeRulesOf(choice(selection)))).toEqual([
      'INCLUDE ORGANIZATION acme',
      'EXCLUDE PROJECT acme/sync',
      'INCLUDE ORGANIZATION beta',
    ]);
  });

  test('includes selected organizations and selected projects if future projects are not included', () => {
    const selection = toggleProject(new Map(), 'acme', 'acme/sync', loaded.get('acme') ?? []);
    expect(written(scopeRulesOf(choice(selection, { future: false })))).toEqual([
      'INCLUDE ORGANIZATION acme',
      'INCLUDE PROJECT acme/sync',
    ]);
  });

  test('includes an organization as a whole if it was selected before its projects were loaded', () => {
    const selection = toggleOrganization(new Map(), 'beta', 'none');
    const early = choice(selection, { loaded: nothingLoaded });
    expect(scopeProblem(early)).toBeNull();
    expect(written(scopeRulesOf(early))).toEqual(['INCLUDE ORGANIZATION beta']);
  });

  test('includes an empty organization for its future projects', () => {
    const selection = toggleOrganization(new Map(), 'beta', 'none');
    const empty = choice(selection, { loaded: new Map([['beta', []]]) });
    expect(scopeProblem(empty)).toBeNull();
    expect(written(scopeRulesOf(empty))).toEqual(['INCLUDE ORGANIZATION beta']);
  });
});

describe('rules of an edited tracker', () => {
  test('keeps the rules of an organization whose projects are not loaded', () => {
    const stored = rules('+acme', '-acme/web', '+beta', '-beta/app');
    const selection = toggleProject(selectionOfRules(stored), 'beta', 'beta/app', loaded.get('beta') ?? []);
    const partly = choice(selection, { loaded: new Map([['beta', loaded.get('beta') ?? []]]) });
    expect(scopeProblem(partly)).toBeNull();
    expect(written(scopeRulesOf(partly))).toEqual(written(rules('+acme', '-acme/web', '+beta')));
  });

  test('keeps stored rules while projects are not loaded, even rules that the dialog would not create', () => {
    const stored = rules('+acme', '+acme/web', '-acme/docs');
    const unknown = choice(selectionOfRules(stored), { loaded: nothingLoaded, future: false });
    expect(scopeProblem(unknown)).toBeNull();
    expect(written(scopeRulesOf(unknown))).toEqual(written(stored));
  });

  test('loads the projects of an organization if the future projects setting differs from its rules', () => {
    const stored = selectionOfRules(rules('+acme', '-acme/web', '+beta', '+beta/app'));
    const byName = choice(stored, { loaded: nothingLoaded, future: false });
    expect(organizationsToLoad(byName).map(({ id }) => id)).toEqual(['acme']);
    const withFuture = choice(stored, { loaded: nothingLoaded, future: true });
    expect(organizationsToLoad(withFuture).map(({ id }) => id)).toEqual(['beta']);
  });

  test('keeps the rule of a project that the token does not list', () => {
    for (const stored of [rules('+acme', '-acme/gone'), rules('+acme', '+acme/gone', '+acme/web')]) {
      const same = choice(selectionOfRules(stored), { future: includesFuture(stored) });
      expect(new Set(written(scopeRulesOf(same)))).toEqual(new Set(written(stored)));
    }
  });

  test('drops an organization without selected projects if future projects are excluded', () => {
    const stored = selectionOfRules(rules('+acme', '-acme/web', '-acme/sync', '-acme/docs', '+beta'));
    expect(selectedOrganizations(choice(stored)).map(({ id }) => id)).toEqual(['acme', 'beta']);
    expect(written(scopeRulesOf(choice(stored, { future: false })))).toEqual(
      written(rules('+beta', '+beta/app')),
    );
  });

  test('saves unedited rules unchanged', () => {
    const names = ['one', 'two', 'three', 'four'];
    const anOrganization = fc.record({ projects: fc.subarray(names), left: fc.subarray(names) });
    fc.assert(
      fc.property(
        fc.array(anOrganization, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.boolean(),
        (specs, future, arrived) => {
          const all = specs.map((spec, index) => ({ ...spec, id: `org${index}` }));
          const stored = all.flatMap(({ id, projects, left }) => {
            const named = projects.filter((name) => left.includes(name));
            if (!future && named.length === 0) return [];
            return rules(`+${id}`, ...named.map((name) => `${future ? '-' : '+'}${id}/${name}`));
          });
          fc.pre(includesFuture(stored) === future);
          const result = scopeRulesOf({
            organizations: all.map(({ id }) => ({ id, name: id, visible: true })),
            selection: selectionOfRules(stored),
            loaded: new Map(
              arrived ? all.map(({ id, projects }) => [scopeKey(id), projectsOf(id, ...projects)]) : [],
            ),
            future,
          });
          expect(new Set(written(result))).toEqual(new Set(written(stored)));
          expect(result).toHaveLength(stored.length);
        },
      ),
    );
  });
});
