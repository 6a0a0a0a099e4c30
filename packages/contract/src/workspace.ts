import { z } from 'zod';
import { email } from './account.ts';
import { givenName, id, instant, pageQuery } from './primitives.ts';
import { role } from './role.ts';

/**
 * Request header with the id of the workspace that a request concerns. Without it, a request of a
 * user concerns the personal workspace. An API key belongs to one workspace and needs no header.
 */
export const WORKSPACE_HEADER = 'winnow-workspace';

/** Maximum characters of a workspace's name. */
const MAX_WORKSPACE_NAME_CHARS = 80;
/** Maximum workspaces that a user owns. */
export const MAX_OWNED_WORKSPACES = 50;
/** Lifetime of an invitation, in days. */
export const INVITATION_DAYS = 7;
/** Maximum open invitations of a workspace. */
export const MAX_INVITATIONS = 1_000;
/** Maximum people who can join by one link. */
export const MAX_LINK_USES = 1_000;

/** A workspace, with the role of the signed-in user. */
export const workspace = z.object({
  id,
  name: z.string(),
  role,
  /** True for the workspace that was made when the user registered. */
  personal: z.boolean(),
  members: z.int(),
});
export type Workspace = z.infer<typeof workspace>;
export const workspaceList = z.array(workspace);

/** The selected workspace with its settings. */
export const workspaceSettings = workspace.extend({
  /**
   * True if closing issues and bulk changes need the approval of a second person. They are then
   * proposed instead of applied.
   */
  four_eyes: z.boolean(),
  /** True if each member needs an authenticator app or a passkey. */
  require_second_factor: z.boolean(),
});
export type WorkspaceSettings = z.infer<typeof workspaceSettings>;

const workspaceName = givenName(MAX_WORKSPACE_NAME_CHARS);
/** `POST /workspaces`; the caller becomes its owner. */
export const workspaceCreate = z.object({ name: workspaceName });
/** `PATCH /workspace`. */
export const workspacePatch = z
  .object({
    name: workspaceName.optional(),
    four_eyes: z.boolean().optional(),
    require_second_factor: z.boolean().optional(),
  })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), {
    message: 'Name at least one change.',
  });
export type WorkspacePatch = z.infer<typeof workspacePatch>;
/** `DELETE /workspace`. The typed name prevents that the wrong workspace is deleted. */
export const workspaceDeletion = z.object({
  name: z.string().trim(),
  current_password: z.string().min(1, 'Enter your current password.').max(200),
});
export type WorkspaceDeletion = z.infer<typeof workspaceDeletion>;

/** A member of a workspace. */
export const member = z.object({
  user_id: id,
  username: z.string(),
  full_name: z.string().nullable(),
  email: z.string(),
  role,
  joined_at: instant,
  /** Time of the last sign-in with a password; null before the first. */
  last_sign_in_at: instant.nullable(),
  has_second_factor: z.boolean(),
  /** Number of flows that act for this member. */
  flows: z.int(),
  api_keys: z.int(),
});
export type Member = z.infer<typeof member>;
export const memberPage = z.object({ members: z.array(member), total: z.int() });
export type MemberPage = z.infer<typeof memberPage>;
export const memberQuery = z.object({
  ...pageQuery(50),
  /** Part of a name or an email address. */
  search: z.string().trim().max(200).optional(),
  role: role.optional(),
});
export type MemberQuery = z.infer<typeof memberQuery>;
/** `PATCH /members/{user_id}`. */
export const memberPatch = z.object({ role });
/** `POST /members/{user_id}/remove` and `POST /workspace/leave`. */
export const memberRemoval = z.object({
  /** Member who gets the flows of the removed one. Null switches the flows off. */
  flows_to: id.nullable().default(null),
});
export type MemberRemoval = z.infer<typeof memberRemoval>;

/** An open invitation. */
export const invitation = z.object({
  id,
  /** `email` invites one address, `link` everyone who has the link, `domain` all of a domain. */
  kind: z.enum(['email', 'link', 'domain']),
  role,
  email: z.string().nullable(),
  domain: z.string().nullable(),
  /** Number of people who can still join; null if there is no limit. */
  uses_left: z.int().nullable(),
  invited_by: z.string().nullable(),
  created_at: instant,
  /** Null for a domain, which has no end. */
  expires_at: instant.nullable(),
});
export type Invitation = z.infer<typeof invitation>;
export const invitationList = z.array(invitation);
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/, 'Enter a domain such as example.com.');
/** `POST /invitations`. Only an owner gives the role of an owner, and only to a member. */
const invitedRole = role.exclude(['owner']);
export const invitationCreate = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email'), role: invitedRole, email }),
  z.object({
    kind: z.literal('link'),
    role: invitedRole,
    max_uses: z.int().min(1).max(MAX_LINK_USES).default(10),
  }),
  z.object({ kind: z.literal('domain'), role: invitedRole, domain }),
]);
export type InvitationCreate = z.input<typeof invitationCreate>;
/** A new invitation. Only this response contains the link. Null for a domain. */
export const createdInvitation = invitation.extend({ link: z.string().nullable() });
export type CreatedInvitation = z.infer<typeof createdInvitation>;

const invitationToken = z.string().min(1, 'No invitation found in the URL.').max(200);
/** `POST /invitations/look-up` and `POST /invitations/accept`. */
export const invitationByToken = z.object({ token: invitationToken });
/** An invitation as the invited person sees it before signing in. */
export const shownInvitation = z.object({
  workspace: z.string(),
  role,
  invited_by: z.string().nullable(),
  /** Address that must be that of the user who accepts; null for a link. */
  email: z.string().nullable(),
  expires_at: instant,
});
export type ShownInvitation = z.infer<typeof shownInvitation>;
/** Response to an accepted invitation. */
export const invitationAccepted = z.object({ workspace_id: id });
/** Workspaces that the user can join because of the domain of the confirmed email address. */
export const joinableWorkspace = z.object({ id, name: z.string(), role });
export const joinableList = z.array(joinableWorkspace);
