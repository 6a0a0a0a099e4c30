import type { ScopeRuleInput } from '@winnow/contract/tracker';
import { invalid } from '../platform/errors.ts';

/** Compares two identifiers case-insensitively, as trackers do. */
function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** Returns the organizations that the rules include. */
export function includedOrganizations(rules: readonly ScopeRuleInput[]): string[] {
  const identifiers: string[] = [];
  for (const rule of rules) {
    if (rule.rule_type !== 'INCLUDE' || rule.scope_type !== 'ORGANIZATION') continue;
    if (!identifiers.some((identifier) => same(identifier, rule.identifier)))
      identifiers.push(rule.identifier);
  }
  return identifiers;
}

/** Refuses rules that include no organization: 422 for the field `scope_rules`. */
export function requireOrganization(rules: readonly ScopeRuleInput[]): void {
  if (includedOrganizations(rules).length > 0) return;
  const message = 'Include at least one organization. Without one, nothing would be read.';
  throw invalid([{ path: 'scope_rules', message }]);
}

/** Result of applying the scope rules to one included organization. */
export interface OrganizationScope<T> {
  inScope: T[];
  /** Identifiers of projects that the rules include, but the tracker does not list. */
  missing: string[];
}

/**
 * Determines which of an organization's listed projects are in scope. Excluded projects are always
 * out of scope.
 *
 * If the rules include any project of the organization by name, only included projects are in
 * scope. That also applies if the tracker does not list the included project. Otherwise all
 * projects are in scope, including future ones. Rules for projects of other organizations have no
 * effect.
 */
export function scopeOf<T extends { identifier: string }>(
  rules: readonly ScopeRuleInput[],
  organization: string,
  listed: readonly T[],
): OrganizationScope<T> {
  const named = (type: 'INCLUDE' | 'EXCLUDE') =>
    rules
      .filter((rule) => rule.rule_type === type && rule.scope_type === 'PROJECT')
      .map((rule) => rule.identifier);
  const names = (identifiers: readonly string[], identifier: string) =>
    identifiers.some((name) => same(name, identifier));
  const isListed = (identifier: string) => listed.some((project) => same(project.identifier, identifier));
  // A project identifier that starts with the organization's name belongs to the organization, even
  // if the tracker does not list the project.
  const isBelow = (identifier: string) =>
    same(identifier.slice(0, Math.max(0, identifier.lastIndexOf('/'))), organization);
  const excluded = named('EXCLUDE');
  const included = named('INCLUDE').filter((identifier) => isListed(identifier) || isBelow(identifier));
  return {
    inScope: listed.filter(
      ({ identifier }) =>
        !names(excluded, identifier) && (included.length === 0 || names(included, identifier)),
    ),
    missing: included.filter((identifier) => !isListed(identifier) && !names(excluded, identifier)),
  };
}
