import { writeLetter } from '../platform/mail/letter.ts';
import type { LinkPurpose } from './store.ts';

/**
 * What the mail with a link says. Nothing that somebody typed is in it: anybody can enter somebody else's address, and
 * would have their words sent there in our name.
 */
export function letterFor(purpose: LinkPurpose, url: string): ReturnType<typeof writeLetter> {
  switch (purpose) {
    case 'onboarding':
      return writeLetter({
        subject: 'Your Winnow account',
        opening: ['A Winnow account was made for you.', 'Choose a password to begin:'],
        link: { label: 'Choose a password', url },
        closing: ['The link holds for seven days and can be used once.'],
      });
    case 'verify_email':
      return writeLetter({
        subject: 'Confirm your e-mail address',
        opening: [
          'A Winnow account was made with this e-mail address.',
          'Confirm that the address is yours:',
        ],
        link: { label: 'Confirm the address', url },
        closing: [
          'The link holds for 24 hours and can be used once.',
          'If you did not make an account, do not confirm it: whoever made it knows its password.',
        ],
      });
    case 'reset_password':
      return writeLetter({
        subject: 'Reset your password',
        opening: [
          'Somebody asked to reset the password of the Winnow account with this e-mail address.',
          'If that was you, choose a new password:',
        ],
        link: { label: 'Choose a new password', url },
        closing: [
          'The link holds for 30 minutes and can be used once.',
          'If it was not you, you need not do anything: the password stays as it is.',
          'Where nobody has confirmed this address yet, a new password also ends the account’s API keys and turns its flows and its default model off: somebody else may have set them up.',
        ],
      });
  }
}
