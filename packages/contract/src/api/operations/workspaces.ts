import type { Operations } from '../operation.ts';

export const workspaceOperations: Operations = {
  'GET /api/v1/workspaces': {
    id: 'listWorkspaces',
    summary: 'List your workspaces',
    description:
      'Returns the workspaces of the signed-in user with the role in each, the personal one first.',
  },
  'POST /api/v1/workspaces': {
    id: 'createWorkspace',
    summary: 'Create a workspace',
    description: 'Creates an empty workspace and makes the signed-in user its owner.',
    errors: ['too_many_workspaces'],
  },
  'GET /api/v1/workspaces/joinable': {
    id: 'listJoinableWorkspaces',
    summary: 'List workspaces to join',
    description:
      'Returns the workspaces that the signed-in user can join because they are open to the domain of the confirmed email address.',
  },
  'POST /api/v1/workspaces/:workspace_id/join': {
    id: 'joinWorkspace',
    summary: 'Join a workspace',
    description:
      'Makes the signed-in user a member of a workspace that is open to the domain of the address.',
  },
  'GET /api/v1/workspace': {
    id: 'getWorkspace',
    summary: 'Get the selected workspace',
    description: 'Returns the selected workspace with its rules and the caller’s role.',
  },
  'PATCH /api/v1/workspace': {
    id: 'updateWorkspace',
    summary: 'Change the selected workspace',
    description: 'Changes the name or the rules of the workspace. Only an owner changes rules.',
  },
  'DELETE /api/v1/workspace': {
    id: 'deleteWorkspace',
    summary: 'Delete the selected workspace',
    description:
      'Deletes the workspace and everything stored for it. Its members lose access immediately. Requires its name and the password of the caller. This cannot be undone.',
    errors: ['wrong_password', 'personal_workspace'],
  },
  'POST /api/v1/workspace/leave': {
    id: 'leaveWorkspace',
    summary: 'Leave the selected workspace',
    description:
      'Ends the caller’s membership and revokes the caller’s API keys. Flows go to another member or are switched off.',
    errors: ['last_owner'],
  },
  'GET /api/v1/members': {
    id: 'listMembers',
    summary: 'List members',
    description: 'Returns a page of the members of the workspace, earliest joined first.',
  },
  'PATCH /api/v1/members/:user_id': {
    id: 'changeMemberRole',
    summary: 'Change the role of a member',
    description:
      'Changes the role of a member from the next request on. Only an owner gives or takes ownership.',
    errors: ['last_owner'],
  },
  'POST /api/v1/members/:user_id/transfer-ownership': {
    id: 'transferOwnership',
    summary: 'Transfer ownership',
    description: 'Makes a member an owner of the workspace, and the caller an admin.',
    errors: ['last_owner'],
  },
  'POST /api/v1/members/:user_id/remove': {
    id: 'removeMember',
    summary: 'Remove a member',
    description:
      'Ends a membership: requests of the member are refused from then on, and the member’s API keys are revoked. Flows go to another member or are switched off.',
    errors: ['last_owner'],
  },
  'GET /api/v1/invitations': {
    id: 'listInvitations',
    summary: 'List open invitations',
    description: 'Returns the invitations of the workspace that can still be accepted, newest first.',
  },
  'POST /api/v1/invitations': {
    id: 'createInvitation',
    summary: 'Invite people',
    description:
      'Creates an invitation to an address, by a link, or for a domain, and returns it. This is the only response that contains the link. One to an address is also mailed.',
    errors: ['already_a_member', 'too_many_invitations'],
  },
  'DELETE /api/v1/invitations/:invitation_id': {
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    description: 'Withdraws an invitation, which cannot be accepted from then on.',
  },
  'POST /api/v1/invitations/look-up': {
    id: 'lookUpInvitation',
    summary: 'Look up an invitation',
    description: 'Returns the workspace and the role of an invitation, for the person who has its token.',
    errors: ['invalid_invitation'],
  },
  'POST /api/v1/invitations/accept': {
    id: 'acceptInvitation',
    summary: 'Accept an invitation',
    description: 'Makes the signed-in user a member, and returns the id of the workspace.',
    errors: ['invalid_invitation', 'invitation_for_another', 'was_removed', 'already_a_member'],
  },
  'GET /api/v1/audit-events': {
    id: 'listAuditEvents',
    summary: 'List the audit log',
    description:
      'Returns a page of the audit log of the workspace, newest first: sign-ins, members, roles, keys, trackers, flows and decisions.',
  },
  'GET /api/v1/audit-events/export': {
    id: 'exportAuditEvents',
    summary: 'Export the audit log',
    description: 'Returns all events that match the filters as JSON Lines, newest first.',
    produces: ['application/jsonl'],
  },
};
