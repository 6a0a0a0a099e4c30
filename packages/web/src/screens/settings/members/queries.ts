import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Role } from '@winnow/contract/role';
import {
  createdInvitation,
  type Invitation,
  type InvitationCreate,
  invitationList,
  type Member,
  memberPage,
  type WorkspaceDeletion,
} from '@winnow/contract/workspace';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { unlessGone } from '../../../api/session/api-error.ts';
import { api, switchWorkspace } from '../../../api/session/session.ts';

export const MEMBERS_PER_PAGE = 50;

/** Loads a page of the members whose name or address contains the search text. */
export function useMembers({ search, skip }: { search: string; skip: number }) {
  const query = { limit: MEMBERS_PER_PAGE, skip, search };
  return useQuery({
    queryKey: queryKeys.workspace.members(query),
    queryFn: ({ signal }) => api('GET', '/members', { query, schema: memberPage, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Loads the open invitations of the workspace, newest first. */
export function useInvitations() {
  return useQuery({
    queryKey: queryKeys.workspace.invitations(),
    queryFn: ({ signal }) => api('GET', '/invitations', { schema: invitationList, signal }),
  });
}

/** Refreshes everything about the workspace after a mutation, whether it succeeded or not. */
function useRefresh() {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: queryKeys.workspace.all });
}

/** Creates an invitation. The response, with the link, is dropped when the dialog closes. */
export function useInvite() {
  return useMutation({
    mutationFn: (body: InvitationCreate) => api('POST', '/invitations', { body, schema: createdInvitation }),
    gcTime: 0,
    onSettled: useRefresh(),
  });
}

export function useWithdraw() {
  return useMutation({
    mutationFn: ({ id }: Invitation) => api('DELETE', `/invitations/${id}`).catch(unlessGone),
    onSettled: useRefresh(),
  });
}

export function useChangeRole() {
  return useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Role }) =>
      api('PATCH', `/members/${member.user_id}`, { body: { role } }),
    onSettled: useRefresh(),
  });
}

export function useTransferOwnership() {
  return useMutation({
    mutationFn: (member: Member) => api('POST', `/members/${member.user_id}/transfer-ownership`),
    onSettled: useRefresh(),
  });
}

/** Removes a member, whose flows go to another member or are switched off. */
export function useRemoveMember() {
  return useMutation({
    mutationFn: ({ member, flows_to }: { member: Member; flows_to: string | null }) =>
      api('POST', `/members/${member.user_id}/remove`, { body: { flows_to } }).catch(unlessGone),
    onSettled: useRefresh(),
  });
}

/** Ends the user's own membership and shows the personal workspace. */
export function useLeave() {
  return useMutation({
    mutationFn: () => api('POST', '/workspace/leave', { body: {} }),
    onSuccess: () => switchWorkspace(null),
  });
}

/** Deletes the selected workspace and shows the personal one. */
export function useDeleteWorkspace() {
  return useMutation({
    mutationFn: (body: WorkspaceDeletion) => api('DELETE', '/workspace', { body }),
    onSuccess: () => switchWorkspace(null),
  });
}
