import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { lowestRoleWith, mayAs, type Permission, ROLES } from '@winnow/contract/role';
import type { ReactNode } from 'react';
import classes from './permission.module.css';
import { useWorkspace } from './queries.ts';

/** Result of a check of a permission in the selected workspace. */
export interface PermissionState {
  allowed: boolean;
  /** A sentence for the user; null if it is allowed. */
  reason: string | null;
}

/** Checks a permission of the user. It counts as given until the role is loaded. */
export function usePermission(permission: Permission): PermissionState {
  const role = useWorkspace().data?.role;
  if (role === undefined || mayAs(role, permission)) return { allowed: true, reason: null };
  const needed = ROLES[lowestRoleWith(permission)].label;
  return {
    allowed: false,
    reason: `Your role in this workspace is ${ROLES[role].label}. This needs the role ${needed}.`,
  };
}

/**
 * Disables all buttons and fields inside for a user without the permission. `notice` also shows the
 * reason above them.
 */
export function PermissionGate({
  needs,
  notice = false,
  children,
}: {
  needs: Permission;
  notice?: boolean;
  children: ReactNode;
}) {
  const { allowed, reason } = usePermission(needs);
  if (allowed) return children;
  return (
    <>
      {notice ? <PermissionNotice reason={reason} /> : null}
      <fieldset className={classes.gate} disabled title={reason ?? undefined}>
        {children}
      </fieldset>
    </>
  );
}

/** Tells the user why something is disabled. */
export function PermissionNotice({ reason }: { reason: string | null }) {
  if (reason === null) return null;
  return <Alert icon={<IconLock size={16} aria-hidden />}>{reason} Ask an admin of the workspace.</Alert>;
}
