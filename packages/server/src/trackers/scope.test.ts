import type { ScopeRuleInput } from '@winnow/contract/tracker';
import { expect, test } from 'vitest';
import { includedOrganizations, scopeOf } from './scope.ts';

const projects = [{ identifier: 'acme/web' }, { identifier: 'acme/api' }, { identifier: 'acme/docs' }];
const rule = (
  rule_type: ScopeRuleInput['rule_type'],
  scope_type: ScopeRuleInput['scope_type'],
  identifier: string,
): ScopeRuleInput => ({ rule_type, scope_type, identifier });
const names = (rules: ScopeRuleInput[]) =>
  scopeOf(rules, 'acme', projects).inScope.map((item) => item.identifier);

test('an organization not included by a rule is out of scope', () => {
  expect(includedOrganizations([rule('EXCLUDE', 'ORGANIZATION', 'acme')])).toEqual([]);
  expect(includedOrganizations([rule('INCLUDE', 'PROJECT', 'acme/web')])).toEqual([]);
});

test('an organization included twice in different letter case counts once', () => {
  expect(
    includedOrganizations([rule('INCLUDE', 'ORGANIZATION', 'acme'), rule('INCLUDE', 'ORGANIZATION', 'ACME')]),
  ).toEqual(['acme']);
});

test('without project rules all projects are in scope, including future ones', () => {
  expect(names([rule('INCLUDE', 'ORGANIZATION', 'acme')])).toEqual(['acme/web', 'acme/api', 'acme/docs']);
});

test('an excluded project is out of scope even if it is also included', () => {
  expect(names([rule('EXCLUDE', 'PROJECT', 'Acme/API')])).toEqual(['acme/web', 'acme/docs']);
  expect(names([rule('INCLUDE', 'PROJECT', 'acme/api'), rule('EXCLUDE', 'PROJECT', 'acme/api')])).toEqual([]);
});

test('an included project excludes the others of its organization', () => {
  expect(names([rule('INCLUDE', 'PROJECT', 'acme/docs')])).toEqual(['acme/docs']);
});

test('a project rule of another organization has no effect', () => {
  expect(names([rule('INCLUDE', 'PROJECT', 'other/web')])).toEqual(['acme/web', 'acme/api', 'acme/docs']);
});

test('an included project that is not listed excludes the others, too, and is reported', () => {
  expect(scopeOf([rule('INCLUDE', 'PROJECT', 'ACME/gone')], 'acme', projects)).toEqual({
    inScope: [],
    missing: ['ACME/gone'],
  });
  const both = [rule('INCLUDE', 'PROJECT', 'acme/gone'), rule('EXCLUDE', 'PROJECT', 'acme/gone')];
  expect(scopeOf(both, 'acme', projects)).toEqual({ inScope: [], missing: [] });
});

test('an organization does not match one whose name begins with its name', () => {
  const rules = [rule('INCLUDE', 'PROJECT', 'acme-labs/web')];
  expect(scopeOf(rules, 'acme', projects)).toEqual({ inScope: projects, missing: [] });
});
