import { writeLetter } from '../../platform/mail/letter.ts';

/**
 * Returns the email to a person who paid twice. It reveals nothing about the account, because
 * anyone can enter any address.
 */
export function doublePaymentEmail(url: string): ReturnType<typeof writeLetter> {
  return writeLetter({
    subject: 'Your payment needs attention',
    opening: [
      'You have paid for a Winnow plan, but the account with your email address already has a subscription.',
      'The account was not changed. Your administrator was notified and can refund the second payment.',
      'To change your plan, sign in and choose another one:',
    ],
    link: { label: 'Your subscription', url },
    closing: [
      'If you have no password yet, choose “Forgot password?” on the sign-in page to get a link by email.',
    ],
  });
}

/** Returns the email to a person who paid without signing in and already has an account. */
export function planAddedEmail(url: string): ReturnType<typeof writeLetter> {
  return writeLetter({
    subject: 'Your Winnow plan',
    opening: [
      'Thank you for your payment. Your plan belongs to the Winnow account with this email address.',
      'Sign in to use it:',
    ],
    link: { label: 'Sign in', url },
  });
}

/**
 * Returns the email to a person who paid without signing in, if the account with their address may
 * belong to someone else.
 */
export function planWaitingEmail(url: string): ReturnType<typeof writeLetter> {
  return writeLetter({
    subject: 'Your Winnow plan',
    opening: [
      'Thank you for your payment. A Winnow account with this email address exists, but it is not confirmed yet that it is yours.',
      'Request a link and choose a new password with it. Then the account is yours and has the plan:',
    ],
    link: { label: 'Choose a new password', url },
    closing: [
      'The new password signs out every device, revokes all API keys, switches off all flows and resets the default model.',
    ],
  });
}
