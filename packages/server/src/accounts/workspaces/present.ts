import type {
  Invitation,
  Member,
  ShownInvitation,
  Workspace,
  WorkspaceSettings,
} from '@winnow/contract/workspace';
import type { InvitationRow } from './invitation-store.ts';
import type { SeenInvitation } from './invitations.ts';
import type { listMembers, WorkspaceRow } from './store.ts';

export function presentWorkspace({ id, name, role, personal, members }: WorkspaceRow): Workspace {
  return { id, name, role, personal, members };
}

export function presentSettings(row: WorkspaceRow): WorkspaceSettings {
  const { four_eyes, require_second_factor } = row;
  return { ...presentWorkspace(row), four_eyes, require_second_factor };
}

export function presentMember(row: Awaited<ReturnType<typeof listMembers>>['members'][number]): Member {
  const { joined_at, last_sign_in_at, ...member } = row;
  return {
    ...member,
    joined_at: joined_at.toISOString(),
    last_sign_in_at: last_sign_in_at?.toISOString() ?? null,
  };
}

export function presentInvitation(row: InvitationRow & { inviter: string | null }): Invitation {
  const { id, kind, role, email, domain, uses_left, inviter, created_at, expires_at } = row;
  return {
    ...{ id, kind, role, email, domain, uses_left, invited_by: inviter },
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
  };
}

export function presentSeenInvitation({ workspace, invitation }: SeenInvitation): ShownInvitation {
  const { role, inviter, email, expires_at } = invitation;
  return {
    workspace,
    role,
    invited_by: inviter,
    email,
    expires_at: (expires_at ?? new Date(0)).toISOString(),
  };
}
