import type { z } from 'zod';
import type { Scope } from './api-key.ts';
import { memberOf } from './primitives.ts';

/**
 * A permission of members in a workspace. Each route and tool requires one:
 * `read`: see the backlog. `propose`: propose changes, which others approve. `triage`: dismiss
 * findings and judge pairs. `write`: decide, and write to trackers. `manage`: set up trackers,
 * flows, models, members and keys. `own`: pay, export and delete.
 */
export type Permission = 'read' | 'propose' | 'triage' | 'write' | 'manage' | 'own';

/** Roles of members, from the fewest permissions to the most. Each includes those before it. */
export const ROLES = {
  viewer: {
    label: 'Viewer',
    description: 'Sees issues, findings and changes.',
    permissions: ['read'],
  },
  triager: {
    label: 'Triager',
    description: 'Also proposes changes, judges pairs and dismisses findings.',
    permissions: ['read', 'propose', 'triage'],
  },
  maintainer: {
    label: 'Maintainer',
    description: 'Also decides, and writes to the trackers.',
    permissions: ['read', 'propose', 'triage', 'write'],
  },
  admin: {
    label: 'Admin',
    description: 'Also sets up trackers, flows, models, members and API keys.',
    permissions: ['read', 'propose', 'triage', 'write', 'manage'],
  },
  owner: {
    label: 'Owner',
    description: 'Also pays, exports the data and deletes the workspace.',
    permissions: ['read', 'propose', 'triage', 'write', 'manage', 'own'],
  },
} as const satisfies Record<
  string,
  { label: string; description: string; permissions: readonly Permission[] }
>;
export const role = memberOf(ROLES);
export type Role = z.infer<typeof role>;

/** Permissions that a scope gives to an API key. A key never has `manage` or `own`. */
const SCOPE_PERMISSIONS: Readonly<Record<Scope, readonly Permission[]>> = {
  read: ['read'],
  propose: ['propose'],
  write: ['triage', 'write'],
};

/** True if the role has the permission. */
export function mayAs(memberRole: Role, permission: Permission): boolean {
  const permissions: readonly Permission[] = ROLES[memberRole].permissions;
  return permissions.includes(permission);
}

/** Returns the permissions that scopes give, before the role of the key's owner limits them. */
export function permissionsOfScopes(scopes: readonly Scope[]): readonly Permission[] {
  return scopes.flatMap((scope) => SCOPE_PERMISSIONS[scope]);
}

/** Returns the scope that gives a permission to a key; null for a permission of people only. */
export function scopeFor(permission: Permission): Scope | null {
  const entry = Object.entries(SCOPE_PERMISSIONS).find(([, given]) => given.includes(permission));
  return entry === undefined ? null : (entry[0] as Scope);
}

/** Returns the lowest role with the permission. */
export function lowestRoleWith(permission: Permission): Role {
  return role.options.find((one) => mayAs(one, permission)) ?? 'owner';
}

/** True if `one` has all permissions of `other`. */
export function isAtLeast(one: Role, other: Role): boolean {
  return role.options.indexOf(one) >= role.options.indexOf(other);
}
