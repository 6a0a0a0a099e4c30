import type { ScopeRuleInput } from '@winnow/contract/tracker';
import { invalid } from '../platform/errors.ts';

/** Identifiers are compared as trackers do: without regard to letter case. */
function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** The organizations the rules take in. */
export function includedOrganizations(rules: readonly ScopeRuleInput[]): string[] {
  const identifiers: string[] = [];
  for (const rule of rules) {
    if (rule.rule_type !== 'INCLUDE' || rule.scope_type !== 'ORGANIZATION') continue;
    if (!identifiers.some((identifier) => same(identifier, rule.identifier)))
      identifiers.push(rule.identifier);
  }
  return identifiers;
}

/** Refuses rules that take in nothing, with 422 at `scope_rules`. */
export function requireOrganization(rules: readonly ScopeRuleInput[]): void {
  if (includedOrganizations(rules).length > 0) return;
  const message = 'Include at least one organization. Without one, nothing would be read.';
  throw invalid([{ path: 'scope_rules', message }]);
}

/** What the rules say of one organization, which the caller has made sure is included. */
export interface OrganizationScope<T> {
  inScope: T[];
  /** Identifiers of projects that are included by name and that the tracker does not list. */
  missing: string[];
}

/**
 * Which of one organization's listed projects are in scope. An excluded project is out; if a project of this organization
 * is included by name, only those so included are in, also when the one named is not listed (any more); else all are,
 * future ones too. Rules for projects of other organizations have no say.
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
  // Where a project's identifier is its organization's and its own name, a rule tells whose it is although nothing is listed.
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
