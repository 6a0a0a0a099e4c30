import { ROLES, type Role } from '@winnow/contract/role';
import { writeLetter } from '../../platform/mail/letter.ts';

/**
 * Returns the email that invites a person to a workspace. The recipient did not ask for it, so a
 * name that looks like an address is left out.
 */
export function invitationEmail({
  workspace,
  inviter,
  role,
  url,
}: {
  workspace: string;
  inviter: { name: string; email: string };
  role: Role;
  url: string;
}): ReturnType<typeof writeLetter> {
  const place = looksLikeAddress(workspace) ? 'a workspace' : `the workspace “${workspace}”`;
  const who = looksLikeAddress(inviter.name) ? inviter.email : `${inviter.name} (${inviter.email})`;
  return writeLetter({
    subject: 'You are invited to a workspace in Winnow',
    opening: [
      `${who} invites you to ${place} in Winnow, as ${ROLES[role].label}.`,
      'Accept with a Winnow account of this email address. You can create one on the way:',
    ],
    link: { label: 'See the invitation', url },
    closing: [
      'The link is valid for seven days and can be used once.',
      'If you do not know the sender, ignore this email.',
    ],
  });
}

/** Returns the email that tells a person that the membership has ended. */
export function removalEmail(workspace: string): ReturnType<typeof writeLetter> {
  const place = looksLikeAddress(workspace) ? 'a workspace' : `the workspace “${workspace}”`;
  return writeLetter({
    subject: 'You were removed from a workspace in Winnow',
    opening: [
      `An admin removed you from ${place} in Winnow.`,
      'Your API keys for it were revoked. Your own workspace is unchanged.',
    ],
  });
}

/** True if mail programs could turn a part of the name into a link. */
function looksLikeAddress(name: string): boolean {
  return /[/:@\\]|\.\p{L}/u.test(name);
}
