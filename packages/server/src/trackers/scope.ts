import type { ScopeRuleInput } from '@winnow/contract/tracker';
import { invalid } from '../platform/errors.ts';

/** Compares identifiers case-insensitively, like trackers do. */
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

/** Refuses rules without an included organization, with 422 for `scope_rules`. */
export function requireOrganization(rules: readonly ScopeRuleInput[]): void {
  if (includedOrganizations(rules).length > 0) return;
  const message = 'Include at least one organization. Without one, nothing would be read.';
  throw invalid([{ path: 'scope_rules', message }]);
}

/** Effect of the rules on one included organization. */
export interface OrganizationScope<T> {
  inScope: T[];
  /** Identifiers of projects that the rules include by name but the tracker does not list. */
  missing: string[];
}

/**
 * Determines which listed projects of an organization are in scope.
 * Excluded projects are out of scope. If any project of the organization is included by name,
 * listed or not, only included ones are in scope. Otherwise all are, including future ones. Rules
 * for projects of other organizations have no effect.
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
  // An identifier that starts with the organization belongs to it, even if the project is not
  // listed.
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
