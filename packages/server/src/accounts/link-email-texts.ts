import { writeLetter } from '../platform/mail/letter.ts';
import type { LinkPurpose } from './store.ts';

/**
 * Returns an email with a link. The text contains nothing that a user typed. Anyone can enter
 * another person's address, and Winnow would send them the typed text.
 */
export function linkEmail(purpose: LinkPurpose, url: string): ReturnType<typeof writeLetter> {
  switch (purpose) {
    case 'onboarding':
      return writeLetter({
        subject: 'Your Winnow account',
        opening: ['A Winnow account was created for you.', 'Choose a password to begin:'],
        link: { label: 'Choose a password', url },
        closing: ['The link is valid for seven days and can be used once.'],
      });
    case 'verify_email':
      return writeLetter({
        subject: 'Confirm your email address',
        opening: [
          'A Winnow account was created with this email address.',
          'Confirm that the address is yours:',
        ],
        link: { label: 'Confirm the address', url },
        closing: [
          'The link is valid for 24 hours and can be used once.',
          'Until the address is confirmed, sign in with your username.',
          'If you did not create this account, ignore this email: do not confirm the address.',
        ],
      });
    case 'reset_password':
      return writeLetter({
        subject: 'Reset your password',
        opening: [
          'Someone asked to reset the password of the Winnow account with this email address.',
          'If that was you, choose a new password:',
        ],
        link: { label: 'Choose a new password', url },
        closing: [
          'The link is valid for 30 minutes and can be used once.',
          'If it was not you, there is nothing to do: the password stays as it is.',
          'A new password signs out every device, revokes all API keys and switches off flows that write, or that use your own models or MCP servers.',
        ],
      });
  }
}

/** Returns an email to the owner of an address that someone registered again. */
export function addressTakenEmail(url: string): ReturnType<typeof writeLetter> {
  return writeLetter({
    subject: 'You already have a Winnow account',
    opening: [
      'Someone registered at Winnow with this email address, which already has an account.',
      'Your account was not changed. If it was you, sign in with your password, or set a new one:',
    ],
    link: { label: 'Reset your password', url },
    closing: ['If it was not you, there is nothing to do: only you can confirm this address.'],
  });
}
