import type { EndedAccess } from '@winnow/contract/account';
import { writeLetter } from '../platform/mail/letter.ts';
import { type Client, deviceNameOf } from './client.ts';

/** A change of an account that its owner is notified of by email. */
export type SecurityNotice =
  | { kind: 'password_changed'; ended: EndedAccess }
  | { kind: 'password_reset'; ended: EndedAccess }
  | { kind: 'api_key_created'; name: string }
  | { kind: 'new_device' }
  | { kind: 'second_factor_added' }
  | { kind: 'second_factor_removed'; isLast: boolean }
  | { kind: 'second_factors_removed_by_operator' }
  | { kind: 'factor_missing' }
  | { kind: 'passkey_added'; name: string; isFirst: boolean }
  | { kind: 'passkey_renamed'; name: string }
  | { kind: 'passkey_removed'; name: string; isLast: boolean }
  | { kind: 'recovery_codes_renewed' }
  | { kind: 'recovery_code_used'; left: number };

export interface LetterContext {
  at: Date;
  /** Null if no request of a browser caused the change. */
  client: Pick<Client, 'address' | 'userAgent'> | null;
  /** Public address of this installation. */
  publicUrl: string;
  /**
   * False if another person may have chosen the names of keys, passkeys and flows. The email then
   * omits these names.
   */
  isOwnerConfirmed: boolean;
}

/** Maximum number of names listed in an email. */
const MAX_NAMES = 20;

/**
 * Returns an email about a change of an account: what, when, from where, and what to do if it was
 * someone else.
 */
export function securityEmail(
  notice: SecurityNotice,
  context: LetterContext,
): ReturnType<typeof writeLetter> {
  const { publicUrl, isOwnerConfirmed } = context;
  const reset = { label: 'Reset your password', url: new URL('/forgot-password', publicUrl).href };
  switch (notice.kind) {
    case 'password_changed':
      return writeLetter({
        subject: 'Your Winnow password was changed',
        opening: [
          'The password of your Winnow account was changed.',
          circumstances(context),
          endedText(notice.ended, isOwnerConfirmed),
          'If it was not you, reset your password now. A reset signs out every device, revokes all API keys and switches off flows that write, or that use your own models or MCP servers:',
        ],
        link: reset,
      });
    case 'password_reset':
      return writeLetter({
        subject: 'Your Winnow password was reset',
        opening: [
          'The password of your Winnow account was reset with a link from an email.',
          circumstances(context),
          endedText(notice.ended, isOwnerConfirmed),
          'If it was not you, someone else reads your email. Secure your mailbox first, then reset your password again:',
        ],
        link: reset,
      });
    case 'api_key_created':
      return writeLetter({
        subject: 'New API key for your Winnow account',
        opening: [
          isOwnerConfirmed
            ? `The API key “${notice.name}” was created for your Winnow account.`
            : 'An API key was created for your Winnow account.',
          circumstances(context),
          'If it was not you, revoke the key and change your password:',
        ],
        link: { label: 'Open your API keys', url: new URL('/console/settings/api-keys', publicUrl).href },
      });
    case 'second_factor_added':
      return writeLetter({
        subject: 'Authenticator app added to your Winnow account',
        opening: [
          'An authenticator app was added to your Winnow account. Signing in with the password now needs a second factor. All other devices were signed out.',
          circumstances(context),
          'If it was not you, reset your password now, and ask the operator of this server to remove the app:',
        ],
        link: reset,
      });
    case 'second_factor_removed':
      return writeLetter({
        subject: 'Authenticator app removed from your Winnow account',
        opening: [
          `The authenticator app of your Winnow account was removed. ${needed(notice.isLast)}`,
          circumstances(context),
          'If it was not you, reset your password now, and add an app again:',
        ],
        link: reset,
      });
    case 'second_factors_removed_by_operator':
      return writeLetter({
        subject: 'Second factors removed from your Winnow account',
        opening: [
          'The operator of this server removed the authenticator app, the passkeys and the recovery codes of your Winnow account. Signing in needs the password only.',
          circumstances(context),
          'If you did not ask for this, reset your password now and contact the operator:',
        ],
        link: reset,
      });
    case 'factor_missing':
      return writeLetter({
        subject: 'Your Winnow password was entered without a second factor',
        opening: [
          'Someone entered the right password of your Winnow account, but no code or passkey. The sign-in was refused.',
          circumstances(context),
          'If it was you, there is nothing to do.',
          'If it was not you, someone knows your password. Reset it now:',
        ],
        link: reset,
      });
    case 'passkey_added':
      return writeLetter({
        subject: 'Passkey added to your Winnow account',
        opening: [
          `${passkeyText(notice.name, isOwnerConfirmed)} was added to your Winnow account. It signs in without the password.${
            notice.isFirst
              ? ' Signing in with the password now needs a second factor. All other devices were signed out.'
              : ''
          }`,
          circumstances(context),
          'If it was not you, reset your password now. The passkey then needs the new password once. Sign in, and remove it under Settings, Security. If you cannot sign in, ask the operator of this server:',
        ],
        link: reset,
      });
    case 'passkey_renamed':
      return writeLetter({
        subject: 'Passkey of your Winnow account renamed',
        opening: [
          isOwnerConfirmed
            ? `A passkey of your Winnow account was renamed to “${notice.name}”.`
            : 'A passkey of your Winnow account was renamed.',
          circumstances(context),
          'If it was not you, reset your password now:',
        ],
        link: reset,
      });
    case 'passkey_removed':
      return writeLetter({
        subject: 'Passkey removed from your Winnow account',
        opening: [
          `${passkeyText(notice.name, isOwnerConfirmed)} was removed from your Winnow account. ${needed(notice.isLast)}`,
          circumstances(context),
          'If it was not you, reset your password now, and add a passkey again:',
        ],
        link: reset,
      });
    case 'recovery_codes_renewed':
      return writeLetter({
        subject: 'Recovery codes of your Winnow account replaced',
        opening: [
          'New recovery codes were created for your Winnow account. The previous ones stopped working.',
          circumstances(context),
          'If it was not you, reset your password now. Then sign in and replace the recovery codes under Settings, Security:',
        ],
        link: reset,
      });
    case 'recovery_code_used':
      return writeLetter({
        subject: 'Recovery code used for your Winnow account',
        opening: [
          `A recovery code was used instead of another second factor. Recovery codes left: ${notice.left}.`,
          circumstances(context),
          'If it was not you, reset your password now. Then sign in and replace the recovery codes under Settings, Security:',
        ],
        link: reset,
      });
    case 'new_device':
      return writeLetter({
        subject: 'New sign-in to your Winnow account',
        opening: [
          'Your Winnow account was signed in to from a device that has not been used before.',
          circumstances(context),
          'If it was you, there is nothing to do.',
          'If it was not you, reset your password now. A reset signs out every device, revokes all API keys and switches off flows that write, or that use your own models or MCP servers:',
        ],
        link: reset,
      });
  }
}

function needed(isLast: boolean): string {
  return isLast
    ? 'Signing in needs the password only.'
    : 'Signing in with the password still needs a second factor.';
}

function passkeyText(name: string, showsName: boolean): string {
  return showsName ? `The passkey “${name}”` : 'A passkey';
}

/** Lists what was ended, one per line, and how to restore it. */
function endedText({ sessions, api_keys, flows, default_model }: EndedAccess, showsNames: boolean): string {
  const names = (list: readonly string[]) => {
    if (!showsNames || list.length === 0) return '';
    const more = list.length > MAX_NAMES ? ` and ${list.length - MAX_NAMES} more` : '';
    return ` (${list.slice(0, MAX_NAMES).join(', ')}${more})`;
  };
  const lines = [
    `Sessions signed out: ${sessions}`,
    `API keys revoked: ${api_keys.length}${names(api_keys)}`,
    `Flows switched off: ${flows.length}${names(flows)}`,
    ...(default_model ? ['The default model was reset to the built-in analyst.'] : []),
  ];
  const advice = [
    ...(api_keys.length > 0 ? ['Create new keys under Settings, API Keys.'] : []),
    ...(flows.length > 0
      ? ['Check your flows with their models and MCP servers, and switch them on again under Flows.']
      : []),
    ...(default_model
      ? [
          'Check your models under Settings, Models: remove those that you did not add, and choose the default again.',
        ]
      : []),
  ];
  return [...lines, ...advice].join('\n');
}

const TIME = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function circumstances({ at, client }: LetterContext): string {
  if (client === null) return `When: ${TIME.format(at)} UTC`;
  const device = deviceNameOf(client.userAgent);
  return [
    `When: ${TIME.format(at)} UTC`,
    `IP address: ${client.address}`,
    ...(device === null ? [] : [`Browser: ${device}`]),
  ].join('\n');
}
